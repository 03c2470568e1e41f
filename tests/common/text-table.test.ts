import { expect, test } from "bun:test";
import { textTable } from "../../common/text-table.ts";
import { steadyNow } from "../../common/steady-now.ts";

test("a table has columns as wide as their widest cell, the first one from the left and the others from the right", () => {
  const rows = [["name", "MW", "$"], ["a", 5, 12_345], ["longer", 1.25, ""]];
  expect(textTable(rows).split("\n")).toEqual(["name      MW      $", "a          5  12345", "longer  1.25"]);
  expect(textTable(rows, 2).split("\n")).toEqual(["name    MW        $", "a       5     12345", "longer  1.25"]);
  expect([textTable([]), textTable([["a"]])]).toEqual(["", "a"]);
});

test("the steady clock is the time of the process's start and what has passed since", () => {
  const before = performance.timeOrigin + performance.now();
  expect(steadyNow()).toBeWithin(before, performance.timeOrigin + performance.now() + 1);
});
