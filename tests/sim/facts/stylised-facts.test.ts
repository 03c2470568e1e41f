// The targets of docs/simulator.md, on seeds that no parameter was chosen on: 20 seeds of each preset in test:long. Every run
// measures one seed of one preset, over the hours that its figures need.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { factsOf, type PresetFigure, presetFigures, type RunTape } from "../../../sim/facts/run-facts.ts";
import { TapeCollector } from "../../../sim/facts/tape-collector.ts";
import { simulate } from "../../../sim/headless/simulate.ts";
import { Tape } from "../../../sim/tape/tape.ts";
import { figuresByPreset, MEASURED_SEEDS, runsOf } from "../../../scripts/facts/measured-facts.ts";
import measured from "../../../scripts/facts/measured-facts.json" with { type: "json" };
import { onSimulatedTapes } from "../../../scripts/facts/simulated-tapes.ts";
import { LONG } from "../../support/sizes.ts";

/** Calm markets trade less, so they need more hours. Volatile ones have these facts in four: longer ones are test:long's. */
const SHORT_RUN = { preset: "volatile", seed: MEASURED_SEEDS[0]!, hours: 4 } as const;

function shortRun(): RunTape {
  const { preset, seed, hours } = SHORT_RUN;
  const definition = builtInMarket();
  const rows = new TapeCollector(Infinity);
  const experiment = { ...presetExperiment(preset), seed, hours };
  const { startedAt, endedAt } = simulate({ definition, experiment, observer: new Tape(rows) });
  return { preset, seed, tape: rows.tape(definition, Date.parse(startedAt), Date.parse(endedAt)) };
}

/**
 * Figures that scatter too much from seed to seed, in which the first minute of a run weighs too much in a short one, or which
 * compare the hours of a day: a short run of one seed may miss a target that long ones of many seeds meet.
 */
const NEED_LONG_RUNS: readonly string[] = [
  "activity.halfHour",
  "activity.hours",
  "returns.lag1",
  "returns.varianceRatio",
  "returns.size10",
  "returns.size30",
  "returns.sizeFalls",
  "orders.busiest",
  "orders.gate",
  "orders.messages",
  "orders.spread",
  "signs.lag10",
  "signs.merged.lag1",
  "signs.merged.lag10",
  "impact.fade",
  "prediction.absolute",
  "profit.makers",
  "profit.informed",
];

const runs = LONG ? await onSimulatedTapes(runsOf(MEASURED_SEEDS), factsOf, { jobs: 2 }) : [factsOf(shortRun())];
const byPreset = Map.groupBy(runs, ({ preset }) => preset);

describe.each([...byPreset])("%s", (_, ofPreset) => {
  const isTested = ({ figure: { id }, holds }: PresetFigure) =>
    holds !== null && (LONG || !NEED_LONG_RUNS.includes(id));

  test.each(presetFigures(ofPreset).filter(isTested).map((each) => [each.figure.title, each] as const))(
    "%s",
    (_, { figure: { target }, value, holds }) => {
      expect({ target: target?.text, value, holds }).toEqual({ target: target?.text, value, holds: true });
    },
  );
});

// docs/simulator.md has the facts about spot prices, with every value in bold that misses its target.
test("the spot prices have their facts, as docs/simulator.md says", async () => {
  const document = await Bun.file(new URL("../../../docs/simulator.md", import.meta.url).pathname).text();
  const rows = document.slice(document.search(/^\| spot prices /m)).split("\n\n")[0]!.split("\n");
  expect(rows.length).toBeGreaterThan(7);
  expect(rows.filter((row) => row.includes("**"))).toEqual([]);
});

test.if(LONG)("docs/simulator.md shows these figures", () => {
  const shown = runs.filter(({ seed }) => MEASURED_SEEDS.indexOf(seed) < measured.seeds);
  expect<unknown>(figuresByPreset(shown)).toEqual(measured.figures);
});
