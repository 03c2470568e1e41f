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
const FILES = ["{protocol,common,core,plugins}/**/*.ts", "sim/{live,server}/**/*.ts"];

/** A random choice of faults, from as many files as possible. */
async function chosenFaults(globs: readonly string[], count: number, seed: number): Promise<Fault[]> {
  const paths = [...new Set(globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync(ROOT)]))].toSorted();
  // Each fault gets a random number by its name, so changes of other files don't change the choice.
  const named = new Map<string, number>();
  const drawn = (await findFaults(ROOT, paths)).map((fault) => {
    const name = nameOf(fault);
    const earlier = named.get(name) ?? 0;
    named.set(name, earlier + 1);
    return { fault, draw: Number(Bun.hash.wyhash(`${name} ${earlier}`, BigInt(seed))) };
  });
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const texts = new Map(await Promise.all(paths.map(async (path) => [path, await Bun.file(path).text()] as const)));
  const parses = (fault: Fault) => {
    try {
      transpiler.transformSync(withFault(texts.get(fault.path) ?? "", fault));
      return true;
    } catch {
      return false;
    }
  };
  const taken = new Map<string, number>();
  const ranked = drawn.toSorted((one, other) => one.draw - other.draw).map(({ fault, draw }) => {
    const earlier = taken.get(fault.path) ?? 0;
    taken.set(fault.path, earlier + 1);
    return { fault, draw, earlier };
  });
  // Larger files have more faults and are chosen more often, but no file gets a third fault before each has its first.
  const rounds = ranked.toSorted((one, other) =>
    Math.floor(one.earlier / 2) - Math.floor(other.earlier / 2) || one.draw - other.draw
  );
  return rounds.map(({ fault }) => fault).filter(parses).slice(0, count);
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
  const chosen = await chosenFaults(values.files, Number(values.count), Number(values.seed));
  const faults = chosen.filter((fault) => values.match.split("|").some((text) => nameOf(fault).includes(text)));
  if (values.list) {
    for (const [at, fault] of faults.entries()) console.log(`${at + 1}. ${fault.path}:${fault.line} ${nameOf(fault)}`);
    return 0;
  }
  const tests = await TestMap.of(ROOT);
  const explanations = await Bun.file("docs/testing.md").text().catch(() => "");
  const isExplained = (fault: Fault) => explanations.includes(nameOf(fault));
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
        const outcome = await copy.try(fault, tests.covering(fault.path), { budgetMs: Number(values.budget) * 1000 });
        outcomes.set(fault, outcome);
        const seconds = Math.round((performance.now() - started) / 1000);
        console.log(`${at + 1}. ${told(fault, outcome)} (${seconds} s)`);
      }
    } finally {
      copy.remove();
    }
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, work));

  const survivors = faults.filter((fault) => outcomes.get(fault)?.kind === "survived");
  const unexplained = survivors.filter((fault) => !isExplained(fault));
  console.log(
    `\n${faults.length} faults (seed ${values.seed}), ${
      faults.length - survivors.length
    } found, ${survivors.length} survived, ${
      survivors.length - unexplained.length
    } of them explained in docs/testing.md`,
  );
  for (const fault of survivors) {
    console.log(`- ${fault.path}:${fault.line}${isExplained(fault) ? " (explained)" : ""} ${nameOf(fault)}`);
  }
  return unexplained.length === 0 ? 0 : 1;
}

function told(fault: Fault, outcome: Outcome): string {
  const where = `${fault.path}:${fault.line} ${nameOf(fault).slice(fault.path.length + 2)}`;
  return outcome.kind === "found"
    ? `found     ${where}  by ${outcome.test}: ${outcome.by}`
    : `SURVIVED  ${where}  (${outcome.testFiles} test files passed)`;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.exit(await main());
