// The audit store that MKT_AUDIT_STORE chooses. Whatever the store, its failures are ToolErrors.

import { AuditFailure } from "../../common/audit/audit-failure.ts";
import type { AuditReader } from "../../common/audit/audit-store.ts";
import { AzureAuditStore } from "../../common/audit/azure/azure-audit-store.ts";
import type { TableStorageSettings } from "../../common/audit/azure/table-connection.ts";
import type { Configuration } from "../config/configuration.ts";
import { ToolError } from "../error.ts";
import { UnconfiguredAuditStore } from "./unconfigured-audit-store.ts";

/** Null if table storage is not configured. */
export function tableStorageOf({ audit }: Configuration): TableStorageSettings | null {
  const { tableEndpoint: endpoint, accountName, accountKey } = audit;
  return endpoint === null || accountName === null ? null : { endpoint, accountName, accountKey };
}

/** `now` is the market's time in milliseconds since the epoch. It decides which day is today. */
export function auditReader(configuration: Configuration, backend: AuditReader, now: () => number): AuditReader {
  if (configuration.audit.store === "backend") return backend;
  const storage = tableStorageOf(configuration);
  if (storage === null) return new UnconfiguredAuditStore(configuration.audit);
  const azure = new AzureAuditStore({ ...storage, now });
  return {
    query: (...parameters) => azure.query(...parameters).catch(throwToolError),
    orderEvents: (...parameters) => azure.orderEvents(...parameters).catch(throwToolError),
  };
}

function throwToolError(error: unknown): never {
  if (!(error instanceof AuditFailure)) throw error;
  throw new ToolError(error.code, error.message, error.hint, { cause: error });
}
