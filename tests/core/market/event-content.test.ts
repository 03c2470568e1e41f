// Which histories are the same, and the counts of each category.

import { expect, test } from "bun:test";
import { countsOf, isSameHistory } from "../../../core/market/event-content.ts";
import { EVENT_CATEGORIES } from "../../../protocol/index.ts";

const ONE = { engineId: "e", epoch: 1, userId: "u", entityId: "n", capabilities: ["b", "a"] };

test.each([
  [{}, true],
  [{ capabilities: ["a", "b"] }, true],
  [{ engineId: "f" }, false],
  [{ epoch: 2 }, false],
  [{ userId: "v" }, false],
  [{ entityId: "m" }, false],
  [{ entityId: null }, false],
  [{ capabilities: ["a"] }, false],
  [{ capabilities: ["a", "b", "c"] }, false],
  [{ capabilities: ["a", "c"] }, false],
])("with %j it is the same: %p", (parts, expected) => {
  const other = { ...ONE, ...parts };
  expect([isSameHistory(ONE, other), isSameHistory(other, ONE)]).toEqual([expected, expected]);
  expect(ONE.capabilities).toEqual(["b", "a"]);
});

test("each category has its own count", () => {
  const counts = countsOf((category) => EVENT_CATEGORIES.indexOf(category));
  expect(Object.entries(counts)).toEqual(EVENT_CATEGORIES.map((category, at) => [category, at]));
});
