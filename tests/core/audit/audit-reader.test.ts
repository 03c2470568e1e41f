import { expect, test } from "bun:test";
import { auditReader } from "../../../core/audit/audit-reader.ts";
import { ToolError } from "../../../core/error.ts";
import { configurationFor } from "../support/services.ts";
import { UnconfiguredAuditStore } from "../../../core/audit/unconfigured-audit-store.ts";

test("a failure of table storage reaches a tool as a ToolError with the same code, message and hint", async () => {
  // Over http and without a key there is no credential.
  const configuration = configurationFor({ STORAGE_TABLE_ENDPOINT: "http://127.0.0.1:1", STORAGE_ACCOUNT_NAME: "a" });
  const store = auditReader(configuration, new UnconfiguredAuditStore(configuration.audit), () => 0);
  const day = "2026-01-14";
  for (
    const answer of [store.query({ from: day, to: day, limit: 1 }), store.orderEvents("ORD-1", { date: day, limit: 1 })]
  ) {
    const failure = await answer.then(() => null, (error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolError);
    expect((failure as ToolError).report()).toEqual({
      code: "not_configured",
      message: "MKT_STORAGE_KEY is not set, and the platform's credential is only sent over https.",
      hint: "Set MKT_STORAGE_KEY, or a STORAGE_TABLE_ENDPOINT that begins with https://.",
    });
  }
});
