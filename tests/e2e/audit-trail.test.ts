// The audit trail of the compiled engine, read by an official client from each store, and what happens while table storage is
// unreachable.

import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { WEEKDAYS } from "../../engine/market/session-schedule.ts";
import { type Azurite, startAzurite, storageEnvironment } from "../support/azurite.ts";
import { clientHere } from "../support/in-process.ts";
import { connected, failure, succeed, type TestClient } from "../support/official-client.ts";
import { runMkt, type RunningEngineProcess, startEngineProcess } from "../support/executable.ts";
import { LoadClient, orderIdOf } from "../support/load-client.ts";
import { TableProxy } from "../support/table-proxy.ts";
import { MARKET_FILE, NORTH, submit } from "./support/market.ts";
import { until } from "../support/until.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const DAY_MS = 86_400_000;
/** A contract of a second market, which is closed and opens in three days. */
const LATER = "later-base-2099";

const folder = temporaryDirectory();
const marketFile = join(folder, "market.json");
const market = await Bun.file(MARKET_FILE).json();
const { markets: [power], products: [northBase], contracts: [contract] } = market;
const opens = WEEKDAYS[(new Date(Date.now() + 2 * DAY_MS).getUTCDay()) % WEEKDAYS.length];
const schedule = { days: [opens], preopen: "11:00", open: "12:00", close: "13:00" };
market.markets.push({ ...power, id: "later", code: "LTR", schedule });
market.products.push({ ...northBase, id: "later-base", marketId: "later", code: "LB" });
market.contracts.push({ ...contract, id: LATER, productId: "later-base", code: "LB-2099" });
await Bun.write(marketFile, JSON.stringify(market));

type Page = { readonly events: readonly Record<string, unknown>[]; readonly hasMore: boolean; readonly cursor: string };

const eventsOf = (page: unknown) => (page as Page).events;
const namesOf = (page: unknown) => eventsOf(page).map(({ event }) => event);

/** The events of every page of the trail, newest first. */
async function walk(client: TestClient, input: Record<string, unknown>): Promise<Record<string, unknown>[]> {
  const events: Record<string, unknown>[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await succeed(client, "mkt_get_audit_log", { ...input, cursor }) as unknown as Page;
    events.push(...page.events);
    if (!page.hasMore) return events;
    cursor = page.cursor;
  }
}

