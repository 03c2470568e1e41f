// Calls a tool for the page (web/contract/calls.ts). The dispatcher checks and logs it like a call over MCP.

import { z } from "zod";
import { ToolError } from "../../core/error.ts";
import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import type { ToolReply, ToolRequest } from "../../web/contract/calls.ts";
import { jsonAnswer } from "./json-answer.ts";

const requestSchema = z.strictObject({
  arguments: z.record(z.string(), z.unknown()),
  agreed: z.string().optional(),
});

export async function toolCall(request: RouteRequest, { callTool }: RouteContext): Promise<Response> {
  const { arguments: given, agreed } = requestOf(request.json());
  const reply: ToolReply = await callTool(request.parameters["tool"] ?? "", given, agreed);
  return jsonAnswer(reply);
}

/** Throws ToolError `invalid_input`. */
function requestOf(body: unknown): ToolRequest {
  const parsed = requestSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ToolError("invalid_input", z.prettifyError(parsed.error), 'Send {"arguments": {...}} as JSON.');
}
