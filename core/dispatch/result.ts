// How a tool's outcome reaches the client: the one place that makes MCP results, and where text from the market is made
// safe (rails/market-text.ts).
//
// A success carries `structuredContent` that fits the output schema, and the same value as compact JSON text. A failure
// is `{ error }` as text alone, since no output schema describes it; a tool whose result has a `status` keeps that shape
// when it fails (Tool.onFailure), structured as ever.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { safeLines, safeValue } from "../../common/safe-text.ts";
import type { ToolError } from "../error.ts";

/** Statuses of a mutation that are no failure. */
const SUCCESSFUL_STATUSES: ReadonlySet<unknown> = new Set(["success", "preview", "partial"]);

export function structuredResult(unsafe: Record<string, unknown>, isError = false): CallToolResult {
  const value = safeValue(unsafe);
  const result: CallToolResult = {
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: value,
  };
  return isError ? { ...result, isError: true } : result;
}

/** A result whose own `status` says whether it failed. */
export function statusResult(value: Record<string, unknown>): CallToolResult {
  return structuredResult(value, !SUCCESSFUL_STATUSES.has(value["status"]));
}

export function errorResult(error: ToolError): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify({ error: safeValue(error.report()) }) }], isError: true };
}

/** A tool's own result: its texts keep their lines. */
export function rawResult(result: CallToolResult): CallToolResult {
  const content = result.content.map((block) =>
    block.type === "text" ? { ...block, text: safeLines(block.text) } : block
  );
  return { ...result, content, structuredContent: safeValue(result.structuredContent) };
}
