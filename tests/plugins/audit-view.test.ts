// How an audit event is shown, by its name.

import { describe, expect, test } from "bun:test";
import { AUDIT_EVENTS, type AuditEvent } from "../../protocol/index.ts";
import { shownEvent, shownInHistory } from "../../plugins/query/audit-view.ts";

/** Ids as long as in the built-in market after a busy day. */
function eventOf(event: string, more: Record<string, unknown> = {}): AuditEvent {
  return {
    id: "1795331003642000-000000123456",
    time: "2026-11-22T07:06:23.571Z",
    event,
    moduleType: "ORDER",
    moduleId: "ORD-112904",
    userId: "sim-lakeshore",
    entityId: "LAKESHORE",
    orderId: "ORD-112904",
    details: {
      contractId: "NORTH-DA-HOUR-2026-11-22-H15",
      side: 1,
      price: 10_692,
      quantity: 110,
      filledQuantity: 31,
      status: "partial",
      ...more,
    },
  };
}

const FILL = {
  fillId: "FIL-112325",
  tradeId: "TRD-112163",
  fillPrice: 10_471,
  fillQuantity: 110,
  counterpartyId: "RIVERBEND",
};
const QUEUED = eventOf("orderQueued", { clientOrderId: "sim-cec6a732.1-retailer-7-18", timeInForce: "gtc" });
const FILLED = eventOf("orderFilled", FILL);
const TERMS = { side: "SELL", price: 10_692, quantity: 110 };

describe("details of an order's event", () => {
  const shown: [AuditEvent, Record<string, unknown>][] = [
    [QUEUED, TERMS],
    [FILLED, { side: "SELL", fillPrice: 10_471, fillQuantity: 110, counterpartyId: "RIVERBEND" }],
    [
      eventOf("orderModified", { previousPrice: 10_700, previousQuantity: 120 }),
      { ...TERMS, previousPrice: 10_700, previousQuantity: 120 },
    ],
    [
      eventOf("orderModified", { previousPrice: 10_692, previousQuantity: 120 }),
      { side: "SELL", quantity: 110, previousQuantity: 120 },
    ],
    [
      eventOf("orderCancelled", { closeReason: "flushed" }),
      { ...TERMS, filledQuantity: 31, closeReason: "flushed" },
    ],
    [eventOf("orderExpired", { closeReason: "expired" }), { ...TERMS, filledQuantity: 31 }],
    [eventOf("orderHeld"), TERMS],
    [eventOf("orderReleased"), TERMS],
    [
      eventOf("orderFrozenByAnotherEngine", { ice: 1 }),
      { ...eventOf("").details, side: "SELL", ice: 1 },
    ],
  ];

  test.each(shown)("%p", (event, details) => {
    expect(shownEvent(event, {}).details).toEqual(details);
    const { side: _side, contractId: _contractId, ...inHistory } = details;
    expect(shownInHistory(event, {}).details).toEqual(inHistory);
    expect(shownEvent(event, { detail: "full" })).toEqual({ ...event, details: { ...event.details, side: "SELL" } });
  });
});

test("an event that concerns no order keeps all details", () => {
  for (const event of AUDIT_EVENTS) {
    const details = { reason: "a test", status: "halted" };
    const market = { ...eventOf(event), moduleType: "MARKET", moduleId: "power", orderId: null, details };
    expect(shownEvent(market, {})).toMatchObject({ moduleType: "MARKET", moduleId: "power", details });
  }
});

const REPRICED = eventOf("orderModified", { previousPrice: 10_700, previousQuantity: 110 });

test.each([["orders", QUEUED], ["fills", FILLED], ["changes", REPRICED]])(
  "50 %s with long ids have less than 12,000 bytes",
  (_what, event) => {
    const page = { count: 50, hasMore: true, cursor: event.id, range: { from: "2026-11-16", to: "2026-11-22" } };
    for (const shown of [shownEvent(event, {}), shownInHistory(event, {})]) {
      expect(Buffer.byteLength(JSON.stringify({ ...page, events: Array(50).fill(shown) }))).toBeLessThan(12_000);
    }
  },
);
