// The simulator of the compiled executable: with an engine of its own process, which may be killed, and in the demo.

import { expect, test } from "bun:test";
import { type RunningEngineProcess, startEngineProcess, startMkt } from "../support/executable.ts";
import { FEW, isSimulated, modulesOf, openOrders, SimulatorApi } from "../sim/live/support.ts";
import { until } from "../support/until.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { LONG } from "../support/sizes.ts";

const RUN = { ...FEW, speed: 600 };

async function startSimulatorProcess(backend: string) {
  const process = startMkt(["sim", "--backend", backend, "--port", "0"], { LOG_LEVEL: "error" });
  const [, url] = await process.untilStderr(/sim: (http:\S+),/);
  return { process, api: new SimulatorApi(url ?? "") };
}

const trades = async (api: SimulatorApi) => (await api.status()).totals.trades;

test("mkt sim trades over kill -9 and restart of its engine, and leaves nothing open when it stops or ends", async () => {
  const args = ["--data", temporaryDirectory()];
  const first = await startEngineProcess({ args });
  const { process, api } = await startSimulatorProcess(first.webSocketUrl);
  expect((await api.status()).status).toBe("stopped");
  const started = await api.start(RUN);
  expect(started.totals.connected).toBe(started.totals.personas);
  await until(async () => await trades(api) > 0, "trades");

  await first.crash();
  await until(async () => (await api.status()).totals.connected === 0, "connections that are lost");
  expect((await api.status()).status).toBe("running");
  const second = await startEngineProcess({ args, port: first.port });
  const before = (await api.status()).totals;
  await until(async () => (await api.status()).totals.connected === before.personas, "everyone to be back");
  await until(async () => await trades(api) > before.trades, "trades after the restart");
  await until(async () => (await api.status()).totals.workingOrders > 3, "working orders");

  const third = LONG ? await stopWithoutEngine(api, second, args) : second;
  if (!LONG) expect((await api.post("/api/sim/stop")).status).toBe(200);
  expect(await api.status()).toMatchObject({ status: "stopped", failure: null });
  expect(await api.status()).toMatchObject({ totals: { connected: 0, workingOrders: 0 } });
  expect((await openOrders(third)).filter(isSimulated)).toEqual([]);
  const users = (await modulesOf(third)).flatMap(({ type, data }) => type === "USER" && data ? [data] : []);
  expect(users.filter(({ id, connected }) => connected && id.startsWith("sim-"))).toEqual([]);

  await api.start(RUN);
  await until(async () => (await api.status()).totals.workingOrders > 3, "working orders");
  expect(await process.stop()).toBe(0);
  expect((await openOrders(third)).filter(isSimulated)).toEqual([]);
});

/**
 * A stop whose engine is killed before it and started again later. It waits for seconds for the engine, so every run has it in
 * tests/sim/live/simulator-stop.test.ts only.
 */
async function stopWithoutEngine(api: SimulatorApi, second: RunningEngineProcess, args: readonly string[]) {
  await second.crash();
  const { status, body } = await api.post("/api/sim/stop");
  expect([status, body]).toMatchObject([503, { error: { code: "engine_unavailable" } }]);
  expect(await api.status()).toMatchObject({ status: "stopping", totals: { connected: 0 } });
  expect((await api.status()).failure).toMatch(/unknown whether their orders are open/);
  expect((await api.post("/api/sim/start", RUN)).status).toBe(409);
  const third = await startEngineProcess({ args, port: second.port });
  await until(async () => (await api.status()).status === "stopped", "a verified stop");
  return third;
}

test.skipIf(!LONG)(
  "mkt demo stays idle with --no-sim, trades from the start without, and continues over a restart with --data",
  async () => {
    const directory = temporaryDirectory();
    const start = async (...args: string[]) => {
      const ports = ["--port", "0", "--engine-port", "0"];
      const process = startMkt(["demo", ...ports, "--speed", "600", "--data", directory, ...args]);
      const [, url] = await process.untilStderr(/engine +(http:[^,]+),/);
      return { process, api: new SimulatorApi(url ?? "") };
    };
    const quiet = await start("--no-sim");
    expect(await quiet.api.status()).toMatchObject({ status: "stopped", personas: [] });
    expect(await openOrders({ webSocketUrl: `${quiet.api.url.replace("http", "ws")}/ws` })).toEqual([]);
    expect((await quiet.api.start({ preset: "thin" })).status).toBe("running");
    await until(async () => await trades(quiet.api) > 3, "trades");
    expect(await quiet.process.stop()).toBe(0);
    expect(quiet.process.stderr()).not.toContain('"level"');

    const second = await start("--preset", "thin");
    await until(async () => await trades(second.api) > 3, "trades after the restart");
    expect(await second.api.status()).toMatchObject({ preset: "thin", speed: 600, seed: 1 });
    expect(await second.process.stop()).toBe(0);
    expect(second.process.stderr()).not.toContain('"level"');
  },
);
