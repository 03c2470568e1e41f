import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { safeJson } from "../../common/safe-json.ts";
import { MAX_SHOWN_LENGTH, safeValue } from "../../common/safe-text.ts";
import { MAX_DEPTH } from "../../protocol/limits.ts";

/** The text by the rule itself: make the value safe, then serialise it. */
function expectSafe(value: object): void {
  const safe = safeValue(value);
  expect(safeJson(value)).toEqual({ value: safe, text: JSON.stringify(safe) });
}

function nested(depth: number, innermost: unknown, wrap: (value: unknown) => unknown): object {
  let value = innermost;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value as object;
}

test("is the text of the safe value, whatever the value holds", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(
      "plain",
      'a "quoted" text',
      "back\\slash",
      "Zürich 5 °C",
      "\u202e",
      "\x7f",
      "\ud800",
      "\n",
      "{[",
      "]}",
    ),
    fc.integer({ min: MAX_SHOWN_LENGTH - 2, max: MAX_SHOWN_LENGTH + 2 }).map((length) => "x".repeat(length)),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constantFrom(null, undefined)),
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(text, tie("value"), { maxKeys: 5 }),
    ),
  }));
  fc.assert(fc.property(fc.dictionary(text, value, { maxKeys: 5 }), expectSafe), { numRuns: 2000 });
});

test("is the same for long lists, which are serialised in parts", () => {
  const item = fc.oneof(
    { arbitrary: fc.constant({ id: "o-1", levels: [{ price: 1 }] }), weight: 20 },
    fc.constantFrom<unknown>(
      null,
      undefined,
      () => 1,
      Symbol("x"),
      "text",
      7,
      [],
      {},
      [[]],
      { a: undefined },
      "\u202e",
    ),
    fc.integer({ min: MAX_DEPTH - 6, max: MAX_DEPTH + 1 }).map((depth) => nested(depth, 1, (value) => [value])),
    fc.constant({ toJSON: () => ["own"] }),
    fc.integer({ min: MAX_SHOWN_LENGTH - 1, max: MAX_SHOWN_LENGTH + 1 }).map((length) => "x".repeat(length)),
  );
  const list = fc.array(item, { maxLength: 80, size: "max" });
  const parts = fc.record({ count: fc.nat(), 'odd "name"': list, events: list, note: item }, { requiredKeys: [] });
  fc.assert(fc.property(parts, expectSafe), { numRuns: 500 });
  expectSafe(Array.from({ length: 100 }, () => ({ a: 1 })));
  expectSafe({ toJSON: () => ({ own: true }), list: Array.from({ length: 100 }, () => 1) });
});

test("a safe value is returned itself", () => {
  const values = [{ a: ["plain", 1, null] }, { name: "Zürich" }, { text: 'say "x"' }];
  for (const value of values) expect(safeJson(value).value).toBe(value);
});

describe("a text of the longest length is kept, and a longer one is cut", () => {
  test.each([0, 1, 500, 998, 999, 1000, 1001, 1500, 1999, 2000])("after a text of %i characters", (before) => {
    for (const length of [MAX_SHOWN_LENGTH, MAX_SHOWN_LENGTH + 1]) {
      const text = "y".repeat(length);
      for (const value of [{ a: "x".repeat(before), b: text }, { a: "x".repeat(before), [text]: 1 }, [text]]) {
        expectSafe(value);
        expect(safeJson(value).text.includes("more characters")).toBe(length > MAX_SHOWN_LENGTH);
      }
    }
  });

  test("also among numbers, which have no quotes", () => {
    const numbers = Array.from({ length: 3000 }, () => 7);
    expectSafe({ numbers, text: "x".repeat(MAX_SHOWN_LENGTH) });
    expectSafe({ numbers, text: "x".repeat(MAX_SHOWN_LENGTH + 1) });
  });
});

describe("a value of the greatest depth is kept, and what is deeper is cut", () => {
  test.each<[string, (value: unknown) => unknown]>([
    ["lists", (value) => [value]],
    ["objects", (value) => ({ a: value })],
    ["lists and objects with others beside them", (value) => [{}, { b: [], a: value }, []]],
  ])("in %s", (_name, wrap) => {
    for (let depth = MAX_DEPTH / 2 - 2; depth <= MAX_DEPTH + 2; depth++) expectSafe(nested(depth, 1, wrap));
    expect(safeJson(nested(MAX_DEPTH + 1, 1, wrap)).text).toContain("nested too deep");
  });

  test("and brackets in texts count for nothing", () => {
    expectSafe({ text: "[{".repeat(100) });
    expectSafe(nested(MAX_DEPTH + 1, "]}".repeat(100), (value) => ["]}", value]));
  });
});

test("a value that contains itself, and one of 100,000 levels, are cut", () => {
  const itself: Record<string, unknown> = {};
  itself["again"] = itself;
  expectSafe(itself);
  expectSafe(nested(100_000, 1, (value) => [value]));
});

test("a value that JSON can't hold throws as JSON.stringify does", () => {
  expect(() => safeJson({ count: 1n })).toThrow(TypeError);
});
