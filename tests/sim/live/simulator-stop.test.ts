// A stop of a simulation that can't find out whether orders remain: the simulator tries again by itself until it knows that
// none is left, and starts nothing before that.

import { expect, test } from "bun:test";
import { SYSTEM_TIMERS } from "../../../common/timers.ts";
import * as remainingOrders from "../../../sim/live/remaining-orders.ts";
import { Simulator } from "../../../sim/live/simulator.ts";
import { atEnd } from "../../support/at-end.ts";
import { startTestEngine } from "../../support/engines.ts";
import { replaced } from "../../support/replaced.ts";
import { until } from "../../support/until.ts";
import { accessTo } from "./support.ts";

const SEARCH_AGAIN_MS = 2_000;
const REQUEST = { preset: "thin", personas: [{ strategy: "zic", count: 1 }] } as const;
const DOUBT = "personas are disconnected; it is unknown whether their orders are open: the engine is gone";

/** A running simulation, whose searches for remaining orders fail until `finds`. */
async function running() {
  const engine = await startTestEngine();
  /** What begins the next search. */
  const waiting = new Set<() => void>();
  const after = SYSTEM_TIMERS.after.bind(SYSTEM_TIMERS);
  replaced(SYSTEM_TIMERS, "after", (waitMs, task) => {
    if (waitMs !== SEARCH_AGAIN_MS) return after(waitMs, task);
    waiting.add(task);
    return () => void waiting.delete(task);
  });
  let found: number | null = null;
  const searches = replaced(remainingOrders, "cancelRemainingOrders", () => {
    if (found === null) throw new Error("the engine is gone");
    return Promise.resolve(found);
  });
  const simulator = new Simulator({
    engine: accessTo(engine.webSocketUrl, engine),
    facts: () => engine.definition,
    isNewMarket: true,
  });
  atEnd(() => simulator.close());
  await simulator.start(structuredClone(REQUEST) as never);
  const searchAgain = () => {
    const [task] = waiting;
    waiting.delete(task!);
    task!();
  };
  return { simulator, waiting, searches, searchAgain, finds: (count: number) => void (found = count) };
}

test("a simulator searches again, once at a time, until no order remains, and can then be started", async () => {
  const { simulator, waiting, searches, searchAgain, finds } = await running();
  for (let attempt = 1; attempt <= 3; attempt++) {
    if (attempt === 1) {
      await expect(simulator.stop()).rejects.toMatchObject({ code: "engine_unavailable", message: DOUBT });
    } else searchAgain();
    await until(() => waiting.size === 1, "a search that is to come");
    expect(searches).toHaveLength(attempt);
    expect(simulator.status()).toMatchObject({ status: "stopping", failure: DOUBT, totals: { connected: 0 } });
    await expect(simulator.start(structuredClone(REQUEST) as never)).rejects.toMatchObject({ code: "stopping" });
  }
  finds(2);
  searchAgain();
  await until(() => simulator.status().status === "stopped", "the end");
  expect(simulator.status().failure).toBeNull();
  expect([waiting.size, searches.length]).toEqual([0, 4]);
  expect(await simulator.stop()).toMatchObject({ status: "stopped", changed: false, ordersCancelled: 0 });
  expect(await simulator.start(structuredClone(REQUEST) as never)).toMatchObject({ status: "running", changed: true });
});

test("a stop in between takes the place of the search that is to come, and tells of the orders that it cancels", async () => {
  const { simulator, waiting, finds } = await running();
  await expect(simulator.stop()).rejects.toMatchObject({ code: "engine_unavailable" });
  await until(() => waiting.size === 1, "a search that is to come");
  finds(2);
  expect(await simulator.stop()).toMatchObject({ status: "stopped", changed: true, ordersCancelled: 2 });
  expect(waiting.size).toBe(0);
});

test("a simulator that is closed searches once more, and then no more", async () => {
  const { simulator, waiting, searches } = await running();
  await expect(simulator.stop()).rejects.toMatchObject({ code: "engine_unavailable" });
  await until(() => waiting.size === 1, "a search that is to come");
  await simulator.close();
  expect([waiting.size, searches.length]).toEqual([0, 2]);
  await expect(simulator.stop()).rejects.toMatchObject({ code: "engine_unavailable" });
  expect([waiting.size, searches.length]).toEqual([0, 3]);
  await expect(simulator.start(structuredClone(REQUEST) as never)).rejects.toMatchObject({ code: "stopping" });
});
