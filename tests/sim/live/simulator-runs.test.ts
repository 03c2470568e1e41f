// The states of a simulator over several runs, without an engine: its runs start and stop as the test says.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { LiveRun } from "../../../sim/live/live-run.ts";
import type { MarketFacts } from "../../../sim/live/market-facts.ts";
import * as remainingOrders from "../../../sim/live/remaining-orders.ts";
import { Simulator } from "../../../sim/live/simulator.ts";
import { atEnd } from "../../support/at-end.ts";
import { replaced } from "../../support/replaced.ts";
import { until } from "../../support/until.ts";
import { accessTo } from "./support.ts";

const NOON = Date.parse("2026-03-02T12:00:00Z");
const thin = (seed: number) => ({ preset: "thin", seed, personas: [{ strategy: "zic", count: 1 }] }) as never;

function simulator() {
  const world = {
    now: NOON,
    facts: (): MarketFacts => builtInMarket(),
    start: () => Promise.resolve(),
    search: () => Promise.resolve(2),
    /** Called by a run whose users the engine refuses. */
    fail: (_reason: string) => {},
  };
  replaced(LiveRun.prototype, "start", function (this: { onFailure: (reason: string) => void }) {
    world.fail = (reason) => this.onFailure(reason);
    return world.start();
  } as never);
  replaced(LiveRun.prototype, "stop", () => Promise.resolve({ ordersCancelled: 3, personasDisconnected: 1 }));
  replaced(remainingOrders, "cancelRemainingOrders", () => world.search());
  const engine = { ...accessTo("ws://127.0.0.1:1/ws"), marketTime: { time: () => world.now, setting: null } };
  const made = new Simulator({ engine, facts: () => world.facts(), isNewMarket: true });
  atEnd(() => made.close());
  return { world, simulator: made };
}

describe("a simulator", () => {
  test("keeps the report of its last run if the next one can't be planned", async () => {
    const { world, simulator: made } = simulator();
    await made.start(thin(7));
    expect(await made.stop()).toMatchObject({ changed: true, ordersCancelled: 5, personasDisconnected: 1 });
    world.facts = () => {
      throw new Error("the market is away");
    };
    const refusal = { code: "engine_unavailable", message: "the market is away" };
    await expect(made.start(thin(8))).rejects.toMatchObject(refusal);
    expect(made.status()).toMatchObject({ status: "stopped", seed: 7, failure: null, personas: [{}] });
    world.facts = builtInMarket;
    const unknown = { preset: "thin", personas: [{ strategy: "zic", count: 1, entityId: "NOBODY" }] } as never;
    await expect(made.start(unknown)).rejects.toMatchObject({ code: "invalid_payload" });
    expect(made.status()).toMatchObject({ status: "stopped", seed: 7, failure: null });
    expect(await made.start(thin(8))).toMatchObject({ status: "running", seed: 8, changed: true });
  });

  test("tells why a start or a run has failed until the next start", async () => {
    const { world, simulator: made } = simulator();
    world.start = () => Promise.reject(new Error("nobody may connect"));
    const refusal = { code: "engine_unavailable", message: "nobody may connect" };
    await expect(made.start(thin(7))).rejects.toMatchObject(refusal);
    expect(made.status()).toMatchObject({ status: "stopped", failure: "nobody may connect" });
    // Nothing is stopped, so the failure stays.
    expect(await made.stop()).toMatchObject({ changed: false, failure: "nobody may connect" });
    world.start = () => Promise.resolve();
    expect(await made.start(thin(7))).toMatchObject({ status: "running", failure: null });
    world.fail("the engine refused user sim-summit");
    await until(() => made.status().status === "stopped", "the end");
    expect(made.status().failure).toBe("the engine refused user sim-summit");
    world.fail("once more");
    expect(made.status().failure).toBe("the engine refused user sim-summit");
    expect(await made.start(thin(7))).toMatchObject({ status: "running", failure: null });
    expect(await made.stop()).toMatchObject({ status: "stopped", failure: null });
  });

  test("tells the time at which a run has ended, also if it is known later that none of its orders remains", async () => {
    const { world, simulator: made } = simulator();
    await made.start(thin(7));
    world.now += 60_000;
    world.search = () => Promise.reject(new Error("it is away"));
    await expect(made.stop()).rejects.toMatchObject({ code: "engine_unavailable" });
    world.now += 60_000;
    expect(made.status()).toMatchObject({
      simulatedTime: "2026-03-02T12:01:00.000Z",
      marketTime: "2026-03-02T12:02:00.000Z",
    });
    world.search = () => Promise.resolve(0);
    expect(await made.stop()).toMatchObject({
      status: "stopped",
      failure: null,
      simulatedTime: "2026-03-02T12:01:00.000Z",
    });
  });

  test("tells the same spot prices to all who ask, also at the same time, and before and after a run", async () => {
    const { simulator: made } = simulator();
    const past = async () => (await made.spot(3)).nodes.map(({ history }) => history.slice(0, -1));
    const [one, other] = await Promise.all([past(), past()]);
    expect(other).toEqual(one!);
    expect(await past()).toEqual(one!);
    await made.start(thin(7));
    expect(await past()).toEqual(one!);
    await made.stop();
    expect(await past()).toEqual(one!);
  });
});
