// What is compared of a run, and which personas of a run's list belong to the groups that a grid varies.

import { expect, test } from "bun:test";
import type { Variant } from "../../../sim/experiment/grid.ts";
import { HOUR_PROFIT, measuresOf, PROFIT, variedGroups } from "../../../sim/comparison/run-measures.ts";
import { DELIVERY_HOURS } from "../../../sim/report/profit-digest.ts";

const PERSONAS = [{ count: 1 }, { count: 2 }, { count: 3 }];
const setting = (value: unknown, ...keys: (string | number)[]) => ({ keys, value });

test.each<[string, ReturnType<typeof setting>[], [string, number, number][]]>([
  ["nothing of personas", [setting(2, "hours")], []],
  ["the strategy of one group", [setting("zip", "personas", 1, "strategy")], [["personas[1]", 1, 3]]],
  [
    "two groups",
    [setting("zip", "personas", 0, "strategy"), setting(9, "personas", 2, "lossLimit")],
    [["personas[0]", 0, 1], ["personas[2]", 3, 6]],
  ],
  ["the number of a group", [setting(5, "personas", 1, "count")], [["personas[1]", 1, 6]]],
  [
    "the number of a group before another",
    [setting(4, "personas", 0, "count"), setting("zip", "personas", 2, "strategy")],
    [["personas[0]", 0, 4], ["personas[2]", 6, 9]],
  ],
  [
    "a whole group",
    [setting({ strategy: "zip", count: 7 }, "personas", 1), setting("zic", "personas", 2, "strategy")],
    [["personas[1]", 1, 8], ["personas[2]", 8, 11]],
  ],
  ["all personas", [setting([], "personas"), setting("zip", "personas", 1, "strategy")], []],
  ["the preset", [setting("calm", "preset"), setting("zip", "personas", 1, "strategy")], []],
])("a variant that changes %s", (_what, variant, expected) => {
  const groups = variedGroups(PERSONAS, variant as unknown as Variant);
  expect(groups.map(({ title, from, until }) => [title, from, until])).toEqual(expected as never);
});

test("each group and each strategy has its results: trading, physical, both, and the surplus, as far as there are any", () => {
  const persona = (strategy: string, tradingResult: number, physicalResult: number | null, surplus: number | null) => (
    { strategy, tradingResult, physicalResult, surplus }
  );
  const personas = [
    persona("zip", 1, null, 4),
    persona("generator", 10, 100, null),
    persona("zip", 20, null, 5),
    persona("zic", 300, -50, null),
  ];
  const groups = [{ title: "personas[1]", from: 1, until: 3 }];
  const profits = (hours: Parameters<typeof measuresOf>[2]) => {
    const measured = measuresOf({ personas, totals: {}, metrics: {}, marks: {}, settings: {} } as never, groups, hours);
    return measured.filter(([{ section }]) => section === PROFIT || section.startsWith(HOUR_PROFIT));
  };
  const told = profits(null).map(([{ title, unit, section }, amount]) => [section, title, unit, amount]);
  expect(told).toEqual([
    ["personas[1]: trading result", 30],
    ["personas[1]: physical result", 100],
    ["personas[1]: both results", 130],
    ["personas[1]: surplus", 5],
    ["zip: trading result", 21],
    ["zip: surplus", 9],
    ["generator: trading result", 10],
    ["generator: physical result", 100],
    ["generator: both results", 110],
    ["zic: trading result", 300],
    ["zic: physical result", -50],
    ["zic: both results", 250],
  ].map(([title, amount]) => [PROFIT, title, "$", amount] as never));
  const [first = ""] = DELIVERY_HOURS;
  const hours = new Map([[first, new Map([["zip", { realised: 3, unrealised: -5 }]])]]);
  const byHour = profits(hours as never).filter(([{ section }]) => section !== PROFIT);
  expect(byHour).toHaveLength(3 * DELIVERY_HOURS.length);
  expect(byHour.filter(([, amount]) => amount !== 0).map(([{ section, title }, amount]) => [section, title, amount]))
    .toEqual([[`${HOUR_PROFIT}: zip`, first, -2]]);
});
