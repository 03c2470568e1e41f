// Orders, contracts and books of an engine in this process, as its users may read them. They are the engine's own objects: they
// change with each call, and nobody else may change them. Quantities are kW, prices cents/MWh.

import type { PriceTimeBook } from "../market/price-time-book.ts";
import type { ContractState, MarketState, Order } from "../state/market-state.ts";

export { remainingOf } from "../state/market-state.ts";

type ReadonlyBook = Pick<
  PriceTimeBook,
  "bestPrice" | "bestLevel" | "nextLevel" | "priceOfLevel" | "volumeOfLevel" | "orderCountOfLevel"
>;

export interface ReadonlyContract
  extends Readonly<Pick<ContractState, "serial" | "id" | "definition" | "product" | "expired" | "lastPrice">> {
  readonly market: Readonly<Pick<MarketState, "halted" | "session">>;
  readonly book: ReadonlyBook;
}

export interface ReadonlyOrder
  extends Readonly<Pick<Order, "key" | "id" | "userId" | "side" | "price" | "quantity" | "filledQuantity">> {
  readonly contract: ReadonlyContract;
}
