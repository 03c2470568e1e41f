// How long a checkpoint holds up matching. A call comes in every turn of the event loop and is committed, so a turn is the time
// between two answers. Beside the turns of a checkpoint stand as many without one, just before it.
//
// A turn lasts while the thread works or collects garbage, waits for the disk, or waits for a core that other work has. Linux
// counts the last, and the table shows the longest turn without it. Other work on the machine, also on its disk, only makes
// turns longer, so the least of ROUNDS counts.

import { stateFilesIn } from "../../tests/engine/support/checkpoints.ts";
import { WorkerCheckpointMaker } from "../../engine/server/checkpoints/worker-checkpoint-maker.ts";
import { EngineHost } from "../../engine/server/host/engine-host.ts";
import { aligned, grouped } from "../table.ts";
import { threadClock, waitsForCore } from "../thread-clock.ts";
import { call, fill, log, now, opened, type Request, requests, turn } from "./market.ts";

const ROUNDS = 3;
/** Records that a checkpoint replaces. */
const RECORDS = 20_000;
const TURNS_BEFORE = 5_000;
const COMMITTED_TOGETHER = 64;

/** Milliseconds of the longest turn. */
export interface Longest {
  readonly turns: number;
  readonly processor: number;
  readonly wall: number;
  /** Without the time in which the thread could run but had no core. */
  readonly wallOnCore: number;
}

type Running = Awaited<ReturnType<typeof running>>;

const clock = threadClock();
const waited = waitsForCore();

/** Prints the pauses of checkpoints of `orders` open orders. `directory`: empty. */
export async function measurePauses(directory: string, orders: number): Promise<void> {
  const stopMs = await filled(directory, orders);
  const engine = await running(directory, orders);
  const rounds: { readonly without: Longest; readonly beside: Longest; readonly makingMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let left = TURNS_BEFORE;
    const without = await longestTurn(engine, () => left-- > 0);
    await callUntilDue(engine);
    const [before = ""] = stateFilesIn(directory);
    const started = performance.now();
    const beside = await longestTurn(engine, () => stateFilesIn(directory).includes(before));
    rounds.push({ without, beside, makingMs: performance.now() - started });
  }
  await engine.close();
  console.log(pausesTable([
    ["without a checkpoint", rounds.map(({ without }) => without)],
    ["beside a checkpoint", rounds.map(({ beside }) => beside)],
  ]));
  const makingMs = Math.round(Math.min(...rounds.map((round) => round.makingMs)));
  console.log(
    `${grouped(orders)} open orders: a checkpoint beside calls takes ${makingMs} ms, ` +
      `a stop writes it in ${Math.round(stopMs)} ms, a start reads it in ${Math.round(engine.startMs)} ms`,
  );
}

/** Makes a market of so many open orders. Returns how long its stop took, in milliseconds. */
export async function filled(directory: string, orders: number): Promise<number> {
  const { audit, recover } = await opened(directory);
  const host = new EngineHost({ ...recover(), now, log });
  await fill(host, requests(orders, false));
  const started = performance.now();
  await host.stop();
  const stopMs = performance.now() - started;
  await audit.close();
  return stopMs;
}

/** `records`: those that a checkpoint replaces. */
export async function running(directory: string, orders: number, records = RECORDS) {
  const { store, audit, recover } = await opened(directory, records);
  const started = performance.now();
  const recovered = recover();
  const startMs = performance.now() - started;
  const host = new EngineHost({ ...recovered, now, log, checkpointMaker: new WorkerCheckpointMaker(store) });
  const more = requests(Infinity, false).drop(orders);
  let calls = 0;
  return {
    startMs,
    host,
    backupSource: { journal: store, audit },
    get callsUntilDue() {
      return RECORDS - calls % RECORDS;
    },
    call(count: number) {
      for (let made = 0; made < count; made++) call(host, next(more));
      calls += count;
      host.flush();
    },
    async close() {
      store.close();
      await audit.close();
    },
  };
}

export async function longestTurn(engine: Running, isGoingOn: () => boolean): Promise<Longest> {
  let longest: Longest = { turns: 0, processor: 0, wall: 0, wallOnCore: 0 };
  while (isGoingOn()) {
    const [wallBefore, processorBefore, waitedBefore] = [performance.now(), clock(), waited()];
    engine.call(1);
    await turn();
    const wall = performance.now() - wallBefore;
    longest = {
      turns: longest.turns + 1,
      processor: Math.max(longest.processor, (clock() - processorBefore) / 1e6),
      wall: Math.max(longest.wall, wall),
      wallOnCore: Math.max(longest.wallOnCore, wall - (waited() - waitedBefore) / 1e6),
    };
  }
  return longest;
}

async function callUntilDue(engine: Running): Promise<void> {
  for (let left = engine.callsUntilDue; left > 0; left -= COMMITTED_TOGETHER) {
    engine.call(Math.min(left, COMMITTED_TOGETHER));
    await turn();
  }
}

export function pausesTable(sides: readonly (readonly [name: string, rounds: readonly Longest[]])[]): string {
  const rows = sides.map(([name, rounds]) => {
    const least = (figure: keyof Longest) => Math.min(...rounds.map((round) => round[figure]));
    const milliseconds = (["processor", "wallOnCore", "wall"] as const).map((figure) =>
      `${least(figure).toFixed(1)} ms`
    );
    return [name, grouped(least("turns")), ...milliseconds];
  });
  return aligned(["longest turn", "turns", "processor time", "without waiting for a core", "wall"], rows);
}

function next(calls: Iterator<Request, void>): Request {
  const { value } = calls.next();
  if (value === undefined) throw new Error("there are no more calls");
  return value;
}
