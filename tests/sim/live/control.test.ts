import { describe, expect, test } from "bun:test";
import { ACTING_USER_HEADER, errorResponse, spotResponse } from "../../../protocol/index.ts";
import type { RunningEngine } from "../../../engine/server/start-engine.ts";
import {
  type Answer,
  embedTestSimulator,
  FEW,
  isSimulated,
  openOrders,
  ordersOf,
  simulated,
  SimulatorApi,
} from "./support.ts";
import { connectionsOf } from "../../engine/server/harness.ts";
import { startTestEngine } from "../../support/engines.ts";
import { size } from "../../support/sizes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { until } from "../../support/until.ts";

/** As an operator does: the speed of the market's clock. */
function setSpeed(engine: Pick<RunningEngine, "execute">, speed: number): void {
  const request = { userId: "operator", operationId: `speed-${speed}`, action: "clock.set", payload: { speed } };
  expect(engine.execute(request).response?.status).toBe("ok");
}

function refusal({ status, body }: Answer): [number, string, string] {
  const { code, message } = errorResponse.parse(body).error;
  return [status, code, message];
}

/** Of a simulator that is never started. */
const { api: idle } = await simulated();
const zic = (count: number, more: object = {}) => ({ personas: [{ strategy: "zic", count, ...more }] });

