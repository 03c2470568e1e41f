// The audit trail of the compiled engine in table storage, read by official clients, also while the storage is unreachable.
// What each store finds is in tests/common/audit, and what the tools answer in tests/plugins/audit-*.

import { beforeAll, describe, expect, test } from "bun:test";
import { type Azurite, startAzurite, storageEnvironment } from "../support/azurite.ts";
import { clientHere } from "../support/in-process.ts";
import { connected, failure, succeed, type TestClient } from "../support/official-client.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { type RunningEngineProcess, startEngineProcess } from "../support/executable.ts";
import { LoadClient, orderIdOf } from "../support/load-client.ts";
import { startPowerMarket } from "../support/power-market.ts";
import { TableProxy } from "../support/table-proxy.ts";
import { MARKET_FILE, NORTH, submit } from "./support/market.ts";
import { until } from "../support/until.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { LONG } from "../support/sizes.ts";

const AZURE = { MKT_AUDIT_STORE: "azure" };

type Page = { readonly events: readonly Record<string, unknown>[]; readonly hasMore: boolean; readonly cursor: string };

const namesOf = (page: unknown) => (page as Page).events.map(({ event }) => event);

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

test("a trail that the engine writes to table storage is read from there, each user's part of it", async () => {
  const storage = storageEnvironment((await startAzurite()).port);
  const engine = await startEngineProcess({ args: ["--market", MARKET_FILE, "--audit", "azure"], env: storage });
  const environmentFor = (userId: string) => ({ ...engine.environmentFor(userId), ...storage, ...AZURE });
  const [operator, anna, bert] = await Promise.all(
    ["operator", "anna", "bert"].map((userId) => connected(clientHere(environmentFor(userId)))),
  ) as [TestClient, TestClient, TestClient];

  const { orderId: filled } = await submit(anna, "BUY", 4500, 10);
  await submit(bert, "SELL", 4400, 10);
  const { orderId: cancelled } = await submit(anna, "BUY", 3000, 5);
  const pair = { entityId: "aurora", counterpartyId: "cirrus" };
  await succeed(anna, "mkt_set_credit_limit", { ...pair, limitType: "mw", scope: "total", limit: 7 });
  const raw = await new LoadClient(engine.webSocketUrl, "anna").welcomed();
  await raw.request("order.modify", { orderId: cancelled, price: 3100 }, "modify");
  await succeed(anna, "mkt_cancel_order", { orderId: cancelled });
  const refused = { contractId: NORTH, side: 0, price: 999_999, quantity: 1, clientOrderId: "refused" };
  await raw.request("order.submit", refused, "refused");
  await succeed(operator, "mkt_halt_market", { reason: `"It's stale", says the feed's owner` });
  raw.close();

  const trail = (input: Record<string, unknown>) => succeed(operator, "mkt_get_audit_log", input);
  const lifeOf = (orderId: unknown) => succeed(operator, "mkt_get_order_events", { orderId });
  // An event is written to each index by itself, so each is waited for.
  const becomes = async (read: () => Promise<Record<string, unknown>>, expected: readonly string[]) => {
    const names = () => read().then(namesOf, () => []);
    expect(await until(names, (found) => Bun.deepEquals(found, expected))).toEqual([...expected]);
  };
  for (const input of [{}, { moduleType: "MARKET" }, { event: "marketHalted" }]) {
    await becomes(() => trail({ ...input, limit: 1 }), ["marketHalted"]);
  }
  await becomes(() => lifeOf(filled), ["orderFilled", "orderQueued"]);
  await becomes(() => lifeOf(cancelled), ["orderCancelled", "orderModified", "orderQueued"]);
  await becomes(() => lifeOf("refused:anna:refused"), ["orderRejected"]);
  await becomes(() => trail({ moduleType: "CREDIT" }), ["creditLimitSet"]);
  expect(namesOf(await trail({ search: `"it's STALE"`, startTime: "-1h" }))).toEqual(["marketHalted"]);
  expect(namesOf(await trail({ search: "' or '1' eq '1" }))).toEqual([]);
  const { events } = await trail({ limit: 200 }) as unknown as Page;
  expect(await walk(operator, { limit: 4 })).toEqual([...events]);

  for (const userId of ["cleo", "submitter"]) {
    const client = await clientHere(environmentFor(userId));
    expect(namesOf(await succeed(client, "mkt_get_audit_log", { moduleType: "CREDIT" }))).toEqual([]);
    const refusal = await failure(client, "mkt_get_order_events", { orderId: filled });
    expect(refusal).toMatchObject({ error: { code: "forbidden" } });
  }
});

