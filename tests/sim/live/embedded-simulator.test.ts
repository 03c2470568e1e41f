// A simulator in its engine's process: what it takes of the engine, and what it adds to it.

import { expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { embedSimulator, marketTimeOf } from "../../../sim/live/embedded-simulator.ts";
import { atEnd } from "../../support/at-end.ts";

const NOON = Date.parse("2026-03-02T12:00:00Z");

function embedded(isNew: boolean) {
  const held: (() => Promise<void>)[] = [];
  const mounted: { routes: unknown; addMetrics: (metrics: object) => void }[] = [];
  const clock = { setting: null as object | null };
  const engine = {
    webSocketUrl: "ws://127.0.0.1:1/ws",
    ownToken: "own",
    isNew,
    definition: builtInMarket(),
    marketTime: () => NOON,
    clock: () => clock.setting,
    holdAdvances: (settled: () => Promise<void>) => held.push(settled),
    mountSimulator: (parts: typeof mounted[number]) => mounted.push(parts),
  };
  const simulator = embedSimulator({ engine: engine as never, log: logger("test"), now: Date.now });
  atEnd(() => simulator.close());
  return { simulator, held, mounted, clock, engine };
}

test("an embedded simulator follows its engine's time, holds its moves, and is served and measured with it", async () => {
  const { simulator, held, mounted, clock, engine } = embedded(true);
  expect(simulator.status()).toMatchObject({ status: "stopped", speed: 1, marketTime: "2026-03-02T12:00:00.000Z" });
  clock.setting = { mode: "fast", speed: 8 };
  expect(simulator.status().speed).toBe(8);
  expect(marketTimeOf(engine as never).setting).toEqual({ mode: "fast", speed: 8 });
  expect([held.length, mounted.length]).toEqual([1, 1]);
  // Nothing runs, so nobody is waited for.
  await held[0]!();
  const names: string[] = [];
  const note = (name: string) => void names.push(name);
  mounted[0]!.addMetrics({ gauge: note, counter: note });
  expect(names).toContain("mkt_simulation_running");
});

test.each([[true, 48], [false, 1]])(
  "in a market that is new (%p), %d of the last 48 hours of prices are told",
  async (isNew, hours) => {
    const { nodes } = await embedded(isNew).simulator.spot(48);
    expect(nodes.map(({ history }) => history.length)).toEqual([hours, hours]);
  },
);
