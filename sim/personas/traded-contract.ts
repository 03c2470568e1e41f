// A contract as personas see it: what is read of a contract and its product.

import { kilowattsOf, minutesOf } from "../market/units.ts";

export type ProductType = "hour" | "base" | "peak" | "weekend" | "week" | "month" | "quarter" | "year";

/** What is read of a product. */
export interface TradedProduct {
  readonly id: string;
  readonly marketId: string;
  readonly type: ProductType;
  readonly node: string;
  /** MW. */
  readonly lot: number;
  readonly tick: number;
  readonly minimumPrice: number;
  readonly maximumPrice: number;
}

/** What is read of a contract. */
export interface ListedContract {
  readonly id: string;
  readonly productId: string;
  readonly deliveryStart: string;
  readonly deliveryEnd: string;
  readonly hours: number;
}

export interface TradedContract {
  /** Grows with every contract that is listed; no two contracts of a run have the same. */
  readonly index: number;
  readonly id: string;
  readonly productId: string;
  readonly marketId: string;
  readonly type: ProductType;
  readonly node: string;
  /** peak: only some hours between start and end are delivered. */
  readonly shape: "base" | "peak";
  /** Milliseconds since the epoch. */
  readonly deliveryStart: number;
  readonly deliveryEnd: number;
  /** Of delivery. */
  readonly minutes: number;
  /** kW. */
  readonly lot: number;
  /** cents/MWh, as the prices that follow. */
  readonly tick: number;
  readonly minimumPrice: number;
  readonly maximumPrice: number;
}

const MS_PER_HOUR = 3_600_000;

/** Throws if the product's lot is no whole kW. */
export function tradedContract(index: number, listed: ListedContract, product: TradedProduct): TradedContract {
  const { id, productId, hours } = listed;
  const lot = kilowattsOf(product.lot);
  if (lot === null) {
    throw new Error(`product ${productId} has a lot of ${product.lot} MW, which is no whole number of kW`);
  }
  const deliveryStart = Date.parse(listed.deliveryStart);
  const deliveryEnd = Date.parse(listed.deliveryEnd);
  const isPeak = product.type === "peak" || hours * MS_PER_HOUR < deliveryEnd - deliveryStart;
  return {
    index,
    id,
    productId,
    marketId: product.marketId,
    type: product.type,
    node: product.node,
    shape: isPeak ? "peak" : "base",
    deliveryStart,
    deliveryEnd,
    minutes: minutesOf(hours),
    lot,
    tick: product.tick,
    minimumPrice: product.minimumPrice,
    maximumPrice: product.maximumPrice,
  };
}
