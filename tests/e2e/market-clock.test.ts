// The market clock on the compiled executable: --speed, --start and --lockstep, and what clients see of it.

import { describe, expect, test } from "bun:test";
import { healthResponse } from "../../protocol/index.ts";
import { connectHttp } from "../support/clients.ts";
import { clientHere } from "../support/in-process.ts";
import { connected, succeed, type TestClient } from "../support/official-client.ts";
import { runMkt, startEngineProcess, startMkt } from "../support/executable.ts";
import { startSimulatedMarket } from "../support/power-market.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { connect, OPERATOR } from "../engine/server/harness.ts";

type Value = Readonly<Record<string, unknown>>;

const HOUR_MS = 3_600_000;
/** Half an hour before midnight in Chicago, when the next day's contracts are listed. */
const START = "2026-03-02T05:30:00Z";

const timeOf = ({ time }: Value) => Date.parse(String(time));

async function healthOf({ url }: { readonly url: string }) {
  return healthResponse.parse(await (await fetch(`${url}/health`)).json());
}

const marketTimeOf = async (engine: { readonly url: string }) => Date.parse((await healthOf(engine)).marketTime ?? "");

async function eventsOf(client: TestClient, type: string): Promise<Value[]> {
  const { events } = await succeed(client, "mkt_get_recent_events", { eventTypes: [type], limit: 1000 });
  return events as Value[];
}

describe("mkt demo --speed 1000", () => {
  test("trades, spot prices and the listing of the next day come within seconds, all in market time", async () => {
    // Two hours of market time, so seven seconds, before the listing.
    const args = ["--preset", "thin", "--speed", "1000", "--start", "2026-03-02T04:00:00Z"];
    const demo = startMkt(["demo", "--port", "0", "--engine-port", "0", ...args]);
    await demo.untilStderr(/market time passes 1000 times as fast, from 2026-03-02T/);
    const [, url] = await demo.untilStderr(/mcp +(http:\/\/[^/]+)\/mcp/);
    const client = await connected(connectHttp("v2", url ?? ""));
    const [listed] = await until(() => eventsOf(client, "new.contract"), ({ length }) => length > 0);
    expect(listed?.["time"]).toBe("2026-03-02T06:00:00.000Z");
    const trades = await until(() => eventsOf(client, "new.trade"), ({ length }) => length > 3);
    const spots = await until(() => eventsOf(client, "change.spot"), ({ length }) => length > 4);
    const { connections } = await succeed(client, "mkt_connection_status") as { connections: { pubsub: Value } };
    expect(connections.pubsub["clock"]).toEqual({ mode: "fast", speed: 1000 });
    const now = Date.parse(String(connections.pubsub["marketTime"]));
    const times = [...trades, ...spots].map(timeOf);
    expect(times.filter((time) => time < Date.parse("2026-03-02T04:00:00Z") || time > now)).toEqual([]);
    expect(spots.every((event) => timeOf(event["data"] as Value) <= timeOf(event))).toBe(true);
    expect(await succeed(client, "mkt_sim_status")).toMatchObject({ status: "running", speed: 1000 });
    const { range } = await succeed(client, "mkt_get_audit_log", { startTime: "-1h" }) as { range: Value };
    expect(String(range["from"])).toMatch(/^2026-03-0/);
    expect(await demo.stop()).toBe(0);
  });
});