describe.each(["backend", "azure"])("read from the store %s", (store) => {
  let operator: TestClient;
  let environmentFor: (userId: string) => Record<string, string>;
  /** Order ids by what happened to the order. */
  const orders: Record<string, string> = {};
  let rejected = "";

  const trader = (userId: string) => connected(clientHere(environmentFor(userId)));
  const trail = (input: Record<string, unknown> = {}) => succeed(operator, "mkt_get_audit_log", input);
  const lifeOf = async (orderId: string, input = {}) =>
    namesOf(await succeed(operator, "mkt_get_order_events", { orderId, ...input }));

  beforeAll(async () => {
    const azurite = store === "azure" ? await startAzurite() : null;
    const storage = azurite === null ? {} : storageEnvironment(azurite.port);
    const args = ["--market", marketFile, ...(azurite === null ? [] : ["--audit", "azure"])];
    const engine = await startEngineProcess({ args, env: storage });
    environmentFor = (userId) => ({ ...engine.environmentFor(userId), ...storage, MKT_AUDIT_STORE: store });
    operator = await trader("operator");
    await actOutADay(engine);
    // Waits for the last event of the day in each index.
    for (const input of [{}, { moduleId: orders["expired"] }, { event: "orderExpired" }]) {
      const read = () => trail(input).catch(() => ({ events: [] }));
      await until(read, (page) => namesOf(page)[0] === "orderExpired");
    }
  });

  /** Orders with every outcome, a credit limit, a halt and a resume. */
  async function actOutADay(engine: RunningEngineProcess): Promise<void> {
    const [anna, bert] = [await trader("anna"), await trader("bert")];
    orders["filled"] = String((await submit(anna, "BUY", 4500, 10))["orderId"]);
    await submit(bert, "SELL", 4400, 10);
    orders["cancelled"] = String((await submit(anna, "BUY", 3000, 5))["orderId"]);
    await succeed(anna, "mkt_set_credit_limit", {
      entityId: "aurora",
      counterpartyId: "cirrus",
      limitType: "mw",
      scope: "total",
      limit: 7,
    });
    const raw = await new LoadClient(engine.webSocketUrl, "anna").welcomed();
    await raw.request("order.modify", { orderId: orders["cancelled"], price: 3100 }, "modify");
    await succeed(anna, "mkt_cancel_order", { orderId: orders["cancelled"] });
    rejected = `refused:anna:rejected-${store}`;
    await raw.request("order.submit", {
      contractId: NORTH,
      side: 0,
      price: 999_999,
      quantity: 1,
      clientOrderId: `rejected-${store}`,
    }, "r");
    await succeed(operator, "mkt_halt_market", { marketId: "later", reason: `"It's stale", says the feed's owner` });
    const day = { contractId: LATER, side: 0, price: 4000, quantity: 1, timeInForce: "day" };
    const held = await raw.request("order.submit", day, "held");
    orders["expired"] = orderIdOf(held);
    await succeed(operator, "mkt_resume_market", { marketId: "later" });
    raw.close();
  }

  test("an order's history has submit, modify, cancel, fill, reject and expire, newest first", async () => {
    expect(await lifeOf(orders["filled"] ?? "")).toEqual(["orderFilled", "orderQueued"]);
    expect(await lifeOf(orders["cancelled"] ?? "")).toEqual(["orderCancelled", "orderModified", "orderQueued"]);
    expect(await lifeOf(orders["expired"] ?? "")).toEqual(["orderExpired", "orderHeld", "orderQueued"]);
    expect(await lifeOf(rejected)).toEqual(["orderRejected"]);
  });

  test("an order's history of one day has that day's events, and is empty for the day before", async () => {
    const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
    const [order, page] = [
      orders["filled"] ?? "",
      await succeed(operator, "mkt_get_order_events", { orderId: orders["filled"] }),
    ];
    expect(page).toMatchObject({ orderId: order, count: 2, hasMore: false, range: { to: day(0), from: day(-6) } });
    expect(await lifeOf(order, { date: eventsOf(page)[0]?.["time"]?.toString().slice(0, 10) })).toHaveLength(2);
    expect(await lifeOf(order, { date: day(-1) })).toEqual([]);
  });

  test("the trail is filtered by type, module, event and text, alone and together", async () => {
    expect(namesOf(await trail({ moduleType: "MARKET" }))).toEqual(["marketResumed", "marketHalted"]);
    expect(namesOf(await trail({ moduleId: "later", event: "marketHalted" }))).toEqual(["marketHalted"]);
    expect(namesOf(await trail({ search: `"it's STALE"`, startTime: "-1h" }))).toEqual(["marketHalted"]);
    expect(namesOf(await trail({ search: "stale", moduleType: "ORDER", startTime: "-7d" }))).toEqual([]);
    const all = { moduleType: "MARKET", moduleId: "later", event: "marketHalted", search: "feed", startTime: "-30m" };
    expect(eventsOf(await trail(all))).toMatchObject([{
      userId: "operator",
      details: { reason: `"It's stale", says the feed's owner` },
    }]);
  });

  test("the cursor visits each event of the trail once", async () => {
    const whole = eventsOf(await trail({ limit: 200 })).map(({ id }) => id);
    expect(whole.length).toBeGreaterThan(12);
    const walked = await walk(operator, { limit: 4 });
    expect(walked.map(({ id }) => id)).toEqual(whole);
  });

  test("treats quotes in filter values as text", async () => {
    for (const text of ["' or '1' eq '1", "later' or PartitionKey ge '", "\u0000", "x".repeat(200)]) {
      for (const name of ["moduleId", "search"]) expect(namesOf(await trail({ [name]: text }))).toEqual([]);
      for (const name of ["moduleType", "event"]) {
        expect(await failure(operator, "mkt_get_audit_log", { [name]: text })).toMatchObject({
          error: { code: "invalid_filter", message: expect.stringContaining(name) },
        });
      }
      expect(await failure(operator, "mkt_get_order_events", { orderId: text })).toMatchObject({
        error: { code: "not_found" },
      });
    }
  });

  test("omits the credit of others, and leaves an order's history to operators", async () => {
    expect(namesOf(await trail({ moduleType: "CREDIT" }))).toEqual(["creditLimitSet"]);
    const cleo = await clientHere(environmentFor("cleo"));
    expect(namesOf(await succeed(cleo, "mkt_get_audit_log", { moduleType: "CREDIT" }))).toEqual([]);
    expect(namesOf(await succeed(cleo, "mkt_get_audit_log", { moduleType: "MARKET" }))).toHaveLength(2);
    expect(await failure(cleo, "mkt_get_order_events", { orderId: orders["filled"] })).toMatchObject({
      error: { code: "forbidden" },
    });
    const nobody = await clientHere(environmentFor("submitter"));
    expect(namesOf(await succeed(nobody, "mkt_get_audit_log", { moduleType: "CREDIT" }))).toEqual([]);
  });
});

