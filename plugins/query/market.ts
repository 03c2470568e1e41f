// The state of a market and the book of a contract, from the snapshot.

import { z } from "zod";
import { MARKET_STATUSES } from "../../protocol/modules/registry.ts";
import { idField } from "../../core/tools/fields.ts";
import { engineOf, marketOf } from "../toolkit/lookup.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";

/** Price levels a side of mkt_get_order_book (specification, Limits). */
const BOOK_DEPTH = 5;

const sessionTime = (description: string) =>
  z.iso.datetime().nullable().describe(`${description} of the current or next session; null where it trades always`);

const getMarketState = defineTool({
  name: "mkt_get_market_state",
  title: "Market state",
  description:
    "Gives a market's status (preopen, open, closed, halted), session times and current time. Orders match " +
    "only while it is open. Needs mkt_connect_pubsub.",
  input: z.strictObject({
    marketId: idField("Market id; the default market where absent").optional(),
  }),
  output: z.looseObject({
    id: z.string().describe("Market id"),
    name: z.string().describe("Name of the market"),
    code: z.string().describe("Short code"),
    status: z.enum(MARKET_STATUSES).describe("Session status; halted overrides the schedule"),
    halted: z.boolean().describe("Whether an operator has halted it"),
    haltReason: z.string().nullable().describe("Reason given with the halt"),
    preopen: sessionTime("Start of preopen"),
    open: sessionTime("Start of trading"),
    close: sessionTime("End of trading"),
    currentTime: z.iso.datetime().describe("Market time now"),
    timezone: z.string().describe("IANA time zone of the session schedule"),
    nodes: z.array(z.string()).describe("Price nodes at which its contracts deliver"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ marketId }, { snapshot, pubsub }) => {
    const market = marketOf(snapshot, marketId);
    return {
      id: market.id,
      name: market.name,
      code: market.code,
      status: market.status,
      halted: market.halted,
      haltReason: market.haltReason,
      preopen: market.preopen,
      open: market.open,
      close: market.close,
      currentTime: new Date(pubsub.engineTime()).toISOString(),
      timezone: market.timezone,
      nodes: market.nodes,
    };
  },
});

const levels = (side: string) =>
  z.array(z.looseObject({
    price: z.int().describe("cents/MWh"),
    volume: z.number().describe("Open quantity at this price, MW"),
    orderCount: z.int().describe("Orders at this price"),
  })).describe(`Best ${BOOK_DEPTH} ${side} levels, best first`);

const getOrderBook = defineTool({
  name: "mkt_get_order_book",
  title: "Order book",
  description: `Gives the top ${BOOK_DEPTH} price levels a side of one contract: price in cents/MWh, volume in MW. ` +
    "Name it by contractId or engineId; without either it is the first engine. Needs mkt_connect_pubsub. " +
    "mkt_find_modules with moduleType CONTRACT lists the contracts.",
  input: z.strictObject({
    contractId: idField("Contract whose book to read").optional(),
    engineId: idField("Engine whose book to read, instead of contractId").optional(),
  }),
  output: z.looseObject({
    engineId: z.string().describe("Engine that matches the contract"),
    contractId: z.string().describe("Contract of the book"),
    productCode: z.string().describe("Code of the contract's product"),
    bids: levels("bid"),
    asks: levels("ask"),
    spread: z.number().nullable().describe(
      "Best ask - best bid, cents/MWh; null with an empty side, negative between parties that may not trade",
    ),
    lastPrice: z.number().nullable().describe("Price of the last trade, cents/MWh"),
    totalWorkingOrders: z.int().describe("Open orders in the book, at every price"),
    lastUpdate: z.iso.datetime().describe("When the book last changed"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: (input, { snapshot }) => {
    const engine = engineOf(snapshot, input);
    const bestBid = engine.bids[0];
    const bestAsk = engine.asks[0];
    return {
      engineId: engine.id,
      contractId: engine.contractId,
      productCode: engine.productCode,
      bids: engine.bids.slice(0, BOOK_DEPTH),
      asks: engine.asks.slice(0, BOOK_DEPTH),
      spread: bestBid === undefined || bestAsk === undefined ? null : bestAsk.price - bestBid.price,
      lastPrice: engine.lastPrice,
      totalWorkingOrders: engine.totalWorkingOrders,
      lastUpdate: engine.lastUpdate,
    };
  },
});

export default [getMarketState, getOrderBook];
