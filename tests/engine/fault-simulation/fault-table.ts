// The seeds that find each fault, as docs/fault-simulation.md lists them. `bun tests/engine/fault-simulation/fault-table.ts`
// writes the table, and faults.test.ts checks it.

import { aligned } from "../../../bench/table.ts";
import { withSection } from "../../../scripts/document-section.ts";
import { type Fault, FAULTS, withFault } from "./faults.ts";
import { simulate } from "./simulation.ts";

/** The seeds 1 to 20. */
const TABLE_SEEDS: readonly number[] = Array.from({ length: 20 }, (_, at) => at + 1);
const LAST_SEED = 200;
const DOCUMENT = new URL("../../../docs/fault-simulation.md", import.meta.url).pathname;

/** Those of the seeds that find a fault. */
export async function seedsThatFind(fault: Fault, seeds: readonly number[]): Promise<number[]> {
  return await withFault(fault, async () => {
    const found: number[] = [];
    for (const seed of seeds) {
      const { violations } = await simulate(seed, { journal: fault.journal });
      if (violations.length > 0) found.push(seed);
    }
    return found;
  });
}

/** What the table lists: the seeds of 1 to 20 that find a fault, or else the first later one. Throws if there is none. */
export async function seedsOfTable(fault: Fault): Promise<number[]> {
  const found = await seedsThatFind(fault, TABLE_SEEDS);
  for (let seed = TABLE_SEEDS.length + 1; found.length === 0; seed++) {
    if (seed > LAST_SEED) throw new Error(`no seed up to ${LAST_SEED} finds: ${fault.name}`);
    found.push(...await seedsThatFind(fault, [seed]));
  }
  return found;
}

/** The seeds that docs/fault-simulation.md lists, by the fault's name. */
export async function listedSeeds(): Promise<Map<string, number[]>> {
  const [table = ""] = /<!-- faults: [^]*<!-- \/faults -->/.exec(await Bun.file(DOCUMENT).text()) ?? [];
  const rows = [...table.matchAll(/^\| (.+?) +\| ([\d, ]+?) +\|$/gm)];
  return new Map(rows.map(([, name = "", seeds = ""]) => [name, seeds.split(", ").map(Number)]));
}

async function writeTable(): Promise<void> {
  const rows: string[][] = [];
  for (const fault of FAULTS) rows.push([fault.name, (await seedsOfTable(fault)).join(", ")]);
  const document = await Bun.file(DOCUMENT).text();
  const table = aligned([
    "the engine's fault",
    `seeds of 1 to ${TABLE_SEEDS.length} that find it, or the first later one`,
  ], rows);
  await Bun.write(DOCUMENT, withSection(document, "faults", table));
}

if (import.meta.main) await writeTable();
