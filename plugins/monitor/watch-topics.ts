// What `mkt watch` can follow: the tools behind it, and the filters that each has.

const OF_CONTRACT = ["contractId"];
const OF_ORDERS = ["contractId", "entityId", "orderId"];

export const WATCH_TOPICS = {
  all: { tool: "mkt_get_recent_events", filters: OF_ORDERS },
  orders: { tool: "mkt_watch_orders", filters: OF_ORDERS },
  fills: { tool: "mkt_watch_fills", filters: OF_ORDERS },
  book: { tool: "mkt_watch_book", filters: OF_CONTRACT },
  market: { tool: "mkt_watch_market", filters: OF_CONTRACT },
} as const;
