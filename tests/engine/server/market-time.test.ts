import { cpSync } from "node:fs";
import { describe, expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { healthResponse, PATHS } from "../../../protocol/index.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { Engine } from "../../../engine/engine.ts";
import { EngineHost } from "../../../engine/server/host/engine-host.ts";
import type { StartClock } from "../../../engine/server/start-clock.ts";
import { startTestEngine } from "../../support/engines.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { until } from "../../support/until.ts";
import { SteppedTimers } from "./host/stepped-timers.ts";
import { BUYER, connect, OPERATOR, restingBuy, submission } from "./harness.ts";

const START = Date.parse("2026-03-02T06:00:00Z");
const HOUR_MS = 3_600_000;

/** An engine whose real time the test moves. */
async function start(clock: Partial<StartClock>, data: string | null = null, real = { time: Date.now() }) {
  const asked = { start: null, speed: null, lockstep: false, ...clock };
  const engine = await startTestEngine({ clock: asked, data, now: () => real.time });
  return { engine, real };
}

describe("an engine at a multiple of real time", () => {
  test("tells both times and its clock in welcome, pong and /health", async () => {
    const { engine, real } = await start({ start: START, speed: 1000 });
    const clock = { mode: "fast" as const, speed: 1000 };
    const times = { time: new Date(real.time).toISOString(), marketTime: "2026-03-02T06:00:00.000Z", clock };
    const client = await connect(engine, BUYER);
    expect(await client.message("welcome")).toMatchObject(times);
    real.time += 3_600;
    client.send({ kind: "ping" });
    const later = { time: new Date(real.time).toISOString(), marketTime: "2026-03-02T07:00:00.000Z", clock };
    expect(await client.message("pong")).toMatchObject(later);
    const health = healthResponse.parse(await (await fetch(`${engine.url}${PATHS.health}`)).json());
    expect(health).toMatchObject(later);
  });

  test("stamps what happens with market time, and judges validUntil by real time", async () => {
    const { engine, real } = await start({ start: START, speed: 100 });
    const client = await connect(engine, BUYER);
    real.time += 36;
    const contracts = client.states.filter(({ statePath }) => statePath.startsWith("/CONTRACT/"));
    const contractId = String(contracts.at(-1)?.state?.id);
    const submit = (requestId: string, validUntil: number) =>
      client.send({
        ...submission(requestId, restingBuy(contractId)),
        validUntil: new Date(validUntil).toISOString(),
      });
    submit("in time", real.time);
    submit("late", real.time - 1);
    expect((await client.response("in time")).result?.["order"]).toMatchObject({
      createdAt: "2026-03-02T06:00:03.600Z",
    });
    expect(await client.response("late")).toMatchObject({ status: "rejected", code: "too_late" });
  });

  test("carries out the schedule without a request, within milliseconds", async () => {
    const clock = { start: START + 0.9 * HOUR_MS, speed: 1000, lockstep: false };
    const client = await connect(await startTestEngine({ clock }), BUYER);
    await until(() => client.events.some(({ type }) => type === "change.contract"), "a delivery");
    const delivered = client.events.find(({ type }) => type === "change.contract");
    expect(delivered?.time).toBe(String(delivered?.data["deliveryStart"]));
  });

  test("gives the first answer to an operation that is repeated after a market day", async () => {
    const { engine, real } = await start({ start: START, speed: 1000 });
    const client = await connect(engine, OPERATOR);
    const first = await client.request("market.halt", {}, "once");
    real.time += 9_000;
    for (let hour = 0; hour < 12; hour++) {
      real.time += 9_000;
      engine.marketTime();
    }
    expect(engine.marketTime() - START).toBeGreaterThan(24 * HOUR_MS);
    expect(await client.request("market.halt", {}, "once")).toMatchObject({ status: "ok", result: first.result ?? {} });
    expect(client.events.filter(({ type }) => type === "halt.market")).toHaveLength(1);
  });
});

describe("a restart of a market that runs apart from real time", () => {
  test("goes on from its last market time with its speed, and is refused at another", async () => {
    const data = temporaryDirectory();
    const { engine, real } = await start({ start: START, speed: 60 }, data);
    real.time += 5_000;
    await engine.stop();
    real.time += 1_000_000;
    await expect(start({ start: START }, data, real)).rejects.toThrow(
      /holds a market that stands at 2026-03-02T.*; leave out --start to continue with it, or name another directory$/,
    );
    const again = (await start({}, data, real)).engine;
    expect([again.clock(), again.marketTime() - START]).toEqual([{ mode: "fast", speed: 60 }, 300_000]);
    real.time += 1_000;
    expect(again.marketTime() - START).toBe(360_000);
  });

  test("after a kill loses at most a second of real time", async () => {
    const data = temporaryDirectory();
    const engine = await startTestEngine({ clock: { start: START, speed: 60, lockstep: false }, data });
    const client = await connect(engine, BUYER);
    await until(() => engine.marketTime() > START + 90_000, "market time to pass");
    await client.settled();
    const killed = temporaryDirectory();
    const atLeast = engine.marketTime() - 2 * 60_000;
    cpSync(data, killed, { recursive: true });
    const again = await startTestEngine({ data: killed });
    expect(again.clock()).toEqual({ mode: "fast", speed: 60 });
    expect(again.marketTime()).toBeGreaterThan(atLeast);
  });

  test("keeps a change of the speed that a client made", async () => {
    const data = temporaryDirectory();
    const { engine, real } = await start({}, data);
    const began = engine.marketTime();
    const client = await connect(engine, OPERATOR);
    expect((await client.request("clock.set", { speed: 10 })).status).toBe("ok");
    await client.message("event", ({ type }) => type === "change.clock");
    real.time += 1_000;
    await engine.stop();
    const again = (await start({}, data, real)).engine;
    expect([again.clock(), again.marketTime() - began]).toEqual([{ mode: "fast", speed: 10 }, 10_000]);
  });

  test("takes another speed or lockstep from the command line, with an event", async () => {
    const data = temporaryDirectory();
    const { engine, real } = await start({ start: START, speed: 60 }, data);
    await engine.stop();
    const faster = (await start({ speed: 120 }, data, real)).engine;
    expect(faster.clock()).toEqual({ mode: "fast", speed: 120 });
    await faster.stop();
    const still = (await start({ lockstep: true }, data, real)).engine;
    const client = await connect(still, OPERATOR, { resume: { epoch: 1, sequence: 1 } });
    expect(still.clock()).toEqual({ mode: "lockstep", speed: 0 });
    real.time += 1_000_000;
    expect(still.marketTime()).toBe(START);
    await client.settled();
  });
});

describe("an engine in lockstep", () => {
  test("stands still until it is moved, and then has carried out everything due, in order", async () => {
    const { engine, real } = await start({ start: START, lockstep: true });
    const client = await connect(engine, OPERATOR);
    real.time += 10 * HOUR_MS;
    expect(engine.marketTime()).toBe(START);
    const to = new Date(START + 24 * HOUR_MS).toISOString();
    const moved = await client.request("clock.advance", { to });
    expect(moved).toMatchObject({ status: "ok", result: { marketTime: to, clock: { mode: "lockstep", speed: 0 } } });
    const times = client.events.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
    expect(client.events.filter(({ type }) => type === "new.contract").length).toBeGreaterThan(20);
    expect(client.events.filter(({ type }) => type === "change.clock").map(({ time }) => time)).toEqual([to]);
    expect(await client.request("clock.advance", { to: new Date(START).toISOString() })).toMatchObject({
      status: "rejected",
      code: "invalid_time",
    });
  });
});

test("market time goes on in a market in which nothing is scheduled and nobody asks", async () => {
  const definition = builtInMarket();
  const products = definition.products.map(({ listing: _, ...product }) => product);
  const real = { time: Date.now() };
  const timers = new SteppedTimers();
  const engine = new Engine({ ...definition, products }, {
    epoch: 1,
    now: START,
    clock: { mode: "fast", speed: 1000 },
    engineId: "e",
    secret: null,
  });
  const now = () => real.time + timers.processTime;
  const host = new EngineHost({ engine, audit: SqliteAuditStore.inMemory({ now }), now, log: logger("test"), timers });
  expect(engine.nextDeadline()).toBeNull();
  timers.pass(60_000);
  expect(host.marketTime()).toBe(START + 60_000_000);
  await host.stop();
});
