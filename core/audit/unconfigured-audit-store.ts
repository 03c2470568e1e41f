// The audit store if none is configured: every query fails with the variables to set.

import type { Configuration } from "../config/configuration.ts";
import type { AuditPage } from "../../protocol/index.ts";
import { ToolError } from "../error.ts";
import type { AuditReader } from "../../common/audit/audit-store.ts";

export class UnconfiguredAuditStore implements AuditReader {
  constructor(private readonly settings: Configuration["audit"]) {}

  query(): Promise<AuditPage> {
    return Promise.reject(this.#error());
  }

  orderEvents(): Promise<AuditPage> {
    return Promise.reject(this.#error());
  }

  #error(): ToolError {
    const { tableEndpoint, accountName } = this.settings;
    const variables = { STORAGE_TABLE_ENDPOINT: tableEndpoint, STORAGE_ACCOUNT_NAME: accountName };
    const missing = Object.entries(variables).filter(([, value]) => value === null).map(([name]) => name);
    return new ToolError(
      "not_configured",
      `There is no audit store: ${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not set.`,
      `Set ${missing.join(" and ")}, and MKT_STORAGE_KEY unless the platform gives mkt an identity. ` +
        "Or set MKT_AUDIT_STORE=backend to read the backend's own audit trail.",
    );
  }
}
