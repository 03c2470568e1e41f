// Which store the audit trail is read from, as MKT_AUDIT_STORE says.

import type { Configuration } from "../config/configuration.ts";
import type { AuditReader } from "../../common/audit/audit-store.ts";
import { AzureAuditStore } from "../../common/audit/azure/azure-audit-store.ts";
import type { TableStorageSettings } from "../../common/audit/azure/table-connection.ts";
import { UnconfiguredAuditStore } from "./unconfigured-audit-store.ts";

/** Null where table storage is not configured. */
export function tableStorageOf({ audit }: Configuration): TableStorageSettings | null {
  const { tableEndpoint: endpoint, accountName, accountKey } = audit;
  return endpoint === null || accountName === null ? null : { endpoint, accountName, accountKey };
}

/** `now` is the market's time: which day is today. */
export function auditReader(configuration: Configuration, backend: AuditReader, now: () => number): AuditReader {
  if (configuration.audit.store === "backend") return backend;
  const storage = tableStorageOf(configuration);
  return storage === null ? new UnconfiguredAuditStore(configuration.audit) : new AzureAuditStore({ ...storage, now });
}
