// The metrics of the compiled executable: both of `mkt demo`, in one process, and those of `mkt sim`.

import { expect, test } from "bun:test";
import { everyMetric, type Family } from "../../scripts/metric-table.ts";
import { BUYER, connect, restingBuy, SELLER } from "../engine/server/harness.ts";
import { connectHttp, failure, succeed } from "../support/clients.ts";
import { startMkt } from "../support/executable.ts";
import { faultsOf, type MetricFamily, parseMetrics, valueIn } from "../support/metrics-text.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const [ENGINE_TOKEN, SERVER_TOKEN] = ["token-of-the-engine", "token-of-the-server"];
const OF_REPLICAS = ["mkt_redis_connected", "mkt_replicas", "mkt_shared_log_lag"];
const every = await everyMetric();

async function scrape(url: string, token?: string): Promise<ReadonlyMap<string, MetricFamily>> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/metrics`, { headers });
  expect(response.status).toBe(200);
  const families = parseMetrics(await response.text());
  expect([...families.values()].flatMap(faultsOf)).toEqual([]);
  return families;
}

const namesOf = (families: readonly Family[]) =>
  families.map(({ name }) => name).filter((name) => !OF_REPLICAS.includes(name)).toSorted();

test("mkt demo has the metrics of engine and server, each on its port, with the numbers of what was done", async () => {
  const demo = startMkt(
    ["demo", "--no-sim", "--port", "0", "--engine-port", "0", "--data", temporaryDirectory()],
    { MKT_BEARER_TOKEN: ENGINE_TOKEN, MCP_BEARER_TOKEN: SERVER_TOKEN },
  );
  const [, serverUrl = ""] = await demo.untilStderr(/look at the market yourself: (http:\/\/[\d.:]+)\//);
  const [, engineAddress = ""] = await demo.untilStderr(/engine +http:\/\/([\d.:]+),/);
  for (const url of [serverUrl, `http://${engineAddress}`]) expect((await fetch(`${url}/metrics`)).status).toBe(401);

  const client = await connectHttp("v2", serverUrl, SERVER_TOKEN);
  expect(await failure(client, "mkt_list_orders")).toMatchObject({ error: { code: "not_connected" } });
  await succeed(client, "mkt_connect_pubsub");
  const webSocketUrl = `ws://${engineAddress}/ws`;
  const [buyer, seller] = [
    await connect({ webSocketUrl }, BUYER, { token: ENGINE_TOKEN }),
    await connect({ webSocketUrl }, SELLER, { token: ENGINE_TOKEN }),
  ];
  const contractId = buyer.states.findLast(({ statePath }) => statePath.startsWith("/CONTRACT/"))?.state?.id ?? "";
  await buyer.request("order.submit", restingBuy(contractId));
  expect((await seller.request("order.submit", { ...restingBuy(contractId), side: 1 })).status).toBe("ok");
  await succeed(client, "mkt_get_recent_events", { category: "fill", waitSeconds: 30, since: 1 });

  const engine = await scrape(`http://${engineAddress}`, ENGINE_TOKEN);
  expect([...engine.keys()].toSorted()).toEqual(namesOf(every.engine));
  const ofEngine = (name: string, labels: Record<string, string> = {}) => valueIn(engine, `mkt_engine_${name}`, labels);
  expect(ofEngine("trades_total")).toBe(1);
  expect(ofEngine("commit_duration_seconds_count")).toBeGreaterThanOrEqual(3);
  expect(ofEngine("http_requests_total", { status: "401" })).toBe(1);

  const server = await scrape(serverUrl, SERVER_TOKEN);
  expect([...server.keys()].toSorted()).toEqual(namesOf(every.server));
  const ofServer = (name: string, labels: Record<string, string> = {}) => valueIn(server, `mkt_${name}`, labels);
  expect(ofServer("tool_calls_total", { tool: "mkt_list_orders", outcome: "not_connected" })).toBe(1);
  expect(ofServer("tool_call_duration_seconds_count", { tool: "mkt_connect_pubsub" })).toBe(1);
  expect(ofServer("pubsub_status", { status: "connected" })).toBe(1);
  expect(ofServer("events_total", { category: "fill" })).toBeGreaterThanOrEqual(1);
  expect(ofServer("snapshot_modules", { type: "TRADE" })).toBe(1);
  expect(ofServer("http_requests_total", { status: "401" })).toBe(1);
  for (const families of [engine, server]) {
    expect(valueIn(families, "process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(valueIn(families, "process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(Date.now() / 1000).toBeGreaterThan(valueIn(families, "process_start_time_seconds") - 1);
  }
  await client.close();
});

test("mkt sim has metrics of its own, also while its engine is away", async () => {
  const sim = startMkt(["sim", "--port", "0", "--backend", "ws://127.0.0.1:1/ws"]);
  const [, url = ""] = await sim.untilStderr(/sim: (http:\/\/127\.0\.0\.1:\d+)/);
  const families = await scrape(url);
  expect([...families.keys()].toSorted()).toEqual(namesOf(every.simulator));
  expect(valueIn(families, "mkt_simulation_running")).toBe(0);
});
