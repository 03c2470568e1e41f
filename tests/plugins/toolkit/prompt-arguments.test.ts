// The arguments of prompts as numbers and names, and modules as rows: what is taken, what is refused, and which columns.

import { describe, expect, test } from "bun:test";
import { moduleView, wholeModule } from "../../../plugins/toolkit/columns.ts";
import { nameArgument, numberArgument } from "../../../plugins/toolkit/prompt-arguments.ts";
import { nameSides, sideField, sideNameOf, withSideNames } from "../../../plugins/toolkit/sides.ts";
import { snapshotOf } from "../support/still-market.ts";

const RANGE = { least: -2, most: 10 };

test.each<[string, number | null, number | null]>([
  ["10", 10, 10],
  ["-2", -2, -2],
  ["+3", 3, 3],
  ["0.5", 0.5, null],
  [".5", 0.5, null],
  ["5.", 5, 5],
  ["3.0", 3, 3],
  ["10.01", null, null],
  ["-2.01", null, null],
  ["1e1", null, null],
  ["0x1", null, null],
  ["", null, null],
  ["1 ", null, null],
  ["Infinity", null, null],
])("the argument %p is the number %p, and the whole number %p", (text, number, whole) => {
  const read = (options: object) => {
    try {
      return numberArgument({ n: text }, "n", { ...RANGE, ...options });
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid_input", message: `n: ${JSON.stringify(text)} does not fit.` });
      return null;
    }
  };
  expect([read({}), read({ whole: true })]).toEqual([number, whole]);
});

test("an absent argument is none, and a refused one says what fits, with its first 100 characters", () => {
  expect([numberArgument({}, "n", RANGE), nameArgument({}, "n", ["a"])]).toEqual([undefined, undefined]);
  expect(() => numberArgument({ n: "x" }, "n", RANGE)).toThrow(
    expect.objectContaining({ hint: "Give a number from -2 to 10." }),
  );
  expect(() => numberArgument({ n: "x" }, "n", { ...RANGE, whole: true }))
    .toThrow(expect.objectContaining({ hint: "Give a whole number from -2 to 10." }));
  expect(nameArgument({ n: "CALM" }, "n", ["stress", "calm"])).toBe("calm");
  expect(() => nameArgument({ n: "clam" }, "n", ["stress", "calm"]))
    .toThrow(expect.objectContaining({ hint: "Did you mean calm? Give one of stress, calm." }));
  expect(() => nameArgument({ n: "y".repeat(1_000) }, "n", ["a"])).toThrow(
    /^n: "y{100}... \(900 more characters\)" does not fit\.$/,
  );
});

describe("sides", () => {
  test("are BUY for 0 and SELL for 1, and anything else stays", () => {
    expect([0, 1, 2, "BUY", null].map(sideNameOf)).toEqual(["BUY", "SELL", 2, "BUY", null]);
    expect([0, 1, "BUY", "SELL", 2, "buy"].map((side) => sideField.safeParse(side).data as unknown))
      .toEqual(["BUY", "SELL", "BUY", "SELL", undefined, undefined]);
  });

  test("are named in a copy, or in the caller's own object", () => {
    const data = { side: 1, aggressorSide: 0, other: 1 };
    expect(withSideNames(data)).toEqual({ side: "SELL", aggressorSide: "BUY", other: 1 });
    expect(data.side).toBe(1);
    expect(nameSides(data)).toBe(data as never);
    expect(data.side).toBe("SELL" as never);
    expect(withSideNames({ side: null })).toEqual({ side: null });
  });
});

describe("a module as a row", () => {
  const order = {
    id: "o",
    contractId: "c",
    entityId: "e",
    side: 1,
    price: 5,
    quantity: 3,
    filledQuantity: 1,
    status: "partial",
  };

  test("has the default columns, the chosen ones in their order, or all, always with its id", () => {
    const shown = (fields?: string[]) => moduleView("ORDER", fields, snapshotOf({}))({ ...order, closeReason: null });
    expect(Object.entries(shown())).toEqual([
      ["id", "o"],
      ["contractId", "c"],
      ["entityId", "e"],
      ["side", "SELL"],
      ["price", 5],
      ["quantity", 3],
      ["filledQuantity", 1],
      ["status", "partial"],
      ["closeReason", null],
    ]);
    expect(Object.entries(shown(["price", "side"]))).toEqual([["id", "o"], ["price", 5], ["side", "SELL"]]);
    expect(shown(["price", "all"])).toMatchObject({ ...order, side: "SELL" });
    expect(() => shown(["price", "prise"])).toThrow(
      expect.objectContaining({ code: "invalid_input", message: 'fields: "prise" is not a property of ORDER.' }),
    );
  });

  test("shows five users of an entity in a list and 200 alone, and counts the others", () => {
    const entity = (count: number) => ({ id: "e", userIds: Array.from({ length: count }, (_, at) => `u${at}`) });
    const view = moduleView("ENTITY", ["userIds"], snapshotOf({}));
    const all = moduleView("ENTITY", ["all"], snapshotOf({}));
    for (const [show, most] of [[view, 5], [all, 5], [wholeModule, 200]] as const) {
      expect(show(entity(most))).toEqual(entity(most) as never);
      expect(show(entity(most + 2))).toEqual({ ...entity(most), usersLeftOut: 2 } as never);
    }
  });
});
