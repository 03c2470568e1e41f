// The result that a client sees of a call through the dispatcher.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { callToolResult, type ToolAnswer } from "../../../core/dispatch/result.ts";

export async function resultOf(call: Promise<ToolAnswer | null>): Promise<CallToolResult | null> {
  const answer = await call;
  return answer === null ? null : callToolResult(answer);
}
