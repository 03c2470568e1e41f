import { expect, test } from "bun:test";
import type { AuditReader } from "../../../common/audit/audit-store.ts";
import { auditReader } from "../../../core/audit/audit-reader.ts";
import { ToolError } from "../../../core/error.ts";
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

test("a failure of table storage is a ToolError with the same code, message and hint", async () => {
  // There is no credential over http and without a key.
  const error = await errorWith({ STORAGE_TABLE_ENDPOINT: "http://127.0.0.1:1", STORAGE_ACCOUNT_NAME: "a" });
  expect(error.report()).toEqual({
    code: "not_configured",
    message: "MKT_STORAGE_KEY is not set, and the platform's credential is only sent over https.",
    hint: "Set MKT_STORAGE_KEY, or a STORAGE_TABLE_ENDPOINT that begins with https://.",
  });
});
