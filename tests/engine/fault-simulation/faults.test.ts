import { describe, expect, test } from "bun:test";
import { LONG, size } from "../../support/sizes.ts";
import { listedSeeds, seedsOfTable, seedsThatFind } from "./fault-table.ts";
import { FAULTS } from "./faults.ts";
import { simulate } from "./simulation.ts";

/** An eighth of the faults in every run. */
const TRIED = FAULTS.filter((_, at) => at % size(8, 1) === 0);
const REWRITE = "rewrite the table: bun tests/engine/fault-simulation/fault-table.ts";

describe("the simulation finds, with the seeds that docs/fault-simulation.md lists, that", () => {
  for (const fault of TRIED) {
    test(`${fault.name[0]?.toLowerCase()}${fault.name.slice(1)}`, async () => {
      const listed = (await listedSeeds()).get(fault.name) ?? [];
      const [first] = listed;
      if (first === undefined) throw new Error(`no seed is listed: ${REWRITE}`);
      const found = await (LONG ? seedsOfTable(fault) : seedsThatFind(fault, [first]));
      expect(found, REWRITE).toEqual(LONG ? listed : [first]);
    });
  }

  test("finds no violation with the same seeds once a fault is repaired", async () => {
    const listed = await listedSeeds();
    const seeds = new Set(TRIED.map(({ name }) => listed.get(name)?.[0] ?? 1));
    for (const seed of seeds) expect((await simulate(seed)).violations).toEqual([]);
  });

  test("knows every fault that is listed", async () => {
    expect([...(await listedSeeds()).keys()]).toEqual(FAULTS.map(({ name }) => name));
  });
});
