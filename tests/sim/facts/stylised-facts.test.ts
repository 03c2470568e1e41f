// The targets of docs/simulator.md, on seeds that no parameter was chosen on: 20 seeds of each preset in test:long, one seed
// in every run, over the hours that the figures of one seed need.

import { describe, expect, test } from "bun:test";
import { factsOf, type PresetFigure, presetFigures } from "../../../sim/facts/run-facts.ts";
import { figuresByPreset, MEASURED_PRESETS, MEASURED_SEEDS, runsOf } from "../../../scripts/facts/measured-facts.ts";
import measured from "../../../scripts/facts/measured-facts.json" with { type: "json" };
import { onSimulatedTapes } from "../../../scripts/facts/simulated-tapes.ts";
import { spotFacts } from "../../../scripts/facts/spot-facts.ts";
import { LONG, size } from "../../support/sizes.ts";

/** The hours of a short run that show what a day shows. */
const SHORT_HOURS: Readonly<Record<string, number>> = { calm: 8, volatile: 8, stress: 12 };
const SEEDS = MEASURED_SEEDS.slice(0, size(1, MEASURED_SEEDS.length));

/** Figures that scatter too much from seed to seed: one seed may miss a target that many seeds meet. */
const NEED_MANY_SEEDS: readonly string[] = [
  "returns.lag1",
  "returns.varianceRatio",
  "returns.size10",
  "returns.size30",
  "returns.sizeFalls",
  "signs.lag10",
  "signs.merged.lag10",
  "impact.fade",
  "prediction.absolute",
  "profit.makers",
  "profit.informed",
];

const requests = runsOf(SEEDS).map((run) => LONG ? run : { ...run, hours: SHORT_HOURS[run.preset] ?? run.hours });
const runs = await onSimulatedTapes(requests, factsOf, { jobs: 2 });
const byPreset = Map.groupBy(runs, ({ preset }) => preset);

describe.each(MEASURED_PRESETS)("%s", (preset) => {
  const figures = presetFigures(byPreset.get(preset) ?? []);
  const isTested = ({ figure: { id }, holds }: PresetFigure) =>
    holds !== null && (LONG || !NEED_MANY_SEEDS.includes(id));

  test.each(figures.filter(isTested).map((each) => [each.figure.title, each] as const))("%s", (_, each) => {
    const { figure: { target }, value, holds } = each;
    expect({ target: target?.text, value, holds }).toEqual({ target: target?.text, value, holds: true });
  });
});

test.each(spotFacts(MEASURED_SEEDS).map((each) => [each.title, each] as const))("%s", (_, { target, value }) => {
  expect({ target: target.text, value, holds: target.holds(value) }).toMatchObject({ holds: true });
});

test.if(LONG)("docs/simulator.md shows these figures", () => {
  const shown = runs.filter(({ seed }) => MEASURED_SEEDS.indexOf(seed) < measured.seeds);
  expect<unknown>(figuresByPreset(shown)).toEqual(measured.figures);
});
