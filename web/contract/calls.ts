// POST /dashboard/tools/:tool: calls a tool through the server's dispatcher, as an MCP client would. GET has no such route,
// since a link could send it.

import type { Trade } from "./market.ts";

/** The body of the request. */
export interface ToolRequest {
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The words that the person agreed to: the `question` of the answer before. */
  readonly agreed?: string;
}

/** The answer, with status 200 whatever the tool says. */
export type ToolReply =
  /** The tool's result. `isError`: it has an `error`, or a `status` that tells of a failure. */
  | { readonly kind: "result"; readonly isError: boolean; readonly result: Readonly<Record<string, unknown>> }
  /** Nothing was done: a person must agree to these words first. */
  | { readonly kind: "question"; readonly question: string };

/** GET /dashboard/history/:contractId: trades, oldest first, and the last event that they contain. */
export interface History {
  readonly contractId: string;
  /** Later trades come with the stream. */
  readonly sequence: number;
  readonly trades: readonly Trade[];
}

/** GET /dashboard/sparks: for each contract the last prices, oldest first. */
export interface Sparks {
  readonly prices: Readonly<Record<string, readonly number[]>>;
}

/** The error of any route of the dashboard, and of any tool. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}
