// How long a checkpoint of a large market holds up matching. Measured is the processor time of the engine's thread in one
// turn of the event loop, so that neither a busy machine nor the checkpoint's own thread counts.

import { expect, test } from "bun:test";
import { stateFilesIn } from "../../support/checkpoints.ts";
import { size } from "../../../support/sizes.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { run, type RunningHost, turn } from "./running-engine.ts";

const ORDERS = size(5_000, 1_000_000);
const LONGEST_MS = 20;
/** Records that a checkpoint replaces. */
const RECORDS = size(4_000, 10_000);
const AT_ONCE = 500;
/** The collection of garbage and other work on the machine only make a round slower, so the best round counts. */
const ROUNDS = 3;

test(`a checkpoint of ${ORDERS} open orders holds up matching for at most ${LONGEST_MS} ms at a time`, async () => {
  const directory = temporaryDirectory();
  const filling = await run(directory, Infinity);
  for (let filled = 0; filled < ORDERS; filled = filling.buy(AT_ONCE)) await turn();
  await filling.stop();

  const engine = await run(directory, RECORDS, undefined, ORDERS);
  let best = Infinity;
  for (let round = 0; round < ROUNDS && best >= LONGEST_MS; round++) {
    const turns = await turnsOfCheckpoint(engine, directory);
    expect(turns.length).toBeGreaterThan(RECORDS / 2000);
    best = Math.min(best, Math.max(...turns));
  }
  expect(best).toBeLessThan(LONGEST_MS);

  const orders = engine.orders();
  await engine.abandon();
  const again = await run(directory, Infinity);
  expect(again.orders()).toEqual(orders);
  await again.abandon();
});

/** Milliseconds of each turn from the call that makes a checkpoint due until everything that it replaces is deleted. */
async function turnsOfCheckpoint(engine: RunningHost, directory: string): Promise<number[]> {
  const [before] = stateFilesIn(directory);
  for (let sent = AT_ONCE; sent < RECORDS; sent += AT_ONCE) {
    engine.buy(AT_ONCE);
    await turn();
  }
  Bun.gc(true);
  engine.buy(AT_ONCE);
  const turns: number[] = [];
  // The old file is deleted last.
  while (stateFilesIn(directory).includes(before ?? "")) {
    engine.buy(1);
    const started = process.threadCpuUsage();
    await turn();
    const { user, system } = process.threadCpuUsage(started);
    turns.push((user + system) / 1000);
  }
  return turns;
}