describe("mkt engine --speed", () => {
  test("gives an operation that is repeated after market hours its first answer", async () => {
    const engine = await startSimulatedMarket({ clock: { start: Date.parse(START), speed: 1000, lockstep: false } });
    const client = await connected(clientHere(engine.environmentFor("riverbend-trader-1")));
    // Two hours of market time, so seven seconds, to send the order.
    const later = new Date(await marketTimeOf(engine) + 2 * HOUR_MS).toISOString();
    const { modules } = await succeed(client, "mkt_find_modules", {
      moduleType: "CONTRACT",
      filters: { deliveryStart: { value: later, operator: "gt" } },
      sort: "deliveryStart",
      includeData: true,
      limit: 1,
    }) as { modules: Value[] };
    const [contract] = modules;
    const order = { contractId: contract?.["id"], side: "BUY", price: 100, quantity: 1, idempotencyKey: "once" };
    const first = await succeed(client, "mkt_create_test_order", order);
    const [expiry] = await until(() => eventsOf(client, "expire.order"), ({ length }) => length > 0);
    expect(expiry?.["time"]).toBe(String(contract?.["deliveryStart"]));
    expect(await succeed(client, "mkt_create_test_order", order)).toMatchObject({ orderId: first["orderId"] });
    expect(await eventsOf(client, "new.order")).toHaveLength(1);
  });

  test("goes on from its last market time with its speed after SIGTERM and after SIGKILL, and stood still meanwhile", async () => {
    const data = temporaryDirectory();
    const first = await startEngineProcess({ args: ["--data", data, "--speed", "100", "--start", START] });
    await until(async () => await marketTimeOf(first) > Date.parse(START) + 60_000, "a minute of market time");
    const seen = await marketTimeOf(first);
    expect(await first.stop()).toBe(0);
    const second = await startEngineProcess({ args: ["--data", data] });
    const { clock } = await healthOf(second);
    expect(clock).toEqual({ mode: "fast", speed: 100 });
    expect(await marketTimeOf(second)).toBeGreaterThanOrEqual(seen);
    const operator = await connect(second, OPERATOR);
    expect((await operator.request("market.halt", {}, "halt")).status).toBe("ok");
    const halted = operator.events.find(({ type }) => type === "halt.market");
    await second.crash();
    const third = await startEngineProcess({ args: ["--data", data] });
    const again = await connect(third, OPERATOR);
    expect(await marketTimeOf(third)).toBeGreaterThanOrEqual(Date.parse(halted?.time ?? ""));
    expect(again.states.find(({ statePath }) => statePath.startsWith("/MARKET/"))?.state?.["halted"]).toBe(true);
    expect((await healthOf(third)).clock).toEqual({ mode: "fast", speed: 100 });
    expect(await third.stop()).toBe(0);
  });

  test("is set by mkt_sim_start of a simulator elsewhere, and set back by mkt_sim_stop", async () => {
    const engine = await startEngineProcess();
    const simulator = startMkt(["sim", "--port", "0", "--backend", engine.webSocketUrl]);
    const [, url] = await simulator.untilStderr(/sim: (http:\/\/[0-9.:]+)/);
    const client = await clientHere({ ...engine.environmentFor(OPERATOR), MKT_SIM_URL: url ?? "" });
    await succeed(client, "mkt_sim_start", { preset: "thin", seed: 3, speed: 500 });
    expect((await healthOf(engine)).clock).toEqual({ mode: "fast", speed: 500 });
    const operator = await connect(engine, OPERATOR);
    await until(() => operator.events.filter(({ type }) => type === "change.spot").length > 2, "spot prices");
    const last = operator.events.findLast(({ type }) => type === "change.spot");
    const behindMs = Date.parse(last?.time ?? "") - Date.parse(String(last?.data["time"]));
    // The simulator's estimate of market time is behind the engine's, never ahead.
    expect(behindMs).toBeGreaterThanOrEqual(0);
    await succeed(client, "mkt_sim_stop");
    expect((await healthOf(engine)).clock).toEqual({ mode: "fast", speed: 1 });
  });
});

describe("mkt engine --lockstep", () => {
  test("moves with clock.advance only, and refuses a speed", async () => {
    const engine = await startEngineProcess({ args: ["--lockstep", "--start", START] });
    const operator = await connect(engine, OPERATOR);
    expect(await marketTimeOf(engine)).toBe(Date.parse(START));
    const to = "2026-03-02T06:00:00.000Z";
    expect(await operator.request("clock.advance", { to })).toMatchObject({ status: "ok", result: { marketTime: to } });
    expect(operator.events.filter(({ type }) => type === "new.contract").every(({ time }) => time === to)).toBe(true);
    expect(await marketTimeOf(engine)).toBe(Date.parse(to));
    const environment = engine.environmentFor(OPERATOR);
    expect((await runMkt(["doctor"], environment)).stdout).toContain(`market time ${to} in lockstep`);
    const client = await clientHere(environment);
    const refused = await client.call("mkt_sim_start", { speed: 10 });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining("lockstep")]);
    expect(await succeed(client, "mkt_sim_status")).toMatchObject({ speed: 0, marketTime: to });
  });
});

describe("a clock that can't be", () => {
  test.each<[string[], string]>([
    [["--speed", "0"], "--speed: a number from 0.1 to 1000"],
    [["--speed", "1e4"], "--speed: a number from 0.1 to 1000"],
    [["--start", "yesterday"], "--start: an ISO time"],
    [["--start", "2026-02-30"], "--start: an ISO time"],
    [["--lockstep", "--speed", "2"], "--lockstep: has no speed"],
  ])("%p is refused with status 2", async (args, reason) => {
    const command = args.includes("--lockstep") ? "demo" : "engine";
    const { exitCode, stderr } = await runMkt([command, "--port", "0", ...args]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });

  test("--start is refused with one line if the market stands at another time", async () => {
    const data = temporaryDirectory();
    const first = await startEngineProcess({ args: ["--data", data, "--start", START, "--lockstep"] });
    const operator = await connect(first, OPERATOR);
    await operator.request("clock.advance", { to: "2026-03-02T05:31:00.000Z" });
    expect(await first.stop()).toBe(0);
    const refused = await runMkt(["engine", "--port", "0", "--data", data, "--start", START], { LOG_LEVEL: "error" });
    expect([refused.exitCode, refused.stderr.trim()]).toEqual([
      1,
      `mkt: ${data} holds a market that stands at 2026-03-02T05:31:00.000Z; ` +
      "leave out --start to continue with it, or name another directory",
    ]);
    const again = await startEngineProcess({ args: ["--data", data, "--start", "2026-03-02T05:31:00Z"] });
    expect((await healthOf(again)).clock).toEqual({ mode: "lockstep", speed: 0 });
  });
});
