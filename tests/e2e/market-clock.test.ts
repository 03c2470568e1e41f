// The market clock on the compiled executable: --speed, --start and --lockstep, and what clients see of it.

import { expect, test } from "bun:test";
import { healthResponse } from "../../protocol/index.ts";
import { connectHttp } from "../support/clients.ts";
import { clientHere } from "../support/in-process.ts";
import { connected, succeed, type TestClient } from "../support/official-client.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { startEngineProcess, startMkt } from "../support/executable.ts";
import { startSimulatedMarket } from "../support/power-market.ts";
import { until } from "../support/until.ts";
import { connect, OPERATOR } from "../engine/server/harness.ts";
import { LONG } from "../support/sizes.ts";

type Value = Readonly<Record<string, unknown>>;

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

test.skipIf(!LONG)(
  "mkt demo --speed 400 has trades, spot prices and the next day within seconds, all in market time",
  async () => {
    // Forty minutes of market time, so six seconds, before the listing.
    const args = ["--preset", "thin", "--speed", "400", "--start", "2026-03-02T05:20:00Z"];
    const demo = startMkt(["demo", "--port", "0", "--engine-port", "0", ...args]);
    await demo.untilStderr(/market time passes 400 times as fast, from 2026-03-02T/);
    const [, url] = await demo.untilStderr(/mcp +(http:\/\/[^/]+)\/mcp/);
    const client = await connected(connectHttp("v2", url ?? ""));
    const [listed] = await until(() => eventsOf(client, "new.contract"), ({ length }) => length > 0);
    expect(listed?.["time"]).toBe("2026-03-02T06:00:00.000Z");
    const trades = await until(() => eventsOf(client, "new.trade"), ({ length }) => length > 3);
    const spots = await until(() => eventsOf(client, "change.spot"), ({ length }) => length > 4);
    const { connections } = await succeed(client, "mkt_connection_status") as { connections: { pubsub: Value } };
    expect(connections.pubsub["clock"]).toEqual({ mode: "fast", speed: 400 });
    const now = Date.parse(String(connections.pubsub["marketTime"]));
    const times = [...trades, ...spots].map(timeOf);
    expect(times.filter((time) => time < Date.parse("2026-03-02T05:20:00Z") || time > now)).toEqual([]);
    expect(spots.every((event) => timeOf(event["data"] as Value) <= timeOf(event))).toBe(true);
    expect(await succeed(client, "mkt_sim_status")).toMatchObject({ status: "running", speed: 400 });
    const { range } = await succeed(client, "mkt_get_audit_log", { startTime: "-1h" }) as { range: Value };
    expect(String(range["from"])).toMatch(/^2026-03-0/);
    expect(await demo.stop()).toBe(0);
  },
);

test.skipIf(!LONG)(
  "mkt_sim_start of a simulator elsewhere sets the speed of mkt engine, and mkt_sim_stop sets it back",
  async () => {
    const engine = await startSimulatedMarket();
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
  },
);

test("mkt engine --lockstep moves with clock.advance only, and refuses a speed", async () => {
  const engine = await startEngineProcess({ args: ["--lockstep", "--start", START] });
  const operator = await connect(engine, OPERATOR);
  expect(await marketTimeOf(engine)).toBe(Date.parse(START));
  const to = "2026-03-02T06:00:00.000Z";
  expect(await operator.request("clock.advance", { to })).toMatchObject({ status: "ok", result: { marketTime: to } });
  expect(operator.events.filter(({ type }) => type === "new.contract").every(({ time }) => time === to)).toBe(true);
  expect(await marketTimeOf(engine)).toBe(Date.parse(to));
  const environment = engine.environmentFor(OPERATOR);
  expect((await runMktHere(["doctor"], environment)).stdout).toContain(`market time ${to} in lockstep`);
  const client = await clientHere(environment);
  const refused = await client.call("mkt_sim_start", { speed: 10 });
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining("lockstep")]);
  expect(await succeed(client, "mkt_sim_status")).toMatchObject({ speed: 0, marketTime: to });
});

test.each<[string[], string]>([
  [["--speed", "0"], "--speed: a number from 0.1 to 1000"],
  [["--speed", "1e4"], "--speed: a number from 0.1 to 1000"],
  [["--start", "yesterday"], "--start: an ISO time"],
  [["--start", "2026-02-30"], "--start: an ISO time"],
  [["--lockstep", "--speed", "2"], "--lockstep: has no speed"],
  [["--max-clock-jump", "1.5"], "--max-clock-jump: a whole number from 0 to 86400"],
])("a clock with %p is refused with status 2", async (args, reason) => {
  const command = args.includes("--lockstep") ? "demo" : "engine";
  const { exitCode, stderr } = await runMktHere([command, "--port", "0", ...args]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
});
