// The simulator and the market clock of its engine.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { planRun } from "../../../sim/live/run-plan.ts";
import { RunSpeed } from "../../../sim/live/run-speed.ts";
import { Simulator } from "../../../sim/live/simulator.ts";
import { atEnd } from "../../support/at-end.ts";
import { startTestEngine } from "../../support/engines.ts";
import { until } from "../../support/until.ts";
import { connect, OPERATOR } from "../../engine/server/harness.ts";
import { accessTo, FEW, modulesOf, simulated } from "./support.ts";

const START = Date.parse("2026-03-02T06:00:00Z");
const { speed: _speed, ...AS_IT_IS } = FEW;
const LOCKSTEP = { start: START, speed: null, lockstep: true };

describe("the speed of a start", () => {
  test("stays if none is given, during the run and after it", async () => {
    const { engine, api } = await simulated({ clock: { start: START, speed: 300, lockstep: false } });
    const started = await api.start(AS_IT_IS);
    expect(started.speed).toBe(300);
    expect(Date.parse(started.startedAt ?? "")).toBeLessThan(START + 3_600_000);
    await api.stop();
    expect(engine.clock()).toEqual({ mode: "fast", speed: 300 });
  });

  test("is not set back if somebody else has changed it meanwhile", async () => {
    const { engine, api } = await simulated();
    await api.start({ ...FEW, speed: 200 });
    const operator = await connect(engine, OPERATOR);
    expect((await operator.request("clock.set", { speed: 50 })).status).toBe("ok");
    await api.stop();
    expect(engine.clock()).toEqual({ mode: "fast", speed: 50 });
  });

  test("is set by an operator in a market in which nobody publishes spot prices, and set back by a stop", async () => {
    const definition = builtInMarket();
    const users = definition.users.map((user) => ({
      ...user,
      permissions: user.permissions.filter((permission) => permission !== "Spot.Publish"),
    }));
    const { engine, api } = await simulated({ definition: { ...definition, users } });
    expect((await api.start({ ...FEW, speed: 100 })).speed).toBe(100);
    expect(engine.clock()).toEqual({ mode: "fast", speed: 100 });
    expect((await api.stop()).speed).toBe(100);
    expect(engine.clock()).toEqual({ mode: "fast", speed: 1 });
  });

  test.each([0, 3, 10, 30])("stays as it was if the start is stopped after %d looks at it", async (looks) => {
    const { engine, api } = await simulated();
    const starting = api.post("/api/sim/start", { ...FEW, speed: 100 });
    await until(async () => (await api.status()).status !== "stopped", "the start");
    for (let look = 0; look < looks; look++) await api.status();
    await api.stop();
    await starting;
    expect(engine.clock().speed).toBe(1);
  });

  test("is set back if the engine has carried it out and its confirmation was lost", async () => {
    const { engine } = await simulated({ clock: { start: START, speed: 3, lockstep: false } });
    const access = accessTo(engine.webSocketUrl, engine);
    const settings = { preset: "thin" as const, personas: FEW.personas, seed: 7, speed: 100 };
    const plan = { ...planRun(settings, engine.definition, "run-", access.marketTime) };
    const speed = new RunSpeed(plan, access);
    const { clockUserId } = plan;
    Object.assign(plan, { clockUserId: "nobody" });
    await expect(speed.begin()).rejects.toThrow("can't be set to 100");
    Object.assign(plan, { clockUserId });
    const operator = await connect(engine, OPERATOR);
    // What the run can't know to be its own.
    expect((await operator.request("clock.set", { speed: 50 })).status).toBe("ok");
    await speed.end();
    expect(engine.clock()).toEqual({ mode: "fast", speed: 3 });
  });

  test("is refused in lockstep, and by an engine without a market clock", async () => {
    const { api } = await simulated({ clock: LOCKSTEP });
    const answer = await api.post("/api/sim/start", { speed: 10 });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining("lockstep")]);
    const engine = await startTestEngine();
    const access = { ...accessTo(engine.webSocketUrl), marketTime: { time: Date.now, setting: null } };
    const simulator = new Simulator({ engine: access, facts: () => engine.definition, isNewMarket: true });
    atEnd(() => simulator.close());
    await expect(simulator.start({ ...FEW, speed: 10 })).rejects.toThrow(/^speed: the engine has no market clock/);
    expect((await simulator.start({ ...FEW, speed: 1 })).speed).toBe(1);
  });
});

describe("in lockstep", () => {
  test("nobody acts while time stands still, and who is due acts once time is moved", async () => {
    const { engine, api } = await simulated({ clock: LOCKSTEP });
    const operator = await connect(engine, OPERATOR);
    await api.start(AS_IT_IS);
    const simulatedOrders = () => operator.events.filter(({ type }) => type === "new.order");
    await operator.settled();
    expect(simulatedOrders()).toEqual([]);
    for (let minute = 1; minute <= 10; minute++) {
      const to = new Date(START + minute * 60_000).toISOString();
      expect((await operator.request("clock.advance", { to })).status).toBe("ok");
      // What those who were due have done is confirmed with the move, so nothing of it comes later.
      const confirmed = simulatedOrders().length;
      await operator.settled();
      expect(simulatedOrders().length).toBe(confirmed);
    }
    expect(simulatedOrders().length).toBeGreaterThan(0);
    expect(simulatedOrders().every(({ time }) => Date.parse(time) % 60_000 === 0)).toBe(true);
    const spots = operator.events.filter(({ type }) => type === "change.spot");
    expect(new Set(spots.map(({ data }) => data["time"]))).toContain("2026-03-02T06:05:00.000Z");
    expect(engine.marketTime()).toBe(START + 600_000);
    expect((await modulesOf(engine)).some(({ type }) => type === "ORDER")).toBe(true);
  });
});
