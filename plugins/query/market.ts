// Market state and order book, from the snapshot.

import { z } from "zod";
import { MARKET_STATUSES, type ModuleData } from "../../protocol/modules/registry.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { idField } from "../../core/tools/fields.ts";
import { engineOf, marketOf, moduleMeant } from "../toolkit/lookup.ts";
import { viewUri } from "../toolkit/view-resource.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";

/** Price levels on each side of mkt_get_order_book (specification, Limits). */
const SHOWN_LEVELS = 5;

const getMarketState = defineTool({
  name: "mkt_get_market_state",
  title: "Market state",
  description:
    "Gives a market's status, session times (null if it always trades) and current time. Orders match only in an open " +
    "market. Needs mkt_connect_pubsub.",
  input: z.strictObject({ marketId: idField("Absent: the default market").optional() }),
  output: () =>
    z.looseObject({
      id: z.string(),
      name: z.string(),
      code: z.string(),
      status: z.enum(MARKET_STATUSES),
      halted: z.boolean(),
      haltReason: z.string().nullable(),
      preopen: z.string().nullable(),
      open: z.string().nullable(),
      close: z.string().nullable(),
      currentTime: z.string(),
      timezone: z.string(),
      nodes: z.array(z.string()),
    }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ marketId }, context) => marketState(marketId, context),
});

/** Of the named market, or else of the default one. Throws ToolError `not_found`. */
export function marketState(marketId: string | undefined, { snapshot, pubsub }: ToolContext) {
  const market = marketOf(snapshot, marketId, moduleMeant);
  const { id, name, code, status, halted, haltReason, preopen, open, close, timezone, nodes } = market;
  const currentTime = new Date(pubsub.marketTime()).toISOString();
  return { id, name, code, status, halted, haltReason, preopen, open, close, currentTime, timezone, nodes };
}

const levels = z.array(z.looseObject({ price: z.int(), volume: z.number(), orderCount: z.int() }));

const CROSSED =
  "The book is crossed: the parties of the best bid and the best ask may not trade with each other, because documents or " +
  "credit are missing, or because they are one entity. mkt_get_order of such an order says why.";

const getOrderBook = defineTool({
  name: "mkt_get_order_book",
  title: "Order book",
  description:
    `Gives the ${SHOWN_LEVELS} best price levels of each side of a contract's book: prices in cents/MWh, volumes in MW. Without an ` +
    "id: the first engine. Needs mkt_connect_pubsub.",
  input: z.strictObject({
    contractId: idField("From mkt_list_products with contracts").optional(),
    engineId: idField("Instead of contractId").optional(),
  }),
  output: () =>
    z.looseObject({
      engineId: z.string(),
      contractId: z.string(),
      productCode: z.string(),
      bids: levels,
      asks: levels,
      spread: z.number().nullable(),
      lastPrice: z.number().nullable(),
      totalWorkingOrders: z.int(),
      lastUpdate: z.string(),
      note: z.string().optional(),
    }),
  annotations: READ_ONLY,
  view: viewUri("order-book"),
  requires: { connection: "read" },
  handler: (input, { snapshot }) => orderBook(engineOf(snapshot, input, moduleMeant)),
});

/** The best levels of a book. */
export function orderBook(engine: ModuleData<"ENGINE">) {
  const { id: bookId, contractId, productCode, bids, asks, lastPrice, totalWorkingOrders, lastUpdate } = engine;
  const [bestBid, bestAsk] = [bids[0], asks[0]];
  const spread = bestBid === undefined || bestAsk === undefined ? null : bestAsk.price - bestBid.price;
  return {
    engineId: bookId,
    contractId,
    productCode,
    bids: bids.slice(0, SHOWN_LEVELS),
    asks: asks.slice(0, SHOWN_LEVELS),
    spread,
    lastPrice,
    totalWorkingOrders,
    lastUpdate,
    ...(spread !== null && spread <= 0 && { note: CROSSED }),
  };
}

export default [getMarketState, getOrderBook];
