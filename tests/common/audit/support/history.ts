// A long history: events evenly spread over the 90 days before NOW, mostly of orders, with some halts.

import type { AuditEvent } from "../../../../protocol/index.ts";
import { DAY_MS, EventMaker, NOW } from "./events.ts";

export const HISTORY_DAYS = 90;
const LIFE = ["orderQueued", "orderModified", "orderFilled", "orderCancelled"] as const;
/** One event in this many is a halt, with a unique reason. */
export const HALT_EVERY = 100;

/** In batches, oldest first. The last events are at NOW. */
export function* history(count: number, batch = 1000): Generator<AuditEvent[], void, undefined> {
  const maker = new EventMaker();
  const start = Date.parse(new Date(NOW - (HISTORY_DAYS - 1) * DAY_MS).toISOString().slice(0, 10));
  for (let from = 0; from < count; from += batch) {
    yield maker.many(Math.min(batch, count - from), (index) => eventAt(from + index, start, count));
  }
}

/** The events of an order are consecutive. */
export function orderOf(index: number): string {
  return `ORD-${Math.floor(index / LIFE.length)}`;
}

function eventAt(index: number, start: number, count: number): Partial<AuditEvent> {
  const time = new Date(start + Math.floor((index + 1) * (NOW - start) / count)).toISOString();
  if (index % HALT_EVERY === HALT_EVERY - 1) {
    const details = { marketId: "PLAINS", status: "halted", reason: `feed ${index} is stale` };
    return { time, event: "marketHalted", moduleType: "MARKET", moduleId: "PLAINS", orderId: null, details };
  }
  const orderId = orderOf(index);
  const terms = { contractId: "west-peak-2026-q3", side: index % 2, price: 4000 + index % 1000, quantity: 25 };
  const details = { ...terms, filledQuantity: 0, status: "working", clientOrderId: `client-${index}` };
  return { time, event: LIFE[index % LIFE.length] ?? LIFE[0], moduleId: orderId, orderId, details };
}
