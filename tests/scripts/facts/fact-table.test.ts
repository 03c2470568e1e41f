import { expect, test } from "bun:test";
import { contractTable, tableOf } from "../../../scripts/facts/fact-table.ts";
import { FIGURES, presetFigures, type RunFacts } from "../../../sim/facts/run-facts.ts";

const run = (seed: number, values: Readonly<Record<string, readonly number[]>>): RunFacts => ({
  preset: "calm",
  seed,
  samples: Object.entries(values).flatMap(([figure, all]) =>
    all.map((value, at) => ({ figure, contractId: `C${at}`, value }))
  ),
});

function figureOf(runs: readonly RunFacts[], id: string) {
  return presetFigures(runs).find(({ figure }) => figure.id === id)!;
}

test("the value of a preset is the median over contracts, then over seeds", () => {
  const runs = [run(1, { "returns.lag1": [0, 0.0625, 0.5] }), run(2, { "returns.lag1": [0.5, NaN, 0.5] })];
  expect(figureOf(runs, "returns.lag1")).toMatchObject({ value: 0.28125, seeds: [0.0625, 0.5], holds: false });
  expect(figureOf(runs.slice(0, 1), "returns.lag1")).toMatchObject({ value: 0.0625, holds: true });
});

test("the greatest of the seeds counts if the target is zero, and profits need both signs over the seeds", () => {
  const runs = [0, 0, 0.25].map((value, seed) => run(seed, { "books.crossed": [value] }));
  expect(figureOf(runs, "books.crossed")).toMatchObject({ value: 0.25, holds: false });
  const holds = (profits: readonly number[]) =>
    figureOf(profits.map((profit, seed) => run(seed, { "profit.makers": [profit] })), "profit.makers").holds;
  expect([[5, -3, 1], [5, 3, 1], [-5, -3]].map(holds)).toEqual([true, false, false]);
});

test("the falls of the autocorrelations of size are those of their medians", () => {
  const runs = [run(1, { "returns.size1": [0.2], "returns.size10": [0.1], "returns.size30": [0.11] })];
  const falls = figureOf(runs, "returns.sizeFalls");
  expect(falls.value).toBeCloseTo(-0.01, 9);
  expect(falls.holds).toBe(false);
});

test("a figure that no run shows misses its target", () => {
  expect(figureOf([run(1, {})], "returns.lag1")).toMatchObject({ value: NaN, holds: false });
});

test("the table has a row for each figure and a column for each preset", () => {
  const runs = [run(1, { "returns.lag1": [0.5] })];
  const lines = tableOf(new Map([["calm", presetFigures(runs)]])).split("\n");
  expect(lines.length).toBe(FIGURES.length + 2);
  expect(lines[2]).toMatch(/lag 1 +\| -\.1 to \.1 +\| 0\.5 FAIL +\|$/);
  expect(contractTable(runs[0]!)).toContain("| C0       | 0.5          |");
});

test("ids of figures are unique", () => {
  expect(new Set(FIGURES.map(({ id }) => id)).size).toBe(FIGURES.length);
});
