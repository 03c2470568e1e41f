import { describe, expect, test } from "bun:test";
import { AUDIT_EVENTS } from "../../protocol/audit-events.ts";
import type { OrderAuditEvent } from "../../web/contract/tool-results.ts";
import { orderSteps, span } from "../../web/dashboard/pages/order/timeline.ts";

const START = Date.parse("2026-07-01T10:00:00.000Z");

/** Seconds after the start, event, details; oldest first. */
function steps(...events: readonly [number, string, OrderAuditEvent["details"]][]) {
  const trail = events.map(([second, event, details], index): OrderAuditEvent => ({
    id: String(index),
    time: new Date(START + second * 1_000).toISOString(),
    event,
    userId: "u",
    details,
  }));
  return orderSteps(trail.reverse());
}

const TERMS = { side: "BUY", price: 4673, quantity: 10 };

describe("the steps of an order", () => {
  test("are told from its beginning, with the time between them and what is filled", () => {
    const told = steps(
      [0, "orderQueued", { ...TERMS, timeInForce: "gtc" }],
      [5, "orderModified", { ...TERMS, price: 4700, previousPrice: 4673, previousQuantity: 10 }],
      [65, "orderFilled", { fillPrice: 4690, fillQuantity: 4, counterpartyId: "CEDAR" }],
      [65, "orderFilled", { fillPrice: 4695, fillQuantity: 6, counterpartyId: "HARBOR" }],
    );
    expect(told.map(({ title, text, filled, ordered, sinceMs }) => [title, text, filled, ordered, sinceMs])).toEqual([
      ["Accepted", "BUY 10 MW at 46.73 $/MWh, gtc", 0, 10, null],
      ["Changed", "46.73 $/MWh → 47.00 $/MWh", 0, 10, 5_000],
      ["Filled in part", "4 MW at 46.90 $/MWh", 4, 10, 60_000],
      ["Filled", "6 MW at 46.95 $/MWh", 10, 10, 0],
    ]);
    expect(told.map(({ userId, counterpartyId }) => userId ?? counterpartyId)).toEqual(["u", "u", "CEDAR", "HARBOR"]);
  });

  test("do not say what is filled in all if earlier events are missing, until the trail says it", () => {
    const time = new Date(START).toISOString();
    const fill = { id: "1", time, event: "orderFilled", userId: "u", details: { fillPrice: 1, fillQuantity: 4 } };
    const end = { id: "2", time, event: "orderCancelled", userId: "u", details: { ...TERMS, filledQuantity: 9 } };
    const told = orderSteps([end, fill], { isWhole: false });
    expect(told.map(({ title, filled }) => [title, filled])).toEqual([["A fill", null], ["Cancelled", 9]]);
  });

  test("believe the trail's own sum of fills", () => {
    const told = steps([0, "orderFilled", { quantity: 10, fillQuantity: 1, fillPrice: 1, filledQuantity: 7 }]);
    expect(told[0]).toMatchObject({ filled: 7, title: "Filled in part" });
  });

  test("end with the reason, and what was filled until then", () => {
    const told = steps(
      [0, "orderQueued", TERMS],
      [1, "orderFilled", { fillPrice: 1, fillQuantity: 2 }],
      [2, "orderCancelled", { ...TERMS, filledQuantity: 2, closeReason: "disconnected" }],
    );
    expect(told.at(-1)).toMatchObject({ text: "its user disconnected; 2 MW were filled", filled: 2 });
    expect(steps([0, "orderExpired", { filledQuantity: 0 }])[0]!.text).toBe("nothing was filled");
  });

  test("of a refused order say why, and show no fill", () => {
    const details = { ...TERMS, code: "price_range", message: "Price too high.", note: "At most 5,000." };
    expect(steps([0, "orderRejected", details])[0]).toMatchObject({
      title: "Refused",
      text: "BUY 10 MW at 46.73 $/MWh: Price too high. At most 5,000. (price_range)",
      filled: null,
    });
  });

  test.each([
    ["orderQueued", "Accepted", "info", "check"],
    ["orderModified", "Changed", "neutral", "sliders"],
    ["orderFilled", "Filled", "good", "bolt"],
    ["orderCancelled", "Cancelled", "warning", "close"],
    ["orderExpired", "Expired", "warning", "clock"],
    ["orderRejected", "Refused", "danger", "stop"],
    ["orderHeld", "Held", "warning", "pause"],
    ["orderReleased", "Released", "info", "play"],
    ["orderBlessed", "orderBlessed", "neutral", "info"],
  ])("after %s: %s, in the colour and with the picture of that", (event, title, tone, icon) => {
    expect(steps([0, event, {}])[0]).toMatchObject({ title, tone, icon });
  });

  test("have a title of their own for every event of an order; an unknown one has its name and details", () => {
    expect(steps([0, "orderBlessed", { by: "someone", deep: { a: 1 } }])[0])
      .toMatchObject({ title: "orderBlessed", text: "by: someone" });
    for (const event of AUDIT_EVENTS.filter((name) => name.startsWith("order"))) {
      expect(steps([0, event, {}])[0]!.title).not.toBe(event);
    }
  });
});

test("a span of time has its two largest units", () => {
  expect([0, 350, 1_000, 65_000, 3_600_000, 90_061_000].map(span))
    .toEqual(["0 ms", "350 ms", "1 s", "1 min 5 s", "1 h", "1 d 1 h"]);
});
