import { expect, test } from "bun:test";
import fc from "fast-check";
import { nearestName } from "../../common/nearest-name.ts";
import { AUDIT_EVENTS } from "../../protocol/index.ts";

test.each([
  ["orderQueud", "orderQueued"],
  ["orderCanceled", "orderCancelled"],
  ["ORDERFILLED", "orderFilled"],
  ["order_filled", "orderFilled"],
  ["marektHalted", "marketHalted"],
  ["cancelled", "orderCancelled"],
  ["halt", "marketHalted"],
  ["theOrderExpired", "orderExpired"],
])("%s means %s", (given, name) => {
  expect(nearestName(given, AUDIT_EVENTS)).toBe(name);
});

test.each(["", "x", "or", "potato", "𝕏".repeat(100)])("%p means no event", (given) => {
  expect(nearestName(given, AUDIT_EVENTS)).toBeNull();
});

test("a name means itself, also with two neighbouring letters swapped", () => {
  fc.assert(fc.property(fc.constantFrom(...AUDIT_EVENTS), fc.nat(), (name, at) => {
    expect(nearestName(name, AUDIT_EVENTS)).toBe(name);
    const letters = [...name];
    const first = at % (letters.length - 1);
    [letters[first], letters[first + 1]] = [letters[first + 1] ?? "", letters[first] ?? ""];
    expect(nearestName(letters.join(""), AUDIT_EVENTS)).toBe(name);
  }));
});

test("of equally near names the first is taken; without names there is none", () => {
  expect(nearestName("bat", ["cat", "rat"])).toBe("cat");
  expect(nearestName("bat", [])).toBeNull();
});
