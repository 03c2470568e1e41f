// A replay of journalled calls, against the calls alone: those of an engine without a journal, an audit trail or clients, which
// makes the same messages. Both sides run in this process, by turns, and their times are processor times of this thread.

import { Engine } from "../../engine/engine.ts";
import { EngineHost } from "../../engine/server/host/engine-host.ts";
import { aboveZero } from "../measurement.ts";
import { definition, fill, log, now, opened, requests } from "./market.ts";

const ROUNDS = 3;

/** Prints the best round of either side. `directory`: empty. */
export async function compareReplay(directory: string, calls: number): Promise<void> {
  const writing = await opened(directory);
  await fill(new EngineHost({ ...writing.recover(), now, log }), requests(calls, true));
  writing.store.close();
  await writing.audit.sync();
  await writing.audit.close();
  const best = { alone: Infinity, replay: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    const started = now();
    const engine = new Engine(definition, { epoch: started * 1000, now: started, engineId: "bench", secret: null });
    const alone = threadMs(() => {
      for (const request of requests(calls, true)) engine.execute(request, now());
    });
    best.alone = Math.min(best.alone, alone);
    const { store, audit, recover } = await opened(directory);
    best.replay = Math.min(best.replay, threadMs(() => void recover()));
    store.close();
    await audit.close();
  }
  const each = (ms: number) => `${(aboveZero("a side", ms) * 1000 / calls).toFixed(1)} µs`;
  const ratio = (best.replay / best.alone).toFixed(2);
  console.log(`${calls} calls: alone ${each(best.alone)} each, replayed ${each(best.replay)}: ${ratio} times`);
}

/** Milliseconds of processor time of this thread. */
function threadMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
