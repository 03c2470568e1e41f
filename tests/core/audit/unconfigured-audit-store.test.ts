import { expect, test } from "bun:test";
import { UnconfiguredAuditStore } from "../../../core/audit/unconfigured-audit-store.ts";
import { ToolError } from "../../../core/error.ts";

const COMPLETE = { store: "azure", tableEndpoint: "http://t", accountName: "a", accountKey: "k" } as const;

async function errorOf(store: UnconfiguredAuditStore): Promise<ToolError> {
  const errors = await Promise.all([store.query(), store.orderEvents()].map((page) => page.catch((error) => error)));
  expect(errors[0]).toEqual(errors[1]);
  expect(errors[0]).toBeInstanceOf(ToolError);
  return errors[0] as unknown as ToolError;
}

test("names every variable that is missing, and the alternative", async () => {
  const none = await errorOf(
    new UnconfiguredAuditStore({ store: "azure", tableEndpoint: null, accountName: null, accountKey: null }),
  );
  expect(none.code).toBe("not_configured");
  for (const name of ["STORAGE_TABLE_ENDPOINT", "STORAGE_ACCOUNT_NAME", "MKT_STORAGE_KEY"]) {
    expect(none.message + none.hint).toContain(name);
  }
  expect(none.hint).toContain("MKT_AUDIT_STORE=backend");
  const account = await errorOf(new UnconfiguredAuditStore({ ...COMPLETE, accountName: null }));
  expect(account.message).toBe("There is no audit store: STORAGE_ACCOUNT_NAME is not set.");
});
