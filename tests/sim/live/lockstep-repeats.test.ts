// What is promised of lockstep in one process: the same seed, start and steps give the same trades.

import { expect, test } from "bun:test";
import { connect, OPERATOR } from "../../engine/server/harness.ts";
import { size } from "../../support/sizes.ts";
import { FEW, simulated } from "./support.ts";

const START = Date.parse("2026-03-02T06:00:00Z");
const SETTINGS = { preset: "calm", seed: 7, personas: FEW.personas };
const STEP = 20_000;
const STEPS = size(30, 540);

/** All trades of a run, with their market time. */
async function trades(): Promise<unknown[]> {
  const { engine, api } = await simulated({ clock: { start: START, speed: null, lockstep: true } });
  const operator = await connect(engine, OPERATOR);
  await api.start(SETTINGS);
  for (let step = 1; step <= STEPS; step++) {
    const to = new Date(START + step * STEP).toISOString();
    expect((await operator.request("clock.advance", { to })).status).toBe("ok");
  }
  await api.stop();
  return operator.events.filter(({ type }) => type === "new.trade").map(({ time, data }) => [time, data]);
}

test("two runs in lockstep with the same seed and steps have the same trades", async () => {
  const [first, second] = await Promise.all([trades(), trades()]);
  expect(first.length).toBeGreaterThan(size(5, 200));
  expect(second).toEqual(first);
});
