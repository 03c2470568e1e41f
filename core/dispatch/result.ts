// Turns the outcome of a tool into an MCP result. This is the one place where text from the market is made safe
// (common/safe-text.ts).
//
// A success has `structuredContent` that fits the output schema, and the same value as compact JSON text. A failure is
// `{ error }` as text only, because no output schema describes it. A tool whose result has a `status` returns that
// structure for a failure, too (Tool.onFailure).

import type { CallToolResult } from "@modelcontextprotocol/server";
import { safeLines, safeValue } from "../../common/safe-text.ts";
import type { ToolError } from "../error.ts";

/** The other statuses of a mutation are failures. */
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

/** The texts of a RawResult keep their line breaks. */
export function rawResult(result: CallToolResult): CallToolResult {
  const content = result.content.map((block) =>
    block.type === "text" ? { ...block, text: safeLines(block.text) } : block
  );
  return { ...result, content, structuredContent: safeValue(result.structuredContent) };
}
