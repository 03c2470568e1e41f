// How the facts of runs become the figures of a preset, and how a report marks them.

import { describe, expect, test } from "bun:test";
import { above, atLeast, below, between, type Figure, ZERO } from "../../../sim/facts/figure.ts";
import { FIGURES, type PresetFigure, presetFigures, type RunFacts, shown } from "../../../sim/facts/run-facts.ts";
import { factCounts, factTable, verdictOf } from "../../../sim/report/fact-section.ts";

const runOf = (seed: number, values: Readonly<Record<string, readonly number[]>>): RunFacts => ({
  preset: "calm",
  seed,
  samples: Object.entries(values).flatMap(([figure, all]) =>
    all.map((value, at) => ({ figure, contractId: `C${at}`, value }))
  ),
});

const figureBy = (isMeant: (figure: Figure) => boolean) => FIGURES.find(isMeant) ?? expect.unreachable();
const usual = figureBy(({ overSeeds, derived, target }) =>
  overSeeds === undefined && derived === undefined && target !== undefined
);
const greatest = figureBy(({ overSeeds, derived }) => overSeeds === "greatest" && derived === undefined);
const share = figureBy(({ overSeeds, derived }) => overSeeds === "positiveShare" && derived === undefined);

describe("the figure of a preset", () => {
  const valuesOf = (figure: Figure, runs: readonly (readonly number[])[]) =>
    presetFigures(runs.map((values, seed) => runOf(seed, { [figure.id]: values })))
      .find((each) => each.figure === figure)!;

  test("is the median over the contracts of each run, then over the seeds", () => {
    const runs = [[1, 9, 2], [30, NaN, 10], [], [4, 100, 5, 6]];
    expect(valuesOf(usual, runs)).toMatchObject({ seeds: [2, 20, NaN, 5.5], value: 5.5 });
  });

  test("is the greatest, or the share of seeds above 0, if that is asked", () => {
    expect(valuesOf(greatest, [[1], [7], [], [3]]).value).toBe(7);
    expect(valuesOf(share, [[1], [-7], [], [0], [3]]).value).toBe(2 / 4);
  });

  test("is unknown, and does not hold, if no run could show it", () => {
    expect(valuesOf(usual, [[], [NaN]])).toMatchObject({ value: NaN, holds: false });
    const without = figureBy(({ target }) => target === undefined);
    expect(valuesOf(without, [[1]]).holds).toBeNull();
  });
});

test("a figure is shown with three digits, or whole from 1,000 on", () => {
  expect([NaN, 0, 0.012345, -1.2345, 999.6, 1_000.4, -12_345.6].map(shown))
    .toEqual(["-", "0", "0.0123", "-1.23", "1000", "1,000", "-12,346"]);
});

test.each(
  [
    [between(-0.1, 0.1), "-.1 to .1", [[-0.11, false], [-0.1, true], [0, true], [0.1, true], [0.11, false]]],
    [above(2), "above 2", [[2, false], [2.1, true]]],
    [below(0.5), "below .5", [[0.5, false], [0.4, true]]],
    [atLeast(2), "at least 2", [[1.9, false], [2, true]]],
    [ZERO, "0", [[0, true], [1, false], [-1, false]]],
  ] as const,
)("a target holds within its ends %#", (target, text, cases) => {
  expect(target.text).toBe(text);
  expect(cases.map(([value]) => [value, target.holds(value)])).toEqual(cases.map((each) => [...each]));
});

describe("a report", () => {
  const range = between(10, 20);
  const fact = (value: number, figure: Partial<Figure> = {}): PresetFigure => {
    const whole = { ...FIGURES[0]!, target: range, ...figure } as Figure;
    const holds = whole.target === undefined ? null : !Number.isNaN(value) && whole.target.holds(value);
    return { figure: whole, value, seeds: [value], holds };
  };
  const { target: _, ...untargeted } = FIGURES[0]!;
  const without: PresetFigure = { ...fact(1), figure: untargeted, holds: null };

  test("marks a figure as within its range, outside, unknown, or one that a single run can't show", () => {
    expect([fact(15), fact(21), fact(NaN), without].map(verdictOf)).toEqual(["within", "outside", "unknown", "none"]);
    expect([fact(15, { overSeeds: "positiveShare" }), fact(NaN, { overSeeds: "positiveShare" })].map(verdictOf))
      .toEqual(["many", "many"]);
  });

  test("counts the figures that have a range", () => {
    const facts = [fact(15), fact(16), fact(9), fact(NaN), fact(15, { overSeeds: "positiveShare" }), without];
    expect(factCounts({ facts } as never)).toEqual({ within: 2, outside: 1, unknown: 2 });
  });

  test("has a row for each figure with the value of each run, a picture of its range, and a mark of what has none", () => {
    const run = (from: number) => ({ facts: FIGURES.map((figure, at) => ({ ...fact(from + at), figure })) });
    const rows = (...runs: readonly object[]) =>
      factTable(runs as never, ["a", "b"].slice(0, runs.length)).text.split("<tr>").slice(1);
    const [head, ...body] = rows(run(100), run(300));
    expect(head!.match(/<bdi>.*?<\/bdi>/g)).toEqual(["<bdi>a</bdi>", "<bdi>b</bdi>"]);
    expect(rows(run(100))[0]).toContain("<bdi>this run</bdi>");
    expect(body).toHaveLength(FIGURES.length);
    for (const [at, { overSeeds, target }] of FIGURES.entries()) {
      const isShown = overSeeds !== "positiveShare";
      const [, ...values] = [...body[at]!.matchAll(/<td class="number">(.*?)<\/td>/g)].map(([, value]) => value);
      expect(values).toEqual([100, 300].map((from) => isShown ? shown(from + at) : "–"));
      expect(body[at]!.includes('<th scope="row">– ')).toBe(target === undefined);
      expect(body[at]!.includes("<svg")).toBe(target?.least !== undefined || target?.most !== undefined);
    }
  });

  test("has a dot for each run, in the colour of its verdict and from the least to the greatest value", () => {
    const runs = [15, 30, 10].map((value) => ({
      facts: FIGURES.map((figure, at) => at === 0 ? fact(value) : { figure, value: NaN, seeds: [], holds: null }),
    }));
    const row = factTable(runs as never, ["a", "b", "c"]).text.split("<tr>")[2]!;
    const dots = [...row.matchAll(/<g class="p-(good|bad)"><circle cx="([\d.]+)"/g)].map(([, style, x]) => ({
      style,
      x: Number(x),
    }));
    expect(dots.map(({ style }) => style)).toEqual(["good", "bad", "good"]);
    const [middle, most, least] = dots.map(({ x }) => x);
    expect([least! < middle!, middle! < most!]).toEqual([true, true]);
    const [, from, width] = /<rect x="([\d.]+)"[^>]*width="([\d.]+)"/.exec(row)!;
    expect(least).toBeCloseTo(Number(from), 1);
    expect(middle).toBeCloseTo(Number(from) + Number(width) / 2, 0);
    expect(row.match(/✓ within|✗ outside/g)).toEqual(["✓ within", "✗ outside", "✓ within"]);
  });
});