describe("unreachable table storage", () => {
  let azurite: Azurite;
  let proxy: TableProxy;

  beforeAll(async () => {
    azurite = await startAzurite();
    proxy = new TableProxy(azurite.port);
  });

  async function start(data: string, port = 0): Promise<RunningEngineProcess> {
    const args = ["--market", marketFile, "--audit", "azure", "--data", data];
    const env = { ...storageEnvironment(proxy.port), LOG_LEVEL: "warn" };
    return await startEngineProcess({ args, env, port });
  }

  /** Submits orders one after the other and returns their ids. */
  async function trade(engine: RunningEngineProcess, count: number): Promise<string[]> {
    const client = await new LoadClient(engine.webSocketUrl, "anna").welcomed();
    const ids: string[] = [];
    for (let order = 0; order < count; order += 1) {
      const payload = { contractId: NORTH, side: 0, price: 1000, quantity: 1, timeInForce: "gtc" };
      const response = await client.request("order.submit", payload, crypto.randomUUID());
      ids.push(orderIdOf(response));
    }
    client.close();
    return ids;
  }

  test("stops neither matching nor a restart after kill -9, and receives every event once when it is back", async () => {
    const data = join(folder, "away");
    const first = await start(data);
    const env = { ...first.environmentFor("operator"), ...storageEnvironment(proxy.port), MKT_AUDIT_STORE: "azure" };
    const operator = await clientHere(env);
    /** Ids of the orderQueued events of the trail, newest first. */
    const queued = async () =>
      (await walk(operator, { event: "orderQueued", limit: 200 })).map(({ orderId }) => orderId);
    const ids = await trade(first, 5);
    await until(() => queued().catch(() => []), ({ length }) => length === 5);
    await proxy.disconnect();
    ids.push(...await trade(first, 300));
    await first.untilStderr(/audit events wait to be delivered/);
    expect(await failure(operator, "mkt_get_audit_log")).toMatchObject({ error: { code: "backend_unavailable" } });
    await first.crash();
    const second = await start(data, first.port);
    ids.push(...await trade(second, 20));
    proxy.connect();
    expect(await until(queued, ({ length }) => length >= ids.length)).toEqual(ids.toReversed());
  });

  test("is reported by mkt doctor, with the fix", async () => {
    const engine = await startEngineProcess({ args: ["--market", marketFile] });
    const doctor = async (env: Record<string, string>) => {
      const all = { ...engine.environmentFor("operator"), MKT_AUDIT_STORE: "azure", LOG_LEVEL: "error", ...env };
      const { stdout } = await runMkt(["doctor"], all);
      return stdout.split("\n").find((line) => / storage /.test(line));
    };
    expect(await doctor({ ...storageEnvironment(azurite.port), MKT_STORAGE_KEY: btoa("wrong") })).toMatch(
      /^failed +storage +.*refuses the credential.*MKT_STORAGE_KEY/,
    );
    expect(await doctor({})).toMatch(/^off +storage +.*STORAGE_TABLE_ENDPOINT and STORAGE_ACCOUNT_NAME/);
  });

  test("without a key uses the platform's credential, and says so if there is none", async () => {
    const engine = await startEngineProcess({ args: ["--market", marketFile] });
    const { stdout, exitCode } = await runMkt(["call", "mkt_get_audit_log"], {
      ...engine.environmentFor("operator"),
      ...storageEnvironment(azurite.port),
      STORAGE_TABLE_ENDPOINT: `https://127.0.0.1:${azurite.port}/account`,
      MKT_STORAGE_KEY: "",
      MKT_AUDIT_STORE: "azure",
      // Limits the credential chain to environment variables, so that no network request is made.
      AZURE_TOKEN_CREDENTIALS: "EnvironmentCredential",
      LOG_LEVEL: "error",
    });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "not_configured", hint: expect.stringContaining("MKT_STORAGE_KEY") },
    });
  });

  test("is a start error that names each missing variable", async () => {
    const { exitCode, stderr } = await runMkt(["engine", "--port", "0", "--audit", "azure"]);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      "mkt: STORAGE_TABLE_ENDPOINT: is required for --audit azure\nmkt: STORAGE_ACCOUNT_NAME: is required for --audit azure\n",
    );
  });
});
