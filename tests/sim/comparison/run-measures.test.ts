// Which personas of a run's list belong to the groups that a grid varies.

import { expect, test } from "bun:test";
import type { Variant } from "../../../sim/experiment/grid.ts";
import { variedGroups } from "../../../sim/comparison/run-measures.ts";

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
