// What an agent searches for in the audit trail, and what its stored details hold.

import { expect, test } from "bun:test";
import { storedText } from "../../../plugins/query/audit-names.ts";

test.each([
  ["BUY", `"side":0`],
  ["buy", `"side":0`],
  ["Sell", `"side":1`],
  ["sells", "sells"],
  ["buy now", "buy now"],
  [`"side": "buy"`, `"side":0`],
  [`"side":"SELL","price":5`, `"side":1,"price":5`],
  [`"side":"BUY" or "side":"Sell"`, `"side":0 or "side":1`],
])("%j is searched as %j", (search, stored) => {
  expect(storedText(search)).toBe(stored);
});
