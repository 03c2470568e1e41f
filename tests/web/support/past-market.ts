// What a market was before NOON (market.ts), as the server tells it: an order of CEDAR came 40 minutes before, 1 MW of it was
// filled, and it was cancelled.

import type { Past, PastEvent, PastStart } from "../../../web/contract/past.ts";
import { Refusal, type Shown } from "./browser.ts";
import { NOON } from "./market.ts";

export const MINUTE = 60_000;
export const before = (minutes: number) => new Date(Date.parse(NOON) - minutes * MINUTE).toISOString();

export function event(id: number, minutes: number, name: string, orderId: string, details: object): PastEvent {
  const of = { moduleType: "ORDER", moduleId: orderId, orderId, userId: "anna", entityId: "CEDAR" };
  return { id: String(id), time: before(minutes), event: name, ...of, details: { contractId: "N-6", ...details } };
}

const BID = { side: "BUY", price: 4_550, quantity: 4, filledQuantity: 0, status: "working" };
const FILL = { ...BID, filledQuantity: 1, status: "partial", fillPrice: 4_550, fillQuantity: 1, counterpartyId: "ASH" };
/** Newest first: ORD-1 came 40 minutes ago, 1 MW of it was sold to 20 minutes ago, and it was cancelled 10 minutes ago. */
export const EVENTS = [
  event(3, 10, "orderCancelled", "ORD-1", { ...BID, filledQuantity: 1, status: "cancelled" }),
  event(2, 20, "orderFilled", "ORD-1", FILL),
  event(1, 40, "orderQueued", "ORD-1", BID),
];
export const START: PastStart = {
  orders: [{ id: "ORD-2", contractId: "N-6", entityId: "ASH", side: 1, price: 4_700, quantity: 2, isHeld: false }],
  lastPrices: { "N-6": 4_550 },
  statuses: { M: "open" },
  changes: [],
  isCut: false,
  oldest: before(90),
  to: before(9),
};
const TRADE = { id: "T1", contractId: "N-6", time: before(20), price: 4_550, quantity: 1, aggressorSide: 1 };
export const HISTORY = { contractId: "N-6", epoch: 7, sequence: 0, interval: 60, candles: [], known: 1 };
const spot = (minutes: number, price: number) => ({ time: before(minutes), price, regime: "base" });

export const whole = (events: readonly PastEvent[]): Past => ({ events, cursor: null, searchedTo: null });

/** By what is asked. */
export const PAST_ANSWERS = {
  "GET /dashboard/past/orders": START,
  "GET /dashboard/past": whole(EVENTS),
  "GET /dashboard/sparks": { epoch: 7, sequence: 0, prices: {} },
  "GET /dashboard/history/N-6": { ...HISTORY, trades: [TRADE], isComplete: true },
  "mkt_find_modules": { modules: [] },
  "mkt_get_entity": {
    positions: [{ contractId: "N-6", boughtQuantity: 3, soldQuantity: 1, netQuantity: 2 }],
    cursor: null,
  },
  "mkt_list_entities": { entities: [{ id: "ASH", name: "Ash Energy", userIds: [] }], cursor: null },
  "mkt_sim_get_spot_prices": {
    nodes: [{ node: "NORTH", ...spot(0, 5_000), history: [spot(60, 4_000), spot(30, 4_100)] }],
    events: [],
  },
};

/** Moves the slider. */
export const goBack = (page: Shown, minutes: number) => page.type("Go back", String(-minutes * MINUTE), "change");
export const refuse = () => {
  throw new Refusal(403, { code: "forbidden", message: "User eve lacks the permission Market.View." });
};
/** All but the head. */
export const rows = (page: Shown) => page.all("tr").slice(1).map((row) => page.readingOf(row));
