// The text of a result with kept lists, beside the text of an equal result in which nothing is kept.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { resultJson, structuredAnswer } from "../../../core/dispatch/result.ts";
import { textOfKeptLists } from "../../../core/dispatch/kept-list.ts";
import { keptView } from "../../../core/tools/kept-view.ts";

const view = keptView((source: Readonly<Record<string, unknown>>) => ({ ...source }));

function expectSame(value: Record<string, unknown>, copy: Record<string, unknown>): void {
  const [answer, plain] = [structuredAnswer(value), structuredAnswer(copy)];
  expect(answer.text).toBe(plain.text);
  expect(answer.value).toEqual(plain.value);
  expect(answer.text).toBe(JSON.stringify(answer.value));
  expect(resultJson(answer)).toBe(resultJson(plain));
}

/** Mostly what needs no closer look, so lists are joined. */
const rarely = <Value>(usual: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>) =>
  fc.oneof({ arbitrary: usual, weight: 30 }, { arbitrary: rare, weight: 1 });
const text = rarely(
  fc.constantFrom("o-1", "plain text", "", "limit"),
  fc.constantFrom("Zürich", 'a "name"', "back\\slash", "\u202e", "\n", "\ud800", "x".repeat(2001), "__proto__"),
);
const name = rarely(fc.constantFrom("id", "count", "orders", "note", "10"), text);
const member = rarely<unknown>(
  fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constantFrom(null, undefined)),
  fc.oneof(
    fc.dictionary(name, text, { maxKeys: 2 }),
    fc.constantFrom<unknown>(new Date(0), { toJSON: () => "its own" }, [], [[]], [{}], () => 1, Symbol("x")),
  ),
);
const item = fc.dictionary(name, fc.oneof(text, fc.integer()), { maxKeys: 3 });
const list = fc.tuple(
  fc.array(item, { maxLength: 4 }),
  fc.constantFrom<"all" | "some" | "none">("all", "all", "some", "none"),
);

test("the text is the same, whatever is in the lists and around them", () => {
  const around = fc.dictionary(name, member, { maxKeys: 3 });
  let joined = 0;
  fc.assert(
    fc.property(around, fc.dictionary(name, list, { maxKeys: 2 }), around, (before, lists, after) => {
      const shown = Object.entries(lists).map(([name, [items, kept]]) => {
        const isKept = (at: number) => kept === "all" || (kept === "some" && at % 2 === 0);
        return [name, items.map((each, at) => isKept(at) ? view(each) : each)] as const;
      });
      const plain = Object.entries(lists).map(([name, [items]]) => [name, items] as const);
      const value = { ...before, ...Object.fromEntries(shown), ...after };
      if (textOfKeptLists(value) !== null) joined += 1;
      expectSame(value, { ...before, ...Object.fromEntries(plain), ...after });
    }),
    { numRuns: 3000 },
  );
  expect(joined).toBeGreaterThan(100);
});

test("the texts of a list are joined, also in a result of many lists", () => {
  const items = [view({ id: "o-1", quantity: 5 }), view({ id: "o-2", quantity: null })];
  const value = { count: 2, orders: items, none: undefined, again: items, filters: { status: "working" } };
  expect(textOfKeptLists(value)?.text).toBe(JSON.stringify(value));
  expectSame(value, structuredClone(value));
});

test.each<[string, Record<string, unknown>]>([
  ["no list", { count: 0 }],
  ["an empty list", { orders: [] }],
  ["a list of texts", { orders: ["o-1"] }],
  ["an item that is not kept", { orders: [view({ id: "o-1" }), { id: "o-2" }] }],
  ["a missing item", { orders: [view({ id: "o-1" }), , view({ id: "o-2" })] }],
  ["text around the list that is made safe", { orders: [view({ id: "o-1" })], note: "\u202e" }],
  ["a name that is quoted", { orders: [view({ id: "o-1" })], 'a "name"': 1 }],
  ["a value with a JSON form of its own", { orders: [view({ id: "o-1" })], toJSON: () => ({}) }],
  ["a nested list", { page: { orders: [view({ id: "o-1" })] } }],
])("%s: the whole value is serialised", (_name, value) => {
  expect(textOfKeptLists(value)).toBeNull();
});
