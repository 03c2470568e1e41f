// The category of each event, and which module it carries, so that no state message follows.

import { expect, test } from "bun:test";
import { carriedModule, categoryOf, EVENT_CATEGORIES, EVENTS, replacesState } from "../../protocol/events.ts";

const CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  order: [
    ...["new.order", "change.order", "cancel.order", "expire.order", "hold.order", "release.order", "reject.order"],
    "some.order",
  ],
  fill: ["new.fill", "new.trade"],
  pricing: ["change.book", "change.spot", "change.price"],
  market: [
    ...["halt.market", "resume.market", "change.market", "new.contract", "change.contract", "remove.contract"],
    "begin.session",
  ],
  credit: ["change.credit", "remove.credit", "change.documentation"],
  system: ["change.clock", "change.user", "lost.connection", "some.system"],
  other: ["", "order.new", "odd", "new.", "change.toString", "change.__proto__", "change.constructor", "new.Order"],
};

test("the noun after the last dot gives the category", () => {
  expect(Object.keys(CATEGORIES)).toEqual([...EVENT_CATEGORIES]);
  for (const [category, types] of Object.entries(CATEGORIES)) {
    for (const type of types) expect([type, categoryOf(type)]).toEqual([type, category as never]);
  }
  expect([categoryOf("order"), categoryOf("a.b.fill"), categoryOf("order.fill")]).toEqual(["order", "fill", "fill"]);
  const all = Object.values(CATEGORIES).flat();
  expect(Object.keys(EVENTS).filter((type) => !all.includes(type))).toEqual([]);
});

const CARRIED: Readonly<Record<string, string>> = {
  "new.order": "ORDER",
  "change.order": "ORDER",
  "cancel.order": "ORDER",
  "expire.order": "ORDER",
  "hold.order": "ORDER",
  "release.order": "ORDER",
  "new.fill": "FILL",
  "new.trade": "TRADE",
  "new.contract": "CONTRACT",
  "change.contract": "CONTRACT",
};

test.each([...Object.keys(EVENTS), "toString", "__proto__", "some.order", ""])(
  "%p carries its module, or none",
  (type) => {
    const module = Object.hasOwn(CARRIED, type) ? CARRIED[type] : undefined;
    expect(carriedModule(type)).toBe(module as never);
    expect(replacesState(type)).toBe(module !== undefined || type === "change.book");
  },
);
