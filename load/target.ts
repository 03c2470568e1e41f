// What a load run drives: an engine, or an MCP server.

import type { Operation, Outcome, TradedContract } from "./operation.ts";

export interface Target {
  /** Opens all connections. Throws if one of them fails, and says why. */
  open(): Promise<void>;
  /** Contracts that can be traded until then (milliseconds since the epoch), those whose delivery begins first coming first. */
  contracts(until: number): Promise<readonly TradedContract[]>;
  /** `settle` is called once, at once or later. */
  send(connection: number, operation: Operation, settle: (outcome: Outcome) => void): void;
  /** Connections that were lost and came back. */
  readonly reconnects: number;
  close(): Promise<void>;
}

/** How long a request waits for its answer, after which its outcome is unknown. */
export const ANSWER_LIMIT_MS = 15_000;
