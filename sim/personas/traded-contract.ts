// A contract as personas see it, and which contracts of a market they turn to: the nearest deliveries first.
//
// Attention falls by half from one delivery of a product to the next, so that most orders meet where they can trade, and
// the front contracts have two sides. A contract leaves the profile when its delivery starts, and the next moves up.
//
// Limits: it takes the contracts of the definition as they are; none is listed later.

import { kilowattsOf, minutesOf } from "../market/units.ts";

export type ProductType = "hour" | "base" | "peak" | "week" | "month" | "quarter";

/** What is read of a market definition. */
export interface ListedMarket {
  readonly markets: readonly { readonly id: string; readonly nodes: readonly string[] }[];
  readonly products: readonly {
    readonly id: string;
    readonly marketId: string;
    readonly type: ProductType;
    readonly node: string;
    /** MW. */
    readonly lot: number;
    readonly tick: number;
    readonly minimumPrice: number;
    readonly maximumPrice: number;
  }[];
  readonly contracts: readonly {
    readonly id: string;
    readonly productId: string;
    readonly deliveryStart: string;
    readonly deliveryEnd: string;
    readonly hours: number;
  }[];
}

export interface TradedContract {
  /** Its place in the market definition, from 0. */
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

/** Every contract of a market definition, in its order. Throws where a reference leads nowhere or a lot is no whole kW. */
export function tradedContracts({ products, contracts }: ListedMarket): TradedContract[] {
  const productById = new Map(products.map((product) => [product.id, product]));
  return contracts.map(({ id, productId, deliveryStart, deliveryEnd, hours }, index) => {
    const product = productById.get(productId);
    const lot = product === undefined ? null : kilowattsOf(product.lot);
    if (product === undefined || lot === null) throw new Error(`contract ${id} has no product with a lot in whole kW`);
    const start = Date.parse(deliveryStart);
    const end = Date.parse(deliveryEnd);
    return {
      index,
      id,
      productId,
      marketId: product.marketId,
      type: product.type,
      node: product.node,
      shape: product.type === "peak" || hours * MS_PER_HOUR < end - start ? "peak" : "base",
      deliveryStart: start,
      deliveryEnd: end,
      minutes: minutesOf(hours),
      lot,
      tick: product.tick,
      minimumPrice: product.minimumPrice,
      maximumPrice: product.maximumPrice,
    };
  });
}

const MS_PER_HOUR = 3_600_000;
