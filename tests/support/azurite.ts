// A real table service on this machine: Azurite, from its npm package, in memory, on a free port of loopback. It ends
// with the test, or with the file, that started it.

import { AzureNamedKeyCredential, TableClient } from "@azure/data-tables";
import { connect } from "node:net";
import { AzureAuditStore } from "../../common/audit/azure/azure-audit-store.ts";
import { atEnd } from "./at-end.ts";
import { freePort } from "./free-port.ts";
import { startProcess } from "./processes.ts";
import { until } from "./until.ts";

/** Azurite's built-in account, known to everyone. */
export const ACCOUNT_NAME = "devstoreaccount1";
export const ACCOUNT_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

const MAIN = Bun.resolveSync("azurite/dist/src/table/main.js", import.meta.dir);

export interface Azurite {
  readonly port: number;
  /** As STORAGE_TABLE_ENDPOINT. */
  readonly endpoint: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export async function startAzurite(): Promise<Azurite> {
  const port = await freePort();
  const options = ["--disableTelemetry", "--skipApiVersionCheck", "--inMemoryPersistence", "--silent"];
  const address = ["--tableHost", "127.0.0.1", "--tablePort", String(port)];
  const child = startProcess([process.execPath, MAIN, ...options, ...address], { stdout: "ignore", stderr: "ignore" });
  const stop = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  atEnd(stop);
  await until(() => {
    if (child.exitCode !== null) throw new Error(`Azurite ended with ${child.exitCode}`);
    return answers(port);
  });
  return { port, endpoint: endpointOn(port), pid: child.pid, stop };
}

export function endpointOn(port: number): string {
  return `http://127.0.0.1:${port}/${ACCOUNT_NAME}`;
}

/** Environment of an mkt that uses the table service on this port. */
export function storageEnvironment(port: number): Record<string, string> {
  return {
    STORAGE_TABLE_ENDPOINT: endpointOn(port),
    STORAGE_ACCOUNT_NAME: ACCOUNT_NAME,
    MKT_STORAGE_KEY: ACCOUNT_KEY,
  };
}

/** Number of tables made so far. Each test has its own. */
let tables = 0;

interface TableOptions {
  readonly now: () => number;
  readonly timeLimitMs?: number;
}

/** Makes an empty table and returns its name. */
export async function createTable(azurite: Azurite): Promise<string> {
  tables += 1;
  const tableName = `audit${tables}`;
  const credential = new AzureNamedKeyCredential(ACCOUNT_NAME, ACCOUNT_KEY);
  await new TableClient(azurite.endpoint, tableName, credential, { allowInsecureConnection: true }).createTable();
  return tableName;
}

/** The store in a table. */
export function storeIn(tableName: string, port: number, options: TableOptions): AzureAuditStore {
  return new AzureAuditStore({
    endpoint: endpointOn(port),
    accountName: ACCOUNT_NAME,
    accountKey: ACCOUNT_KEY,
    tableName,
    ...options,
  });
}

/** A store in a new, empty table. `port` may be that of a proxy in front of the service. */
export async function emptyTable(
  azurite: Azurite,
  options: TableOptions,
  port = azurite.port,
): Promise<AzureAuditStore> {
  return storeIn(await createTable(azurite), port, options);
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