describe("the simulator's control API", () => {
  test("is stopped at first, says why it knows no metrics, and has spot prices of both nodes and their history", async () => {
    const reason = "no simulation has been started";
    expect(await idle.status()).toMatchObject({
      status: "stopped",
      preset: null,
      startedAt: null,
      personas: [],
      metrics: { twoSidedBooks: null, smithsAlpha: null },
      reasons: { twoSidedBooks: reason, smithsAlpha: reason, meanSpread: reason, allocativeEfficiency: reason },
      bookSamples: { count: 0, until: null },
    });
    const { body } = await idle.get("/api/sim/spot?hours=3");
    expect(body).toMatchObject({ status: "stopped", nodes: [{ node: "NORTH" }, { node: "WEST" }], events: [] });
    const { nodes } = body as { nodes: { history: { time: string }[] }[] };
    expect(nodes.map(({ history }) => history.length)).toEqual([3, 3]);
  });

  test("starts all personas, each on a separate connection, and they trade", async () => {
    const { engine, api } = await simulated();
    const started = await api.start({ speed: 60, seed: 7 });
    const settings = { preset: "calm", speed: 60, seed: 7 };
    expect(started).toMatchObject({ ...settings, status: "running", changed: true, failure: null });
    expect(started.totals.connected).toBe(started.personas.length);
    expect(started.personas.length).toBeGreaterThan(20);
    await until(async () => (await api.status()).totals.trades > 20, "trades");
    // One more connection watches the market for all personas.
    await until(async () => await connectionsOf(engine) === started.personas.length + 1, "a connection for each");
    const orders = await openOrders(engine);
    const status = await api.status();
    expect(orders.filter(isSimulated).length).toBeGreaterThan(20);
    expect(new Set(orders.map(({ userId }) => userId.slice(0, 4)))).toEqual(new Set(["sim-"]));
    expect(new Set(status.personas.map(({ state }) => state))).toEqual(new Set(["trading"]));
    const filled = status.personas.filter(({ trades }) => trades > 0);
    expect(filled.length).toBeGreaterThan(1);
    expect(filled.every(({ volumeMw, positions }) => volumeMw > 0 && Array.isArray(positions))).toBe(true);
    for (const { strategy, tradingResult, profitAndLoss, physicalResult, lossLimit, stoppedUntil } of status.personas) {
      expect(tradingResult).toBe(profitAndLoss);
      expect(physicalResult === null).toBe(strategy !== "generator" && strategy !== "retailer");
      expect(lossLimit).toBeGreaterThan(0);
      expect(stoppedUntil).toBeNull();
    }
  });

  test("a run with another seed leaves the spot prices of the past as they were told", async () => {
    const { api } = await simulated();
    const hourly = async () =>
      spotResponse.parse((await api.get("/api/sim/spot?hours=100")).body).nodes
        .map(({ node, history }) => ({ node, past: history.slice(0, -1) }));
    const told = await hourly();
    for (const seed of [7, 8]) {
      await api.start({ ...FEW, seed });
      const now = await hourly();
      for (const [at, { node, past }] of told.entries()) {
        const from = past.length - 90;
        expect({ node, past: now[at]?.past.filter(({ time }) => past.slice(from).some((each) => each.time === time)) })
          .toEqual({ node, past: past.slice(from) });
      }
      await api.stop();
    }
  });

  test("after a restart of the engine no spot price of the time before is told", async () => {
    const data = temporaryDirectory();
    const prices = async (engine: RunningEngine) => {
      const simulator = embedTestSimulator(engine);
      const { nodes } = await simulator.spot(48);
      await simulator.start({ ...FEW, speed: undefined });
      await simulator.close();
      await engine.stop();
      return nodes.map(({ history }) => history.length);
    };
    expect(await prices(await startTestEngine({ data }))).toEqual([48, 48]);
    expect(await prices(await startTestEngine({ data }))).toEqual([1, 1]);
  });

  test("succeeds for a start with the settings of the run, and refuses other settings", async () => {
    const { api } = await simulated();
    const [first, second] = await Promise.all([api.start(FEW), api.start(FEW)]);
    expect([first.changed, second.changed].sort()).toEqual([false, true]);
    expect(second.personas.length).toBe(first.personas.length);
    expect(second.totals.connected).toBe(first.personas.length);
    expect((await api.start()).changed).toBe(false);
    for (const other of [{ preset: "calm" }, { seed: 8 }, { speed: 2 }, zic(1)]) {
      const [status, code, message] = refusal(await api.post("/api/sim/start", other));
      expect([status, code]).toEqual([409, "already_running"]);
      expect(message).toContain(Object.keys(other)[0] ?? "");
    }
  });

  test("starts the listed personas, for the given entity", async () => {
    const { api } = await simulated();
    const { personas, preset } = await api.start({
      preset: "thin",
      personas: [{ strategy: "zic", count: 2, entityId: "SUMMIT" }, { strategy: "zip", count: 1 }],
    });
    expect(preset).toBe("thin");
    expect(personas.map(({ strategy }) => strategy)).toEqual(["zic", "zic", "zip"]);
    expect(personas.slice(0, 2).map(({ entityId, userId }) => [entityId, userId]))
      .toEqual([["SUMMIT", "sim-summit"], ["SUMMIT", "sim-summit"]]);
  });

  test("stops completely: no order of a persona is open, and nobody is connected", async () => {
    const { engine, api } = await simulated();
    const { personas } = await api.start(FEW);
    await until(async () => (await api.status()).totals.workingOrders > 20, "working orders");
    const stopped = await api.stop();
    const totals = { connected: 0, workingOrders: 0 };
    expect(stopped).toMatchObject({ status: "stopped", changed: true, failure: null, totals });
    expect(stopped.personasDisconnected).toBe(personas.length);
    // Some may have traded since the look.
    expect(stopped.ordersCancelled).toBeGreaterThan(0);
    expect((await openOrders(engine)).filter(isSimulated)).toEqual([]);
    await until(async () => await connectionsOf(engine) === 0, "no connection");
    expect(await api.stop()).toMatchObject({ changed: false, ordersCancelled: 0, personasDisconnected: 0 });
    expect((await api.start(FEW)).changed).toBe(true);
  });

  test("counts every accepted order, also if it stops right after the first ones", async () => {
    const { engine, api } = await simulated();
    const ordersNow = async () => (await ordersOf(engine)).filter(isSimulated);
    const before = (await ordersNow()).length;
    await api.start(FEW);
    await until(async () => (await ordersNow()).length > before, "the first orders");
    const { totals } = await api.stop();
    expect(totals.orders).toBe((await ordersNow()).length - before);
  });

  test("stops a simulation that is starting, and refuses to start one that is stopping", async () => {
    const { engine, api } = await simulated();
    const starting = api.post("/api/sim/start", FEW);
    await until(async () => (await api.status()).status !== "stopped", "a start");
    const [stopped, second] = await Promise.all([api.stop(), api.stop()]);
    expect([stopped.status, second.status]).toEqual(["stopped", "stopped"]);
    expect([200, 409]).toContain((await starting).status);
    expect((await openOrders(engine)).filter(isSimulated)).toEqual([]);

    await api.start(FEW);
    const stopping = api.stop();
    const again = await api.post("/api/sim/start", FEW);
    expect(refusal(again).slice(0, 2)).toEqual([409, "stopping"]);
    expect((await stopping).status).toBe("stopped");
    expect((await openOrders(engine)).filter(isSimulated)).toEqual([]);
  });

  test("cancels at a stop an order whose confirmation was lost", async () => {
    const { engine, api } = await simulated();
    await api.start(FEW);
    await until(async () => (await openOrders(engine)).some(isSimulated), "orders");
    const [known] = (await openOrders(engine)).filter(isSimulated);
    const mark = known?.clientOrderId.split(".")[0];
    const submit = (userId: string, clientOrderId: string) => {
      const payload = { contractId: known?.contractId, side: 0, price: -10_000, quantity: 1, clientOrderId };
      return engine.execute({ userId, operationId: crypto.randomUUID(), action: "order.submit", payload }).response
        ?.status;
    };
    expect(submit("sim-summit", `${mark}.1-zic-1-9999`)).toBe("ok");
    expect(submit("summit-trader-1", "a trader's own")).toBe("ok");
    expect((await api.stop()).failure).toBeNull();
    expect((await openOrders(engine)).map(({ clientOrderId }) => clientOrderId)).toEqual(["a trader's own"]);
  });

  test("leaves no order and no connection if it is stopped at any moment of a start", async () => {
    const { engine, api } = await simulated();
    for (const delayMs of size([0, 15, 60, 120], [0, 5, 15, 30, 60, 90, 120])) {
      const starting = api.post("/api/sim/start", FEW);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await api.stop();
      expect([200, 409]).toContain((await starting).status);
      // A stop that came before the start has no effect on it.
      if ((await api.status()).status !== "stopped") await api.stop();
      expect((await api.status()).totals).toMatchObject({ connected: 0, workingOrders: 0 });
      expect((await openOrders(engine)).filter(isSimulated)).toEqual([]);
      await until(async () => await connectionsOf(engine) === 0, "no connection");
    }
    expect((await api.start(FEW)).status).toBe("running");
  });

  test("an event affects prices until it decays, and is refused at an unknown node and while no simulation runs", async () => {
    const { engine, api } = await simulated();
    const outage = { type: "plant_outage", node: "NORTH", size: 3, durationHours: 0.25 };
    expect(refusal(await api.post("/api/sim/events", outage)).slice(0, 2)).toEqual([409, "not_running"]);
    // So slow that the event lasts, and then so fast that it is soon over.
    await api.start({ ...FEW, speed: 0.1 });
    const [status, code, message] = refusal(await api.post("/api/sim/events", { type: "heat_wave", node: "SOUTH" }));
    expect([status, code, message]).toEqual([400, "invalid_payload", expect.stringMatching(/node.*NORTH.*WEST/)]);
    const { body } = await api.post("/api/sim/events", outage);
    expect(body).toMatchObject({ event: { type: "plant_outage", node: "NORTH", size: 3, remaining: 1 } });
    const active = async () => (await api.get("/api/sim/spot")).body as { events: unknown[] };
    expect((await active()).events).toHaveLength(1);
    setSpeed(engine, 1000);
    await until(async () => (await active()).events.length === 0, "an event that is over");
  });

  test("an event affects the price of its node, and the other node's less, before the call is answered", async () => {
    const { api } = await simulated();
    // A run in which five minutes take a long time.
    await api.start({ ...FEW, speed: 0.1 });
    const spots = async () => spotResponse.parse((await api.get("/api/sim/spot?hours=0")).body).nodes;
    for (const [type, direction] of [["plant_outage", 1], ["demand_drop", -1]] as const) {
      const before = await spots();
      expect((await api.post("/api/sim/events", { type, node: "WEST", size: 5, durationHours: 6 })).status).toBe(200);
      const after = await spots();
      const [north = NaN, west = NaN] = after.map(({ price }, at) => (price - (before[at]?.price ?? NaN)) * direction);
      expect(west).toBeGreaterThan(0);
      // Five minutes may have passed on a slow machine.
      if (after[0]?.time !== before[0]?.time) return;
      expect(north).toBeGreaterThan(0);
      expect(north).toBeLessThan(west);
    }
  });

  test.each<[string, string, unknown, RegExp]>([
    ["an unknown strategy", "start", zic(1, { strategy: "wizard" }), /strategy.*no such strategy.*zic/],
    ["a negative count", "start", zic(-1), /count: must be at least 1, not -1$/],
    ["100,000 personas", "start", zic(100_000), /count: must be at most 200, not 100000/],
    [
      "too many personas in all",
      "start",
      { personas: zic(101).personas.concat(zic(100).personas) },
      /more than 200 personas/,
    ],
    ["an unknown entity", "start", zic(1, { entityId: "NOBODY" }), /entityId.*NOBODY/],
    ["an unknown preset", "start", { preset: "wild" }, /preset.*calm/],
    ["a speed of 0", "start", { speed: 0 }, /speed.*0\.1/],
    ["two faults at once", "start", { speed: 0, preset: "wild" }, /preset.*; speed|speed.*; preset/],
    ["an unknown field", "start", { spede: 10 }, /spede: no such field/],
    ["an unknown type", "events", { type: "earthquake" }, /type.*heat_wave/],
    ["a negative duration", "events", { type: "heat_wave", durationHours: -1 }, /durationHours/],
    ["a duration of zero", "events", { type: "heat_wave", durationHours: 0 }, /durationHours/],
  ])("names what is wrong with %s", async (_, route, body, expected) => {
    const [status, code, message] = refusal(await idle.post(`/api/sim/${route}`, body));
    expect([status, code]).toEqual([400, "invalid_payload"]);
    expect(message).toMatch(expected);
    expect((await idle.status()).status).toBe("stopped");
  });

  test("requires token, user and permission like every other route", async () => {
    const { engine } = await simulated({ token: "a-token" });
    const as = (userId: string, token = "a-token") =>
      new SimulatorApi(engine.url, { [ACTING_USER_HEADER]: userId, Authorization: `Bearer ${token}` });
    expect(refusal(await as("operator", "wrong").get("/api/sim/status")).slice(0, 2)).toEqual([401, "unauthorized"]);
    expect(refusal(await as("nobody").get("/api/sim/status")).slice(0, 2)).toEqual([403, "unknown_user"]);
    expect((await as("viewer").get("/api/sim/status")).status).toBe(200);
    expect((await as("viewer").get("/api/sim/spot")).status).toBe(200);
    for (const route of ["start", "stop", "events"]) {
      const [status, code, message] = refusal(await as("viewer").post(`/api/sim/${route}`, {}));
      expect([status, code]).toEqual([403, "forbidden"]);
      expect(message).toContain("Market.Operate");
    }
    expect((await as("operator").start({ preset: "thin", seed: 7 })).status).toBe("running");
    expect((await as("operator").status()).seed).toBe(7);
    expect((await as("viewer").status()).seed).toBeNull();
  });
});
