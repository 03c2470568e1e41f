// Market state and order book, from the snapshot.

import { z } from "zod";
import { MARKET_STATUSES } from "../../protocol/modules/registry.ts";
import { idField } from "../../core/tools/fields.ts";
import { engineOf, marketOf } from "../toolkit/lookup.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";

/** Price levels on each side of mkt_get_order_book (specification, Limits). */
const BOOK_DEPTH = 5;

const sessionTime = (description: string) =>
  z.iso.datetime().nullable().describe(
    `${description} of the current or next session; null if the market has no sessions`,
  );

const getMarketState = defineTool({
  name: "mkt_get_market_state",
  title: "Market state",
  description:
    "Gives a market's status (preopen, open, closed, halted), session times and current time. Orders match " +
    "only in an open market. Needs mkt_connect_pubsub.",
  input: z.strictObject({
    marketId: idField("Market id; the default market if absent").optional(),
  }),
  output: z.looseObject({
    id: z.string().describe("Market id"),
    name: z.string().describe("Name of the market"),
    code: z.string().describe("Short code"),
    status: z.enum(MARKET_STATUSES).describe("Session status; halted overrides the schedule"),
    halted: z.boolean().describe("Whether an operator has halted the market"),
    haltReason: z.string().nullable().describe("Reason given with the halt"),
    preopen: sessionTime("Start of preopen"),
    open: sessionTime("Start of trading"),
    close: sessionTime("End of trading"),
    currentTime: z.iso.datetime().describe("Current market time"),
    timezone: z.string().describe("IANA time zone of the session schedule"),
    nodes: z.array(z.string()).describe("Delivery nodes of its contracts"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ marketId }, { snapshot, pubsub }) => {
    const market = marketOf(snapshot, marketId);
    const { id, name, code, status, halted, haltReason, preopen, open, close, timezone, nodes } = market;
    const currentTime = new Date(pubsub.engineTime()).toISOString();
    return { id, name, code, status, halted, haltReason, preopen, open, close, currentTime, timezone, nodes };
  },
});

const levels = (side: string) =>
  z.array(z.looseObject({
    price: z.int().describe("cents/MWh"),
    volume: z.number().describe("Total open quantity at this price, MW"),
    orderCount: z.int().describe("Number of orders at this price"),
  })).describe(`Best ${BOOK_DEPTH} ${side} levels, best first`);

const getOrderBook = defineTool({
  name: "mkt_get_order_book",
  title: "Order book",
  description:
    `Gives the top ${BOOK_DEPTH} price levels on each side of one contract's book: price in cents/MWh, volume in MW. ` +
    "Name the book by contractId or engineId; without either it is that of the first engine. Needs mkt_connect_pubsub. " +
    "mkt_find_modules with moduleType CONTRACT lists the contracts.",
  input: z.strictObject({
    contractId: idField("Contract of the book").optional(),
    engineId: idField("Engine of the book, instead of contractId").optional(),
  }),
  output: z.looseObject({
    engineId: z.string().describe("Engine that matches the contract"),
    contractId: z.string().describe("Contract of the book"),
    productCode: z.string().describe("Code of the contract's product"),
    bids: levels("bid"),
    asks: levels("ask"),
    spread: z.number().nullable().describe(
      "Best ask - best bid, cents/MWh; null if a side is empty; negative if the two orders may not trade",
    ),
    lastPrice: z.number().nullable().describe("Price of the last trade, cents/MWh; null before the first"),
    totalWorkingOrders: z.int().describe("Number of open orders in the book, at all prices"),
    lastUpdate: z.iso.datetime().describe("Time of the last change of the book"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: (input, { snapshot }) => {
    const { id: engineId, contractId, productCode, bids, asks, lastPrice, totalWorkingOrders, lastUpdate } = engineOf(
      snapshot,
      input,
    );
    const [bestBid, bestAsk] = [bids[0], asks[0]];
    return {
      engineId,
      contractId,
      productCode,
      bids: bids.slice(0, BOOK_DEPTH),
      asks: asks.slice(0, BOOK_DEPTH),
      spread: bestBid === undefined || bestAsk === undefined ? null : bestAsk.price - bestBid.price,
      lastPrice,
      totalWorkingOrders,
      lastUpdate,
    };
  },
});

export default [getMarketState, getOrderBook];
