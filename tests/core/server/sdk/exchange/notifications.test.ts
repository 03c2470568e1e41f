import { expect, test } from "bun:test";
import { changeNotification } from "../../../../../core/server/sdk/exchange/notifications.ts";

const META = "io.modelcontextprotocol/subscriptionId";
const UPDATED = { jsonrpc: "2.0", method: "notifications/resources/updated" };
const LIST = { jsonrpc: "2.0", method: "notifications/resources/list_changed" };

test.each<[string, string | number | undefined, object]>([
  ["odd://one", undefined, { ...UPDATED, params: { uri: "odd://one" } }],
  ["odd://one", 0, { ...UPDATED, params: { uri: "odd://one", _meta: { [META]: 0 } } }],
  ["odd://one", "", { ...UPDATED, params: { uri: "odd://one", _meta: { [META]: "" } } }],
  ["", undefined, LIST],
  ["", 7, { ...LIST, params: { _meta: { [META]: 7 } } }],
])("a change of %p is told to the subscription %p", (key, id, expected) => {
  expect(changeNotification(key, id)).toEqual(expected);
});
