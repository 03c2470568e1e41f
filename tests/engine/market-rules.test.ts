// Checks every row of the tables of docs/market-rules.md against the engine.

import { expect, test } from "bun:test";
import { AUDIT_EVENTS } from "../../protocol/index.ts";
import { tablesOf, testTables } from "../support/document-tables.ts";
import { BLOCK_REASONS } from "./market-rules/block-reasons.ts";
import { EVENTS_OF_A_COMMAND } from "./market-rules/command-events.ts";
import { OPERATION_CONTENT, ORDERS, WHO_SEES_WHAT } from "./market-rules/orders.ts";
import { PRECEDENCE_OF_REJECTIONS } from "./market-rules/precedence.ts";

const DOCUMENT = await Bun.file(new URL("../../docs/market-rules.md", import.meta.url)).text();

testTables("docs/market-rules.md", tablesOf(DOCUMENT), {
  "Why an order does not trade: reason": BLOCK_REASONS,
  "Orders: market": ORDERS,
  "Events of a command: what happens": EVENTS_OF_A_COMMAND,
  "Precedence of rejections: action": PRECEDENCE_OF_REJECTIONS,
  "What operationId compares: difference to the first request": OPERATION_CONTENT,
  "Who sees what: permission": WHO_SEES_WHAT,
});

test("the audit trail's event names are documented", () => {
  const [, section = ""] = DOCUMENT.split("## Names in the audit trail\n");
  for (const name of AUDIT_EVENTS) expect(section).toContain(`\`${name}\``);
});
