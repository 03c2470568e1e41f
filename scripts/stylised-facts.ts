// Measures the stylised facts of simulated markets and prints them with their targets: the table of docs/simulator.md.
//
//   bun scripts/stylised-facts.ts --preset calm --preset stress --seeds 201..220 --hours 24 --jobs 2
//   bun scripts/stylised-facts.ts --experiment FILE --seeds 1..5
//   bun scripts/stylised-facts.ts --tapes DIR DIR
//   bun scripts/stylised-facts.ts --spot --seeds 201..220
//
// --mkt EXECUTABLE runs a compiled mkt instead of the source; --keep DIRECTORY keeps the tapes; --by-contract shows each
// contract of each run; --json prints one object. The exit status is 1 if a figure misses its target.

import { parseArgs } from "node:util";
import { factsOf, type PresetFigure, presetFigures, type RunFacts, type RunTape } from "../sim/facts/run-facts.ts";
import { contractTable, tableOf } from "./facts/fact-table.ts";
import { spotFacts, spotTable } from "./facts/spot-facts.ts";
import { onSimulatedTapes, recordedRun } from "./facts/simulated-tapes.ts";
import { seedsOf } from "./seed-range.ts";

const { values, positionals } = parseArgs({
  options: {
    preset: { type: "string", multiple: true, default: ["calm", "volatile", "stress"] },
    seeds: { type: "string", default: "1..5" },
    hours: { type: "string", default: "24" },
    jobs: { type: "string", default: "1" },
    experiment: { type: "string" },
    mkt: { type: "string" },
    keep: { type: "string" },
    tapes: { type: "boolean", default: false },
    spot: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    "by-contract": { type: "boolean", default: false },
  },
  allowPositionals: true,
});

async function runs(): Promise<RunFacts[]> {
  const measured = (run: RunTape) => {
    console.error(`${run.preset}, seed ${run.seed}`);
    return factsOf(run);
  };
  if (values.tapes) {
    const facts: RunFacts[] = [];
    for (const directory of positionals) facts.push(measured(recordedRun(directory)));
    return facts;
  }
  const { experiment, mkt, keep } = values;
  const presets = experiment === undefined ? values.preset : [experiment];
  const requests = presets.flatMap((preset) =>
    seedsOf(values.seeds).map((seed) => ({ preset, seed, hours: Number(values.hours), experiment }))
  );
  return await onSimulatedTapes(requests, measured, { mkt, keep, jobs: Number(values.jobs) });
}

function asJson(presets: ReadonlyMap<string, readonly PresetFigure[]>): string {
  const objects = [...presets].map(([preset, figures]) => [
    preset,
    figures.map(({ figure: { id, title, target }, value, seeds, holds }) => ({
      id,
      title,
      target: target?.text ?? null,
      value: Number.isNaN(value) ? null : value,
      seeds,
      holds,
    })),
  ]);
  return JSON.stringify(Object.fromEntries(objects), null, 2);
}

if (values.spot) {
  const facts = spotFacts(seedsOf(values.seeds));
  console.log(spotTable(facts));
  process.exit(facts.every(({ target, value }) => target.holds(value)) ? 0 : 1);
}
const all = await runs();
const presets = new Map(
  [...Map.groupBy(all, ({ preset }) => preset)].map(([name, each]) => [name, presetFigures(each)]),
);
if (values["by-contract"]) {
  for (const run of all) console.log(`${run.preset}, seed ${run.seed}\n\n${contractTable(run)}\n`);
}
console.log(values.json ? asJson(presets) : tableOf(presets));
process.exit([...presets.values()].flat().some(({ holds }) => holds === false) ? 1 : 0);
