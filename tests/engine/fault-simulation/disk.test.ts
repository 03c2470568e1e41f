// The simulated disk follows the contract of a journal store: it cuts off a torn end and reports a lost end as damage.

import { expect, test } from "bun:test";
import { JournalDamage } from "../../../engine/journal/journal.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";
import { SimulatedDisk, SimulatedJournal } from "./disk.ts";

function diskWith(records: number): SimulatedDisk {
  const disk = new SimulatedDisk(new SeededRandom(1));
  const journal = new SimulatedJournal(disk, () => {});
  journal.create({ engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() });
  for (let number = 1; number <= records; number++) {
    journal.append([{ number, text: `record ${number}` }]);
    journal.sync();
  }
  return disk;
}

const load = (disk: SimulatedDisk) => new SimulatedJournal(disk, () => {}).load();

test("cuts off a torn record that was not synced, and reports it", () => {
  const disk = diskWith(3);
  disk.records.push({ number: 4, text: "reco", torn: true });
  expect(load(disk)).toMatchObject({ lastNumber: 3, tornWrite: { after: 3 } });
});

test("reports a synced record that is torn or missing as damage", () => {
  const torn = diskWith(3);
  torn.records[2] = { number: 3, text: "reco", torn: true };
  expect(() => load(torn)).toThrow(JournalDamage);
  const gone = diskWith(3);
  gone.records.pop();
  expect(() => load(gone)).toThrow("ends at record 2, but record 3 was committed");
});
