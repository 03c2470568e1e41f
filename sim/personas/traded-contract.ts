// A contract as personas see it, made of the parts of a contract and its product that matter to them.

import { HOUR_MS } from "../../protocol/time-units.ts";
import type { ForecastContract } from "../information/forecast-source.ts";
import type { ProductType } from "../information/price-moves.ts";
import { kilowattsOf, minutesOf } from "../../engine/market/units.ts";

export type { ProductType };

/** The fields of a product that matter here. */
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

/** The fields of a contract that matter here. */
interface ListedContract {
  readonly id: string;
  readonly productId: string;
  readonly deliveryStart: string;
  readonly deliveryEnd: string;
  readonly hours: number;
}

export interface TradedContract extends ForecastContract {
  readonly id: string;
  readonly productId: string;
  readonly marketId: string;
  /** Minutes of delivery. */
  readonly minutes: number;
  /** kW. */
  readonly lot: number;
  /** Tick and prices in cents/MWh. */
  readonly tick: number;
  readonly minimumPrice: number;
  readonly maximumPrice: number;
}

/** Throws if the product's lot is not a whole number of kW. */
export function tradedContract(index: number, listed: ListedContract, product: TradedProduct): TradedContract {
  const { id, productId, hours } = listed;
  const lot = kilowattsOf(product.lot);
  if (lot === null) {
    throw new Error(`product ${productId} has a lot of ${product.lot} MW, which is not a whole number of kW`);
  }
  const deliveryStart = Date.parse(listed.deliveryStart);
  const deliveryEnd = Date.parse(listed.deliveryEnd);
  const isPeak = product.type === "peak" || hours * HOUR_MS < deliveryEnd - deliveryStart;
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
