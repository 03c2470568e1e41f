// How long a backup holds up matching: as for a checkpoint (pauses.ts), the longest turn of the event loop while a backup is
// taken and read, beside as many turns without one.

import { Backups } from "../../engine/server/backups/backups.ts";
import { EngineCounters } from "../../engine/server/metrics/engine-counters.ts";
import { grouped } from "../table.ts";
import { threadClock } from "../thread-clock.ts";
import { log, turn } from "./market.ts";
import { filled, type Longest, longestTurn, pausesTable, running } from "./pauses.ts";

const ROUNDS = 3;
/** Calls after the checkpoint. */
const LATER_CALLS = 20_000;
const TURNS_BEFORE = 5_000;
const COMMITTED_TOGETHER = 64;

/** Prints the pauses of backups of `orders` open orders, and what they cost. `directory`: empty. */
export async function measureBackups(directory: string, orders: number): Promise<void> {
  await filled(directory, orders);
  const engine = await running(directory, orders, Infinity);
  for (let made = 0; made < LATER_CALLS; made += COMMITTED_TOGETHER) {
    engine.call(COMMITTED_TOGETHER);
    await turn();
  }
  const { host, backupSource: source } = engine;
  const backups = new Backups({ host, source, engineId: "bench", log, counters: new EngineCounters() });
  const clock = threadClock();
  const rounds: { readonly without: Longest; readonly beside: Longest; readonly takenMs: number }[] = [];
  let [bytes, ownMs] = [0, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    let left = TURNS_BEFORE;
    const without = await longestTurn(engine, () => left-- > 0);
    const started = performance.now();
    let isTaken = false;
    const taking = take(backups).then((taken) => {
      bytes = taken;
      isTaken = true;
    });
    const beside = await longestTurn(engine, () => !isTaken);
    await taking;
    rounds.push({ without, beside, takenMs: performance.now() - started });
    const before = clock();
    await take(backups);
    ownMs = Math.min(ownMs, (clock() - before) / 1e6);
  }
  await engine.close();
  console.log(pausesTable([
    ["without a backup", rounds.map(({ without }) => without)],
    ["beside a backup", rounds.map(({ beside }) => beside)],
  ]));
  const takenMs = Math.round(Math.min(...rounds.map((round) => round.takenMs)));
  console.log(
    `${grouped(orders)} open orders: a backup of ${(bytes / 1e6).toFixed(1)} MB beside calls takes ${takenMs} ms, ` +
      `${ownMs.toFixed(0)} ms of them of the engine's own thread`,
  );
}

/** Returns the size of a backup, in bytes. */
async function take(backups: Backups): Promise<number> {
  const begun = backups.begin("operator");
  if (begun.kind !== "begun") throw new Error(`no backup: ${begun.kind}`);
  let bytes = 0;
  for await (const chunk of begun.stream) bytes += chunk.length;
  return bytes;
}
