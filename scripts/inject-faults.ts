// Puts small faults into the source, one at a time, and reports those that no test finds.
//
//   bun scripts/inject-faults.ts --seed S --count N [--files GLOB ...] [--match "TEXT|TEXT"] [--workers W]
//     [--budget SECONDS] [--list]
//
// --match tries only the chosen faults whose names contain one of the texts; --list only prints them.
//
// The same seed and sources give the same faults. A change of one file does not change the faults chosen in other files. A
// fault is found if a test that covers its file fails or times out. A survivor named in docs/testing.md is explained. Exit 1
// if another fault survived.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { TestMap } from "./faults/covering-tests.ts";
import { type Fault, nameOf, withFault } from "./faults/fault.ts";
import { findFaults } from "./faults/fault-finder.ts";
import { type Baselines, Copy, type Outcome } from "./faults/trial.ts";

const ROOT = resolve(import.meta.dir, "..");
const FILES = ["{protocol,common,core,replicas,plugins,engine,arena,cli}/**/*.ts", "sim/{live,population}/**/*.ts"];

interface Settings {
  readonly seed: number;
  readonly budgetMs: number;
  readonly workers: number;
}

/** A random choice of faults, from as many files as possible. */
async function chosenFaults(globs: readonly string[], count: number, seed: number): Promise<Fault[]> {
  const paths = [...new Set(globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync(ROOT)]))].toSorted();
  const texts = new Map(await Promise.all(paths.map(async (path) => [path, await Bun.file(path).text()] as const)));
  // Each fault gets a random number by its name, so changes of other files don't change the choice.
  const countName = counter();
  const drawn = (await findFaults(ROOT, paths)).map((fault) => {
    const name = nameOf(fault);
    return { fault, draw: Number(Bun.hash.wyhash(`${name} ${countName(name)}`, BigInt(seed))) };
  });
  const countPath = counter();
  const ranked = drawn.toSorted((one, other) => one.draw - other.draw)
    .map(({ fault, draw }) => ({ fault, draw, round: Math.floor(countPath(fault.path) / 2) }));
  // Larger files have more faults and are chosen more often, but no file gets a third fault before each has its first.
  return ranked.toSorted((one, other) => one.round - other.round || one.draw - other.draw)
    .map(({ fault }) => fault)
    .filter((fault) => parses(withFault(texts.get(fault.path) ?? "", fault)))
    .slice(0, count);
}

/** Gives how often a key was counted before. */
function counter(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return before;
  };
}

const transpiler = new Bun.Transpiler({ loader: "ts" });

function parses(source: string): boolean {
  try {
    transpiler.transformSync(source);
    return true;
  } catch {
    return false;
  }
}

/** Tries every fault, each in one of several copies of the repository, and prints each outcome. */
async function tryFaults(faults: readonly Fault[], { budgetMs, workers }: Settings): Promise<Map<Fault, Outcome>> {
  const tests = await TestMap.of(ROOT);
  const baselines: Baselines = new Map();
  const outcomes = new Map<Fault, Outcome>();
  const queue = [...faults.entries()];
  const work = async () => {
    const copy = await Copy.of(ROOT, baselines);
    process.once("exit", () => copy.remove());
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [at, fault] = next;
        const started = performance.now();
        const outcome = await copy.try(fault, tests.covering(fault.path), { budgetMs });
        outcomes.set(fault, outcome);
        const seconds = Math.round((performance.now() - started) / 1000);
        console.log(`${at + 1}. ${lineOf(fault, outcome)} (${seconds} s)`);
      }
    } finally {
      copy.remove();
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return outcomes;
}

function lineOf(fault: Fault, outcome: Outcome): string {
  const where = `${fault.path}:${fault.line} ${nameOf(fault).slice(fault.path.length + 2)}`;
  return outcome.kind === "found"
    ? `found     ${where}  by ${outcome.test}: ${outcome.by}`
    : `SURVIVED  ${where}  (${outcome.testFiles} test files passed)`;
}

/** Prints the survivors in the order of the faults. Gives the number of those that docs/testing.md does not explain. */
async function reportSurvivors(
  faults: readonly Fault[],
  outcomes: ReadonlyMap<Fault, Outcome>,
  { seed }: Settings,
): Promise<number> {
  const explanations = await Bun.file("docs/testing.md").text();
  const survivors = faults.filter((fault) => outcomes.get(fault)?.kind === "survived");
  const explained = survivors.filter((fault) => explanations.includes(nameOf(fault)));
  const counts = `${faults.length} faults (seed ${seed}), ${faults.length - survivors.length} found`;
  console.log(`\n${counts}, ${survivors.length} survived, ${explained.length} of them explained in docs/testing.md`);
  for (const fault of survivors) {
    console.log(`- ${fault.path}:${fault.line}${explained.includes(fault) ? " (explained)" : ""} ${nameOf(fault)}`);
  }
  return survivors.length - explained.length;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      count: { type: "string", default: "100" },
      files: { type: "string", multiple: true, default: FILES },
      workers: { type: "string", default: "2" },
      budget: { type: "string", default: "40" },
      match: { type: "string", default: "" },
      list: { type: "boolean", default: false },
    },
  });
  process.chdir(ROOT);
  const settings = {
    seed: Number(values.seed),
    budgetMs: Number(values.budget) * 1000,
    workers: Number(values.workers),
  };
  const chosen = await chosenFaults(values.files, Number(values.count), settings.seed);
  const faults = chosen.filter((fault) => values.match.split("|").some((text) => nameOf(fault).includes(text)));
  if (values.list) {
    for (const [at, fault] of faults.entries()) console.log(`${at + 1}. ${fault.path}:${fault.line} ${nameOf(fault)}`);
    return 0;
  }
  return await reportSurvivors(faults, await tryFaults(faults, settings), settings) === 0 ? 0 : 1;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.exit(await main());
