// Requests to the server: tools, history, the session. The browser sends the session's cookie by itself.

import {
  DEFAULT_INTERVAL,
  type ErrorReport,
  type History,
  type Sparks,
  type ToolReply,
  type ToolRequest,
} from "../../contract/calls.ts";
import type { CandleInterval } from "../../contract/candles.ts";
import { REQUEST_HEADER } from "../../contract/session.ts";
import { forPeople, NO_ANSWER } from "./error-words.ts";

/**
 * How long the page waits for an answer: longer than the server waits for the market. It counts from the call, also while the
 * browser has no free connection. The outcome of a change is worth a longer wait.
 */
const READ_MS = 20_000;
const CHANGE_MS = 60_000;
/** What a proxy says of a server that did not answer in time: nobody knows what it has done. */
const GATEWAY_TIMEOUT = 504;

/** The server has refused a request, or did not answer it in time. */
export class RequestError extends Error {
  readonly report: ErrorReport;

  constructor(readonly status: number, report: ErrorReport) {
    super(report.message);
    this.report = forPeople(report);
  }
}

/** Set by session.ts. */
export const sessionHooks = {
  /** Sent with every request that is no GET. */
  requestToken: "none",
  /** The server says that the session has ended (401), or that another tab has changed it. Asks for it again. */
  hasChanged: async () => {},
};

/** Throws RequestError, or TypeError if the server can't be reached. */
export async function callTool(
  tool: string,
  request: ToolRequest,
  signal?: AbortSignal,
  limitMs = CHANGE_MS,
): Promise<ToolReply> {
  return await send("POST", `/dashboard/tools/${encodeURIComponent(tool)}`, request, signal, limitMs) as ToolReply;
}

/** The result of a tool that only reads. Throws RequestError also if the tool fails. */
export async function readTool<Result>(
  tool: string,
  given: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<Result> {
  const reply = await callTool(tool, { arguments: given }, signal, READ_MS);
  if (reply.kind === "question") throw new RequestError(403, { code: "forbidden", message: reply.question });
  if (reply.isError) throw new RequestError(200, reply.result["error"] as ErrorReport);
  return reply.result as Result;
}

export async function history(contractId: string, interval: CandleInterval = DEFAULT_INTERVAL): Promise<History> {
  return await send("GET", `/dashboard/history/${encodeURIComponent(contractId)}?interval=${interval}`) as History;
}

export async function sparks(): Promise<Sparks> {
  return await send("GET", "/dashboard/sparks") as Sparks;
}

type Method = "GET" | "POST" | "DELETE";

/**
 * The answer's JSON. Throws RequestError, TypeError if the server can't be reached, and the reason of `signal` if it aborts.
 */
export async function send(
  method: Method,
  path: string,
  body?: object,
  signal?: AbortSignal,
  limitMs = method === "GET" ? READ_MS : CHANGE_MS,
): Promise<unknown> {
  try {
    return await sendOnce(method, path, body, signal, limitMs);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const isOver = error.status === 401;
    const isOther = error.report.code === "session_changed";
    if (!isOver && !isOther) throw error;
    await sessionHooks.hasChanged();
    // The server did nothing, so the request may be sent again under the session that the other tab has begun.
    if (isOther) return await sendOnce(method, path, body, signal, limitMs);
    throw error;
  }
}

/** Like `send`, without asking for the session again. */
export async function sendOnce(
  method: Method,
  path: string,
  body?: object,
  signal?: AbortSignal,
  limitMs = READ_MS,
): Promise<unknown> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    const response = await fetch(path, {
      method,
      headers: {
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(method !== "GET" && { [REQUEST_HEADER]: sessionHooks.requestToken }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    const answer = await jsonOf(response);
    if (response.ok) return answer;
    throw new RequestError(response.status, reportOf(answer) ?? { code: "http", message: `HTTP ${response.status}` });
  } catch (error) {
    if (!limit.aborted || error !== limit.reason) throw error;
    const message = `The server has not answered within ${limitMs / 1_000} s.`;
    throw new RequestError(GATEWAY_TIMEOUT, { code: NO_ANSWER, message });
  }
}

/** Undefined if the body is no JSON, such as a proxy's page of an error. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    if (response.ok) throw new RequestError(502, { code: "http", message: "The answer is no JSON." });
    return undefined;
  }
}

function reportOf(answer: unknown): ErrorReport | undefined {
  const { error } = (answer ?? {}) as { error?: ErrorReport };
  return typeof error === "object" && typeof error.message === "string" ? error : undefined;
}
