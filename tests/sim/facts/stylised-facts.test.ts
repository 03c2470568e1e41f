// The targets of docs/simulator.md, on seeds that no parameter was chosen on: 20 seeds of each preset in test:long. Every run
// measures one seed of one preset, over the hours that its figures need.

import { describe, expect, test } from "bun:test";
import { factsOf, type PresetFigure, presetFigures } from "../../../sim/facts/run-facts.ts";
import { figuresByPreset, MEASURED_SEEDS, runsOf } from "../../../scripts/facts/measured-facts.ts";
import measured from "../../../scripts/facts/measured-facts.json" with { type: "json" };
import { onSimulatedTapes } from "../../../scripts/facts/simulated-tapes.ts";
import { spotFacts } from "../../../scripts/facts/spot-facts.ts";
import { LONG } from "../../support/sizes.ts";

/** Calm markets trade less, so they need more hours; volatile ones have all of the facts in eight. */
const SHORT_RUN = { preset: "volatile", seed: MEASURED_SEEDS[0]!, hours: 8 };

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

const runs = await onSimulatedTapes(LONG ? runsOf(MEASURED_SEEDS) : [SHORT_RUN], factsOf, { jobs: 2 });
const byPreset = Map.groupBy(runs, ({ preset }) => preset);

describe.each([...byPreset])("%s", (_, ofPreset) => {
  const isTested = ({ figure: { id }, holds }: PresetFigure) =>
    holds !== null && (LONG || !NEED_MANY_SEEDS.includes(id));

  test.each(presetFigures(ofPreset).filter(isTested).map((each) => [each.figure.title, each] as const))(
    "%s",
    (_, { figure: { target }, value, holds }) => {
      expect({ target: target?.text, value, holds }).toEqual({ target: target?.text, value, holds: true });
    },
  );
});

test.each(spotFacts(MEASURED_SEEDS).map((each) => [each.title, each] as const))("%s", (_, { target, value }) => {
  expect({ target: target.text, value, holds: target.holds(value) }).toMatchObject({ holds: true });
});

test.if(LONG)("docs/simulator.md shows these figures", () => {
  const shown = runs.filter(({ seed }) => MEASURED_SEEDS.indexOf(seed) < measured.seeds);
  expect<unknown>(figuresByPreset(shown)).toEqual(measured.figures);
});
