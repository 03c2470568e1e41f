import { expect, test } from "bun:test";
import type { AuditReader } from "../../../common/audit/audit-store.ts";
import { auditReader } from "../../../core/audit/audit-reader.ts";
import { ToolError } from "../../../core/error.ts";
import { atEnd } from "../../support/at-end.ts";
import { until } from "../../support/until.ts";
import { configurationFor } from "../support/services.ts";

const DAY = "2026-01-14";

/** What both methods of the configured store throw. */
async function errorWith(environment: Record<string, string>): Promise<ToolError> {
  const backend: AuditReader = { query: () => expect.unreachable(), orderEvents: () => expect.unreachable() };
  const store = auditReader(configurationFor(environment), backend, () => 0);
  const answers = [store.query({ from: DAY, to: DAY, limit: 1 }), store.orderEvents("ORD-1", { date: DAY, limit: 1 })];
  const [error, other] = await Promise.all(answers.map((answer) => answer.then(() => null, (error: unknown) => error)));
  if (!(error instanceof ToolError) || !(other instanceof ToolError)) throw error;
  expect(other.report()).toEqual(error.report());
  return error;
}

test("without a store names every missing variable, and the alternative", async () => {
  const none = await errorWith({});
  expect(none.code).toBe("not_configured");
  for (const name of ["STORAGE_TABLE_ENDPOINT", "STORAGE_ACCOUNT_NAME", "MKT_STORAGE_KEY"]) {
    expect(none.message + none.hint).toContain(name);
  }
  expect(none.hint).toContain("MKT_AUDIT_STORE=backend");
  const account = await errorWith({ STORAGE_TABLE_ENDPOINT: "http://127.0.0.1:1", MKT_STORAGE_KEY: "k" });
  expect(account.message).toBe("There is no audit store: STORAGE_ACCOUNT_NAME is not set.");
});

test("of very many searches of table storage at once a few run, and those that may not wait are refused", async () => {
  let requests = 0;
  const storage = Bun.serve({
    port: 0,
    fetch: () => {
      requests += 1;
      return new Promise<Response>(() => {});
    },
  });
  atEnd(() => storage.stop(true));
  const backend: AuditReader = { query: () => expect.unreachable(), orderEvents: () => expect.unreachable() };
  const endpoint = { STORAGE_TABLE_ENDPOINT: `http://127.0.0.1:${storage.port}`, STORAGE_ACCOUNT_NAME: "a" };
  const store = auditReader(configurationFor({ ...endpoint, MKT_STORAGE_KEY: btoa("key") }), backend, () => 0);
  const cancel = new AbortController();
  const refused: unknown[] = [];
  const asked = Array.from({ length: 70 }, async () => {
    await store.query({ from: DAY, to: DAY, limit: 1 }, undefined, cancel.signal).catch((error) => refused.push(error));
  });
  await until(() => requests > 0);
  expect(refused).toHaveLength(6);
  expect(refused[0]).toBeInstanceOf(ToolError);
  expect(refused[0]).toMatchObject({ code: "rate_limited" });
  cancel.abort();
  await Promise.all(asked);
  expect(requests).toBeLessThanOrEqual(8);
});

test("a failure of table storage is a ToolError with the same code, message and hint", async () => {
  // There is no credential over http and without a key.
  const error = await errorWith({ STORAGE_TABLE_ENDPOINT: "http://127.0.0.1:1", STORAGE_ACCOUNT_NAME: "a" });
  expect(error.report()).toEqual({
    code: "not_configured",
    message: "MKT_STORAGE_KEY is not set, and the platform's credential is only sent over https.",
    hint: "Set MKT_STORAGE_KEY, or a STORAGE_TABLE_ENDPOINT that begins with https://.",
  });
});
