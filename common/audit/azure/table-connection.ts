// The connection to Azure Table storage, and what its errors mean to a caller.
//
// The Azure libraries are loaded on first use, because loading them would slow down every start. Requests are signed with
// the account's shared key, or use the credential of the platform (managed identity, workload identity, developer sign-in).

import type { TableClient } from "@azure/data-tables";
import { connectionFault } from "../../../protocol/client/connection-fault.ts";
import { AuditFailure, type AuditFailureCode } from "../audit-failure.ts";
import { TABLE_NAME } from "./table-layout.ts";

export interface TableStorageSettings {
  readonly endpoint: string;
  readonly accountName: string;
  /** Null: the platform's credential. */
  readonly accountKey: string | null;
  /** TABLE_NAME if absent. */
  readonly tableName?: string;
}

export interface RetrySettings {
  readonly maxRetries: number;
  readonly retryDelayInMs?: number;
  readonly maxRetryDelayInMs?: number;
}

/** Throws AuditFailure if there is no usable credential. */
export async function connectTable(settings: TableStorageSettings, retryOptions: RetrySettings): Promise<TableClient> {
  const { endpoint, accountName, accountKey, tableName = TABLE_NAME } = settings;
  const { AzureNamedKeyCredential, TableClient } = await import("@azure/data-tables");
  const options = { allowInsecureConnection: endpoint.startsWith("http:"), retryOptions };
  if (accountKey !== null) {
    return new TableClient(endpoint, tableName, new AzureNamedKeyCredential(accountName, accountKey), options);
  }
  if (endpoint.startsWith("http:")) {
    throw new AuditFailure(
      "not_configured",
      "MKT_STORAGE_KEY is not set, and the platform's credential is only sent over https.",
      "Set MKT_STORAGE_KEY, or a STORAGE_TABLE_ENDPOINT that begins with https://.",
    );
  }
  const { DefaultAzureCredential } = await import("@azure/identity");
  return new TableClient(endpoint, tableName, new DefaultAzureCredential(), options);
}

export function isTableMissing(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** The AuditFailure for an error of a request to table storage. Throws `error` itself if it is no such error. */
export function tableFailure(
  error: unknown,
  { endpoint, accountKey }: TableStorageSettings,
  timeLimitMs: number,
): AuditFailure {
  if (error instanceof AuditFailure) return error;
  if (!(error instanceof Error)) throw error;
  const status = statusOf(error);
  const reason = reasonOf(error);
  const failure = (code: AuditFailureCode, message: string, hint: string) =>
    new AuditFailure(code, message, hint, { cause: error });
  if (error.name === "AbortError" || error.name === "TimeoutError") {
    return failure(
      "backend_unavailable",
      `Table storage at ${endpoint} has not answered within ${timeLimitMs} ms.`,
      "Try again, with fewer days if the range is long.",
    );
  }
  if (/^(CredentialUnavailable|AggregateAuthentication|Authentication)(Required)?Error$/.test(error.name)) {
    return failure(
      "not_configured",
      `There is no credential for table storage: ${reason}`,
      "Set MKT_STORAGE_KEY, or run mkt where the platform gives it an identity.",
    );
  }
  if (status === 401 || status === 403) {
    return failure(
      "forbidden",
      `Table storage at ${endpoint} refuses the credential: ${reason}`,
      accountKey === null
        ? "Give the identity that mkt runs under the role Storage Table Data Contributor, or Reader if it only reads."
        : "Check that MKT_STORAGE_KEY is a key of the account STORAGE_ACCOUNT_NAME.",
    );
  }
  if (status === 404) {
    return failure(
      "not_found",
      `There is no table ${TABLE_NAME} at ${endpoint}: no audit trail has been written there.`,
      "Start the engine with --audit azure and the same STORAGE_TABLE_ENDPOINT; the engine creates the table.",
    );
  }
  if (status === undefined || status === 429 || status >= 500) {
    return failure(
      "backend_unavailable",
      status === undefined
        ? `There is no answer from table storage at ${endpoint}: ${reason}`
        : `Table storage at ${endpoint} is busy or failing (${status}): ${reason}`,
      status === undefined
        ? "Check that STORAGE_TABLE_ENDPOINT is right and reachable."
        : "Try again in a few seconds.",
    );
  }
  return failure(
    "backend_error",
    `Table storage at ${endpoint} answered ${status}: ${reason}`,
    "Check STORAGE_TABLE_ENDPOINT and STORAGE_ACCOUNT_NAME; mkt doctor checks them.",
  );
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"
    ? error.statusCode
    : undefined;
}

const REASON_LENGTH = 200;

/** The error code of the service if there is one, in JSON or XML; otherwise the first line of the message. */
function reasonOf(error: Error): string {
  const { message } = error;
  if (statusOf(error) === undefined && typeof (error as NodeJS.ErrnoException).code === "string") {
    return connectionFault(error);
  }
  const [, code] = /<(?:m:)?code>([^<]+)</i.exec(message) ?? /"code":\s*"([^"]+)"/.exec(message) ?? [];
  const [line = ""] = message.trim().split("\n");
  return (code ?? (line || error.name)).slice(0, REASON_LENGTH);
}
