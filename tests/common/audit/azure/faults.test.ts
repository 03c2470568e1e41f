import { afterEach, describe, expect, test } from "bun:test";
import { AzureAuditStore } from "../../../../common/audit/azure/azure-audit-store.ts";
import { AuditFailure } from "../../../../common/audit/audit-failure.ts";
import { ACCOUNT_KEY, ACCOUNT_NAME, emptyTable, endpointOn, startAzurite } from "../../../support/azurite.ts";
import { TableProxy } from "../../../support/table-proxy.ts";
import { EventMaker, ids, NOW, orderQuery, query } from "../support/events.ts";
import { until } from "../../../support/until.ts";

const azurite = await startAzurite();
const proxy = new TableProxy(azurite.port);
afterEach(() => {
  proxy.fault = null;
});

const behindProxy = (timeLimitMs?: number) => emptyTable(azurite, { now: () => NOW, timeLimitMs }, proxy.port);

function storeWith(settings: Partial<ConstructorParameters<typeof AzureAuditStore>[0]>): AzureAuditStore {
  const account = { endpoint: endpointOn(azurite.port), accountName: ACCOUNT_NAME, accountKey: ACCOUNT_KEY };
  return new AzureAuditStore({ ...account, now: () => NOW, ...settings });
}

/** The failure of both read methods, which must be equal. */
async function failureOf(store: AzureAuditStore): Promise<AuditFailure> {
  const [failure, other] = await Promise.all(
    [store.query(query()), store.orderEvents("ORD-1", orderQuery())].map((page) =>
      page.catch((error: unknown) => error)
    ),
  );
  if (!(failure instanceof AuditFailure) || !(other instanceof AuditFailure)) throw failure;
  const facts = ({ code, message, hint }: AuditFailure) => ({ code, message, hint });
  expect(facts(other)).toEqual(facts(failure));
  return failure;
}

describe("table storage", () => {
  test("that never answers is unavailable when the time limit is over", async () => {
    const store = await behindProxy(300);
    proxy.fault = { kind: "silence" };
    expect(await failureOf(store)).toMatchObject({
      code: "backend_unavailable",
      message: expect.stringContaining("has not answered within 300 ms"),
    });
  });

  test("that never answers is not waited for after the reader has given up", async () => {
    const store = await behindProxy();
    proxy.fault = { kind: "silence" };
    const givenUp = new AbortController();
    const reads = [
      store.query(query(), undefined, givenUp.signal),
      store.orderEvents("ORD-1", orderQuery(), givenUp.signal),
    ].map((page) => page.catch((error: unknown) => error));
    givenUp.abort("enough");
    expect(await Promise.all(reads)).toEqual(["enough", "enough"]);
  });

  test.each([[429], [503]])("that answers %d is busy, and says so", async (status) => {
    const store = await behindProxy();
    proxy.fault = { kind: "status", status };
    const { code, message, hint } = await failureOf(store);
    expect([code, hint]).toEqual(["backend_unavailable", "Try again in a few seconds."]);
    expect(message).toContain(`(${status})`);
  });

  test("that is busy for a moment is retried", async () => {
    const store = await behindProxy();
    const event = new EventMaker().next();
    await store.append([event]);
    proxy.fault = { kind: "status", status: 503 };
    const before = proxy.requests.length;
    const asked = store.query(query());
    await until(() => proxy.requests.length > before);
    proxy.fault = null;
    expect(ids((await asked).events)).toEqual([event.id]);
  });

  test("at an address where nothing listens is unavailable, and the message has the address", async () => {
    const endpoint = endpointOn(1);
    expect(await failureOf(storeWith({ endpoint }))).toMatchObject({
      code: "backend_unavailable",
      message: expect.stringContaining(`There is no answer from table storage at ${endpoint}: `),
    });
  });

  test("with a wrong key refuses the credential, and the hint names the variables", async () => {
    for (const accountKey of [btoa("another key".repeat(5)), "no base64!"]) {
      const { code, message, hint } = await failureOf(storeWith({ accountKey }));
      expect(code).toBe("forbidden");
      expect(message).toEndWith("refuses the credential: AuthorizationFailure");
      for (const variable of ["MKT_STORAGE_KEY", "STORAGE_ACCOUNT_NAME"]) expect(hint).toContain(variable);
    }
  });

  test("without the table says that nothing has been written, and creates it with the first events", async () => {
    const store = storeWith({ tableName: "madewhenwritten" });
    const hint = expect.stringContaining("--audit azure");
    expect(await failureOf(store)).toMatchObject({ code: "not_found", hint });
    const event = new EventMaker().next();
    await store.append([event]);
    expect((await store.query(query())).events).toEqual([event]);
  });

  test("without a key sends no credential over plain HTTP", async () => {
    expect(await failureOf(storeWith({ accountKey: null }))).toMatchObject({
      code: "not_configured",
      message: expect.stringContaining("MKT_STORAGE_KEY is not set"),
    });
  });

  test("gives the same failures for appended events", async () => {
    const append = (store: AzureAuditStore) =>
      store.append([new EventMaker().next()]).then(() => null, (error: AuditFailure) => error.code);
    expect(await append(storeWith({ accountKey: btoa("another key") }))).toBe("forbidden");
    const store = await behindProxy(300);
    proxy.fault = { kind: "silence" };
    expect(await append(store)).toBe("backend_unavailable");
    proxy.fault = { kind: "status", status: 503 };
    expect(await append(store)).toBe("backend_unavailable");
  });
});
