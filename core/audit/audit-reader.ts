// The audit store that MKT_AUDIT_STORE chooses. Whatever the store, its failures are ToolErrors.

import { AuditFailure } from "../../common/audit/audit-failure.ts";
import { AuditSearches } from "../../common/audit/audit-searches.ts";
import type { AuditReader } from "../../common/audit/audit-store.ts";
import { AzureAuditStore } from "../../common/audit/azure/azure-audit-store.ts";
import type { TableStorageSettings } from "../../common/audit/azure/table-connection.ts";
import type { Configuration } from "../config/configuration.ts";
import { ToolError } from "../error.ts";
import type { AuditPage } from "../../protocol/index.ts";

/** Null if table storage is not configured. */
export function tableStorageOf({ audit }: Configuration): TableStorageSettings | null {
  const { tableEndpoint: endpoint, accountName, accountKey } = audit;
  return endpoint === null || accountName === null ? null : { endpoint, accountName, accountKey };
}

/** Searches of table storage by this process, which acts for one user. They mostly wait for the network. */
const SEARCHES = { atOnce: 8, ofUser: 64 };

/** `now` is the market's time in milliseconds since the epoch. It decides which day is today. */
export function auditReader(configuration: Configuration, backend: AuditReader, now: () => number): AuditReader {
  if (configuration.audit.store === "backend") return backend;
  const storage = tableStorageOf(configuration);
  if (storage === null) return unconfiguredStore(configuration.audit);
  const azure = new AzureAuditStore({ ...storage, now });
  const searches = new AuditSearches(SEARCHES);
  const run = (signal: AbortSignal | undefined, search: () => Promise<AuditPage>) =>
    searches.run("", signal, search).catch(throwToolError);
  return {
    query: (query, viewer, signal) => run(signal, () => azure.query(query, viewer, signal)),
    orderEvents: (orderId, query, signal) => run(signal, () => azure.orderEvents(orderId, query, signal)),
  };
}

function throwToolError(error: unknown): never {
  if (!(error instanceof AuditFailure)) throw error;
  throw new ToolError(error.code, error.message, error.hint, { cause: error });
}

/** Fails every query with the variables to set. */
function unconfiguredStore({ tableEndpoint, accountName }: Configuration["audit"]): AuditReader {
  const variables = { STORAGE_TABLE_ENDPOINT: tableEndpoint, STORAGE_ACCOUNT_NAME: accountName };
  const missing = Object.entries(variables).filter(([, value]) => value === null).map(([name]) => name);
  const names = missing.join(" and ");
  const fail = () =>
    Promise.reject(
      new ToolError(
        "not_configured",
        `There is no audit store: ${names} ${missing.length === 1 ? "is" : "are"} not set.`,
        `Set ${names}, and MKT_STORAGE_KEY unless the platform gives mkt an identity. ` +
          "Or set MKT_AUDIT_STORE=backend to read the backend's own audit trail.",
      ),
    );
  return { query: fail, orderEvents: fail };
}
