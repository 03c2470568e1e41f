// Whether money lies on the street of the simulated market: ten simple strategies trade in each run, each for a company of its
// own, and the table shows what they earned over the seeds.
//
//   bun scripts/simple-strategies.ts --preset calm --preset thin --seeds 401..440 --hours 12 --jobs 2
//
// --json prints one object with the rows and each run. The exit status is 1 if a strategy other than the maker lies more than
// three standard errors above zero, or the maker above what its spread can pay.

import { parseArgs } from "node:util";
import { SIMULATION_PRESETS, type SimulationPreset } from "../protocol/index.ts";
import { seedsOf } from "./seed-range.ts";
import { profitRows, profitTable } from "./simple-strategies/profit-table.ts";
import { type RunResult, simulatedRun } from "./simple-strategies/simulated-run.ts";

interface Part {
  readonly preset: SimulationPreset;
  readonly seeds: readonly number[];
}

const { values } = parseArgs({
  options: {
    preset: { type: "string", multiple: true, default: [...SIMULATION_PRESETS] },
    seeds: { type: "string", default: "401..440" },
    hours: { type: "string", default: "12" },
    jobs: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});

function presetsOf(names: readonly string[]): SimulationPreset[] {
  return names.map((name) => {
    const preset = SIMULATION_PRESETS.find((each) => each === name);
    if (preset === undefined) throw new Error(`--preset: one of ${SIMULATION_PRESETS.join(", ")}, not ${name}`);
    return preset;
  });
}

async function inThisProcess({ preset, seeds }: Part): Promise<RunResult[]> {
  const runs: RunResult[] = [];
  for (const seed of seeds) {
    const begin = performance.now();
    runs.push(await simulatedRun(preset, seed, Number(values.hours)));
    console.error(`${preset}, seed ${seed}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  }
  return runs;
}

async function inProcessOfItsOwn({ preset, seeds }: Part): Promise<RunResult[]> {
  const child = Bun.spawn([
    ...[process.execPath, import.meta.path, "--json", "--preset", preset, "--hours", values.hours],
    ...["--seeds", `${seeds[0]}..${seeds.at(-1)}`],
  ], { stdout: "pipe", stderr: "inherit" });
  const [status, text] = await Promise.all([child.exited, new Response(child.stdout).text()]);
  // It also exits with 1 if a strategy earns too much, with its runs on stdout.
  if (text === "") throw new Error(`${preset}, seeds ${seeds.join(", ")}: exit status ${status}`);
  return JSON.parse(text).runs;
}

/** Each process takes some seeds of one preset. */
function partsOf(presets: readonly SimulationPreset[], seeds: readonly number[], jobs: number): Part[] {
  const size = Math.ceil(seeds.length / jobs);
  return presets.flatMap((preset) =>
    Array.from({ length: Math.ceil(seeds.length / size) }, (_, part) => ({
      preset,
      seeds: seeds.slice(part * size, (part + 1) * size),
    }))
  );
}

const jobs = Number(values.jobs);
const parts = partsOf(presetsOf(values.preset), seedsOf(values.seeds), jobs);
const runsOfParts: RunResult[][] = [];
let next = 0;
await Promise.all(Array.from({ length: jobs }, async () => {
  for (let at = next++; at < parts.length; at = next++) {
    runsOfParts[at] = await (jobs === 1 ? inThisProcess : inProcessOfItsOwn)(parts[at]!);
  }
}));
const runs = runsOfParts.flat();
const rows = profitRows(runs);
console.log(values.json ? JSON.stringify({ rows, runs }, null, 2) : profitTable(rows));
process.exit(rows.every(({ holds }) => holds) ? 0 : 1);
