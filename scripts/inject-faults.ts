// Puts small faults into the source, one at a time, and says which of them no test notices.
//
//   bun scripts/inject-faults.ts --seed S --count N [--files GLOB ...] [--match "TEXT|TEXT"] [--workers W]
//     [--budget SECONDS] [--list]
//
// --match tries only those of the chosen faults whose names hold one of the texts; --list only prints them.
//
// The same seed and sources give the same faults, and a change of one file leaves the choice in the others as it was. A fault is found if a test that covers its file fails or does not end.
// A survivor that docs/testing.md names is explained. Exit 1 if another one survived.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { TestMap } from "./faults/covering-tests.ts";
import { type Fault, nameOf, withFault } from "./faults/fault.ts";
import { findFaults } from "./faults/fault-finder.ts";
import { type Baselines, Copy, type Outcome } from "./faults/trial.ts";

const ROOT = resolve(import.meta.dir, "..");
const FILES = [
  "protocol/**/*.ts",
  "common/**/*.ts",
  "core/**/*.ts",
  "plugins/**/*.ts",
  "sim/live/*.ts",
  "sim/server/**/*.ts",
];

/** Which faults are tried: as many files as possible, chosen by chance. */
async function chosenFaults(globs: readonly string[], count: number, seed: number): Promise<Fault[]> {
  const paths = [...new Set(globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync(ROOT)]))].toSorted();
  // A fault has its lot by its name, so that a change of another file does not choose other faults.
  const named = new Map<string, number>();
  const drawn = (await findFaults(ROOT, paths)).map((fault) => {
    const name = nameOf(fault);
    const earlier = named.get(name) ?? 0;
    named.set(name, earlier + 1);
    return { fault, lot: Number(Bun.hash.wyhash(`${name} ${earlier}`, BigInt(seed))) };
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
  const ranked = drawn.toSorted((one, other) => one.lot - other.lot).map(({ fault, lot }) => {
    const earlier = taken.get(fault.path) ?? 0;
    taken.set(fault.path, earlier + 1);
    return { fault, lot, earlier };
  });
  // Larger files have more faults, and so come up more often, but each file has its first before any has its third.
  const rounds = ranked.toSorted((one, other) =>
    Math.floor(one.earlier / 2) - Math.floor(other.earlier / 2) || one.lot - other.lot
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