describe("unreachable table storage", () => {
  let azurite: Azurite;
  let proxy: TableProxy;

  beforeAll(async () => {
    azurite = await startAzurite();
    proxy = new TableProxy(azurite.port);
  });

  async function start(data: string, port = 0): Promise<RunningEngineProcess> {
    const args = ["--market", MARKET_FILE, "--audit", "azure", "--data", data];
    const env = { ...storageEnvironment(proxy.port), LOG_LEVEL: "warn" };
    return await startEngineProcess({ args, env, port });
  }

  /** Submits orders one after the other and returns their ids. */
  async function trade(engine: RunningEngineProcess, count: number): Promise<string[]> {
    const client = await new LoadClient(engine.webSocketUrl, "anna").welcomed();
    const ids: string[] = [];
    for (let order = 0; order < count; order += 1) {
      const payload = { contractId: NORTH, side: 0, price: 1000, quantity: 1, timeInForce: "gtc" };
      ids.push(orderIdOf(await client.request("order.submit", payload, crypto.randomUUID())));
    }
    client.close();
    return ids;
  }

  test.skipIf(!LONG)(
    "stops neither matching nor a restart after kill -9, and receives every event once when it is back",
    async () => {
      const data = temporaryDirectory();
      const first = await start(data);
      const env = { ...first.environmentFor("operator"), ...storageEnvironment(proxy.port), ...AZURE };
      const operator = await clientHere(env);
      /** Ids of the orderQueued events of the trail, newest first. */
      const queued = async () =>
        (await walk(operator, { event: "orderQueued", limit: 200 })).map(({ orderId }) => orderId);
      const ids = await trade(first, 5);
      await until(() => queued().catch(() => []), ({ length }) => length === 5);
      await proxy.disconnect();
      ids.push(...await trade(first, 50));
      await first.untilStderr(/audit events wait to be delivered/);
      expect(await failure(operator, "mkt_get_audit_log")).toMatchObject({ error: { code: "backend_unavailable" } });
      await first.crash();
      const second = await start(data, first.port);
      ids.push(...await trade(second, 20));
      proxy.connect();
      expect(await until(queued, ({ length }) => length >= ids.length)).toEqual(ids.toReversed());
    },
  );

  test("is reported by mkt doctor, with the fix", async () => {
    const engine = await startPowerMarket();
    const doctor = async (env: Record<string, string>) => {
      const all = { ...engine.environmentFor("operator"), MKT_AUDIT_STORE: "azure", LOG_LEVEL: "error", ...env };
      const { stdout } = await runMktHere(["doctor"], all);
      return stdout.split("\n").find((line) => / storage /.test(line));
    };
    expect(await doctor({ ...storageEnvironment(azurite.port), MKT_STORAGE_KEY: btoa("wrong") })).toMatch(
      /^failed +storage +.*refuses the credential.*MKT_STORAGE_KEY/,
    );
  });

  test("without a key uses the platform's credential, and says so if there is none", async () => {
    const engine = await startPowerMarket();
    const { stdout, exitCode } = await runMktHere(["call", "mkt_get_audit_log"], {
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
    const error = { code: "not_configured", hint: expect.stringContaining("MKT_STORAGE_KEY") };
    expect(JSON.parse(stdout)).toMatchObject({ error });
  });

  test("is a start error that names each missing variable", async () => {
    const { exitCode, stderr } = await runMktHere(["engine", "--port", "0", "--audit", "azure"]);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      "mkt: STORAGE_TABLE_ENDPOINT: is required for --audit azure\nmkt: STORAGE_ACCOUNT_NAME: is required for --audit azure\n",
    );
  });
});
