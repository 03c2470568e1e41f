// Which store a search goes to, and that each gets the search as it came, with the signal that ends it.

import { afterEach, expect, mock, spyOn, test } from "bun:test";
import { AzureAuditStore } from "../../../common/audit/azure/azure-audit-store.ts";
import { auditReader, tableStorageOf } from "../../../core/audit/audit-reader.ts";
import { configurationFor } from "../support/services.ts";
import { ownSignal } from "../../support/own-signal.ts";

afterEach(() => mock.restore());

const AZURE = { STORAGE_TABLE_ENDPOINT: "http://table/acc", STORAGE_ACCOUNT_NAME: "acc", MKT_STORAGE_KEY: "a2V5" };
const QUERY = { limit: 5 } as never;
const VIEWER = { userId: "anna" } as never;
const PAGE = { events: [] } as never;
const signal = ownSignal();

test("the backend's own store is the reader itself, whatever else is set", () => {
  const backend = { query: () => PAGE, orderEvents: () => PAGE };
  const configuration = configurationFor({ ...AZURE, MKT_AUDIT_STORE: "backend" });
  expect(auditReader(configuration, backend as never, () => 0)).toBe(backend as never);
});

test("table storage gets each search as it came, with its viewer and its signal", async () => {
  const query = spyOn(AzureAuditStore.prototype, "query").mockResolvedValue(PAGE);
  const orderEvents = spyOn(AzureAuditStore.prototype, "orderEvents").mockResolvedValue(PAGE);
  const reader = auditReader(configurationFor(AZURE), null as never, () => 0);
  expect(await reader.query(QUERY, VIEWER, signal)).toBe(PAGE);
  expect(await reader.orderEvents("ORD-1", QUERY, signal)).toBe(PAGE);
  expect([query.mock.calls, orderEvents.mock.calls]).toEqual([[[QUERY, VIEWER, signal]], [["ORD-1", QUERY, signal]]]);
});

test("a fault that is none of the store is the caller's", async () => {
  const fault = new Error("odd");
  spyOn(AzureAuditStore.prototype, "query").mockRejectedValue(fault);
  const reader = auditReader(configurationFor(AZURE), null as never, () => 0);
  expect(await reader.query(QUERY, VIEWER, signal).catch((error: Error) => error)).toBe(fault as never);
});

test.each<[Record<string, string>, object | null]>([
  [{}, null],
  [{ STORAGE_TABLE_ENDPOINT: "http://table/acc" }, null],
  [{ STORAGE_ACCOUNT_NAME: "acc" }, null],
  [{ STORAGE_TABLE_ENDPOINT: "http://table/acc", STORAGE_ACCOUNT_NAME: "acc" }, { accountKey: null }],
  [AZURE, { accountKey: "a2V5" }],
])("with %j table storage is %j", (environment, storage) => {
  const expected = storage && { endpoint: "http://table/acc", accountName: "acc", ...storage };
  expect(tableStorageOf(configurationFor(environment))).toEqual(expected as never);
});
