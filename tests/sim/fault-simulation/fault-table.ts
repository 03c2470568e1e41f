// The seeds that find each fault, as docs/fault-simulation.md lists them. `bun tests/sim/fault-simulation/fault-table.ts` writes
// the table, and faults.test.ts checks it.

import { aligned } from "../../../bench/table.ts";
import { withSection } from "../../../scripts/document-section.ts";
import { type Fault, FAULTS, withFault } from "./faults.ts";
import { simulate } from "./simulation.ts";

export const TABLE_SEEDS = 20;
const DOCUMENT = new URL("../../../docs/fault-simulation.md", import.meta.url).pathname;

/** The seeds from 1 to `last` that find a fault; with `first`, only the first of them. */
export async function seedsThatFind(fault: Fault, last: number, first = false): Promise<number[]> {
  return await withFault(fault, async () => {
    const seeds: number[] = [];
    for (let seed = 1; seed <= last && !(first && seeds.length > 0); seed++) {
      const { violations } = await simulate(seed, { journal: fault.journal });
      if (violations.length > 0) seeds.push(seed);
    }
    return seeds;
  });
}

/** The seeds that docs/fault-simulation.md lists, by the fault's name. */
export async function listedSeeds(): Promise<Map<string, number[]>> {
  const [table = ""] = /<!-- faults: [^]*<!-- \/faults -->/.exec(await Bun.file(DOCUMENT).text()) ?? [];
  const rows = [...table.matchAll(/^\| (.+?) +\| ([\d, ]+?) +\|$/gm)];
  return new Map(rows.map(([, name = "", seeds = ""]) => [name, seeds.split(", ").map(Number)]));
}

async function writeTable(): Promise<void> {
  const rows: string[][] = [];
  for (const fault of FAULTS) rows.push([fault.name, (await seedsThatFind(fault, TABLE_SEEDS)).join(", ")]);
  const document = await Bun.file(DOCUMENT).text();
  const table = aligned(["the engine's fault", `seeds of 1 to ${TABLE_SEEDS} that find it`], rows);
  await Bun.write(DOCUMENT, withSection(document, "faults", table));
}

if (import.meta.main) await writeTable();
