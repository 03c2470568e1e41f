// Requests to the server: tools, history, the session. The browser sends the session's cookie by itself.

import type { ErrorReport, History, Sparks, ToolReply, ToolRequest } from "../../contract/calls.ts";
import { REQUEST_HEADER } from "../../contract/session.ts";

/** The server has refused a request. */
export class RequestError extends Error {
  constructor(readonly status: number, readonly report: ErrorReport) {
    super(report.message);
  }
}

/** The session's request token, sent with every request that is no GET. */
export const requestToken = { value: "none" };

/** Throws RequestError, or TypeError if the server can't be reached. */
export async function callTool(tool: string, request: ToolRequest, signal?: AbortSignal): Promise<ToolReply> {
  return await send("POST", `/dashboard/tools/${encodeURIComponent(tool)}`, request, signal) as ToolReply;
}

/** The result of a tool that only reads. Throws RequestError also if the tool fails. */
export async function readTool<Result>(
  tool: string,
  given: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<Result> {
  const reply = await callTool(tool, { arguments: given }, signal);
  if (reply.kind === "question") throw new RequestError(403, { code: "forbidden", message: reply.question });
  if (reply.isError) throw new RequestError(200, reply.result["error"] as ErrorReport);
  return reply.result as Result;
}

export async function history(contractId: string): Promise<History> {
  return await send("GET", `/dashboard/history/${encodeURIComponent(contractId)}`) as History;
}

export async function sparks(): Promise<Sparks> {
  return await send("GET", "/dashboard/sparks") as Sparks;
}

/** Rejects with the reason of `signal` if it aborts. */
export async function send(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await fetch(path, {
    method,
    headers: {
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(method !== "GET" && { [REQUEST_HEADER]: requestToken.value }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  const answer = await response.json() as { error?: ErrorReport };
  if (!response.ok) {
    throw new RequestError(response.status, answer.error ?? { code: "http", message: `HTTP ${response.status}` });
  }
  return answer;
}
