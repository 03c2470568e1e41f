import { describe, expect, test } from "bun:test";
import packageJson from "../../../../package.json" with { type: "json" };
import { ACTING_USER_HEADER, PATHS } from "../../../../protocol/index.ts";
import { embedSimulator } from "../../../../sim/live/embedded-simulator.ts";
import { logger } from "../../../../common/logger.ts";
import { startTestEngine } from "../../../support/engines.ts";
import { faultsOf, type MetricFamily, parseMetrics, valueIn } from "../../../support/metrics-text.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { until } from "../../../support/until.ts";
import { MemoryDisk } from "../../support/memory-journal.ts";
import { CONTRACT, start } from "../journalled-engine.ts";
import { BUYER, connect, OPERATOR, restingBuy, SELLER, serveTestEngine, submission, VIEWER } from "../harness.ts";

const TOKEN = "a-token-of-the-tests";

async function scrape(
  { url }: { readonly url: string },
  headers: Record<string, string> = {},
): Promise<ReadonlyMap<string, MetricFamily>> {
  const response = await fetch(`${url}${PATHS.metrics}`, { headers });
  expect(response.headers.get("Content-Type")).toContain("version=0.0.4");
  return parseMetrics(await response.text());
}

describe("the engine's metrics", () => {
  test("count what clients have done", async () => {
    const engine = serveTestEngine({ limits: { requestsPerSecond: 20 }, rateClock: () => 0 });
    const [buyer, seller] = [await connect(engine, BUYER), await connect(engine, SELLER)];
    const { contractId } = engine;
    const buy = restingBuy(contractId);
    for (let order = 0; order < 2; order++) expect((await buyer.request("order.submit", buy)).status).toBe("ok");
    expect((await seller.request("order.submit", { ...buy, side: 1 })).status).toBe("ok");
    expect(await seller.request("order.cancel", { orderId: "o-99" })).toMatchObject({ code: "not_found" });
    seller.send({ kind: "request", requestId: "odd", operationId: "odd", action: "order.juggle", payload: {} });
    expect((await seller.response("odd")).code).toBe("invalid_payload");
    seller.send({ kind: "novelty" });
    seller.send({ ...submission("shapeless", buy), operationId: 7 });
    expect((await seller.response("shapeless")).code).toBe("invalid_payload");
    for (let number = 0; number < 40; number++) seller.send(submission(`burst-${number}`, buy));
    expect((await seller.response("burst-39")).code).toBe("rate_limited");
    buyer.sendText("no JSON");
    expect(await buyer.refused()).toBe("invalid_message");

    const families = await scrape(engine);
    const value = (name: string, labels: Record<string, string> = {}) =>
      valueIn(families, `mkt_engine_${name}`, labels);
    const sent = value("requests_total", { action: "order.submit", outcome: "ok" });
    expect(sent).toBeGreaterThanOrEqual(3);
    expect(value("requests_total", { action: "order.cancel", outcome: "not_found" })).toBe(1);
    expect(value("request_duration_seconds_count")).toBe(sent + 1);
    expect(value("trades_total")).toBe(1);
    expect(value("orders_total")).toBe(sent);
    expect(value("open_orders")).toBe(sent - 2);
    expect(value("events_total")).toBe(engine.engine.sequence - engine.epoch);
    expect(value("event_number")).toBe(engine.engine.sequence);
    expect(value("unknown_messages_total")).toBe(1);
    expect(value("refused_messages_total", { code: "invalid_payload" })).toBe(2);
    expect(value("refused_messages_total", { code: "rate_limited" })).toBe(43 - sent);
    expect(value("ended_connections_total", { code: "invalid_message" })).toBe(1);
    expect(value("connections")).toBe(1);
    expect(value("http_requests_total", { status: "101" })).toBe(2);
    expect([...families.keys()].filter((name) => /journal|checkpoint|disk|storage/.test(name))).toEqual([]);
  });

  test("count a connection whose frame was too large, and which ended alone", async () => {
    const engine = serveTestEngine({ limits: { frameBytes: 4096 } });
    const [client, other] = [await connect(engine, BUYER), await connect(engine, VIEWER)];
    client.sendText("x".repeat(4097));
    await client.ended();
    await other.settled();
    await until(
      async () =>
        valueIn(await scrape(engine), "mkt_engine_ended_connections_total", { code: "connection_fault" }) === 1,
      "the count",
    );
    expect(valueIn(await scrape(engine), "mkt_engine_connections")).toBe(1);
  });

  test("tell of the journal and the disk if there is a data directory, and go on after a restart", async () => {
    const data = temporaryDirectory();
    const first = await startTestEngine({ data });
    const simulator = embedSimulator({ engine: first, log: logger("test"), now: Date.now });
    const client = await connect(first, BUYER);
    const contractId = client.states.findLast(({ statePath }) => statePath.startsWith("/CONTRACT/"))?.state?.id ?? "";
    await client.request("order.submit", restingBuy(contractId));
    const families = await scrape(first);
    expect([...families.values()].flatMap(faultsOf)).toEqual([]);
    const value = (name: string, labels: Record<string, string> = {}) => valueIn(families, name, labels);
    const records = value("mkt_engine_journal_records_total");
    expect(records).toBeGreaterThanOrEqual(2);
    expect(value("mkt_engine_journal_records_since_checkpoint")).toBe(records);
    expect(value("mkt_engine_commit_duration_seconds_count")).toBeGreaterThanOrEqual(2);
    expect(value("mkt_engine_data_size_bytes", { kind: "journal" })).toBeGreaterThan(4096);
    expect(value("mkt_engine_data_size_bytes", { kind: "checkpoint" })).toBe(0);
    expect(value("mkt_engine_disk_free_bytes")).toBeGreaterThan(1e6);
    expect(value("mkt_engine_storage_full")).toBe(0);
    expect(value("mkt_engine_build_info", { version: packageJson.version })).toBe(1);
    expect(value("mkt_simulation_running")).toBe(0);
    expect(families.get("mkt_engine_last_checkpoint_timestamp_seconds")?.samples).toEqual([]);
    expect(families.get("mkt_engine_last_backup_timestamp_seconds")?.samples).toEqual([]);
    await (await fetch(`${first.url}${PATHS.backup}`, { headers: { [ACTING_USER_HEADER]: OPERATOR } })).arrayBuffer();
    await until(
      async () => valueIn(await scrape(first), "mkt_engine_backups_total", { outcome: "taken" }) === 1,
      "the end of the backup",
    );
    const sinceBackup = Date.now() / 1000 - valueIn(await scrape(first), "mkt_engine_last_backup_timestamp_seconds");
    expect(Math.abs(sinceBackup)).toBeLessThan(3_600);
    await simulator.close();
    await first.stop();

    const second = await startTestEngine({ data });
    const again = await scrape(second);
    expect(valueIn(again, "mkt_engine_orders_total")).toBe(1);
    expect(valueIn(again, "mkt_engine_journal_records_total")).toBeGreaterThan(records);
    const counters: { name: string; startedAt?: number }[] = await (await second.metrics()).getMetricsAsJSON();
    const goOn = counters.filter(({ startedAt }) => startedAt !== undefined).map(({ name }) => name);
    expect(goOn).toEqual(expect.arrayContaining(["mkt_engine_trades_total", "mkt_engine_journal_records_total"]));
    const age = Date.now() / 1000 - valueIn(again, "mkt_engine_last_checkpoint_timestamp_seconds");
    expect(age).toBeGreaterThan(-5);
    expect(age).toBeLessThan(600);
    // In two copies, and beside the operations.
    expect(valueIn(again, "mkt_engine_data_size_bytes", { kind: "checkpoint" }))
      .toBeGreaterThan(2 * valueIn(again, "mkt_engine_last_checkpoint_size_bytes"));
    expect(valueIn(again, "mkt_engine_last_checkpoint_size_bytes")).toBeGreaterThan(1000);
  });

  test("count checkpoints, failed ones too", async () => {
    const disk = new MemoryDisk();
    const engine = start(disk, { checkpointRecords: 20 });
    const client = await connect(engine, BUYER);
    const count = async (outcome: string) => valueIn(await scrape(engine), "mkt_engine_checkpoints_total", { outcome });
    const { header } = disk;
    // Without the journal's header a checkpoint can't be made.
    disk.header = null;
    await until(async () => {
      await client.request("order.submit", restingBuy(CONTRACT));
      return await count("failed") === 1;
    }, "a checkpoint that fails");
    expect((await scrape(engine)).get("mkt_engine_last_checkpoint_duration_seconds")?.samples).toEqual([]);
    disk.header = header;
    await until(async () => {
      await client.request("order.submit", restingBuy(CONTRACT));
      return await count("saved") === 1;
    }, "a checkpoint");
    const families = await scrape(engine);
    expect(valueIn(families, "mkt_engine_checkpoints_total", { outcome: "failed" })).toBe(1);
    expect(valueIn(families, "mkt_engine_checkpoint_interval_records")).toBeGreaterThanOrEqual(20);
    expect(valueIn(families, "mkt_engine_last_checkpoint_duration_seconds")).toBeGreaterThan(0);
    expect(valueIn(families, "mkt_engine_journal_records_since_checkpoint"))
      .toBeLessThan(valueIn(families, "mkt_engine_journal_records_total"));
  });

  test("need a token if the engine has one, and no user", async () => {
    const engine = serveTestEngine({ token: TOKEN });
    expect((await fetch(`${engine.url}${PATHS.metrics}`)).status).toBe(401);
    const families = await scrape(engine, { Authorization: `Bearer ${TOKEN}` });
    expect(valueIn(families, "mkt_engine_http_requests_total", { status: "401" })).toBe(1);
  });
});
