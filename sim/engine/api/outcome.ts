// The outcome of a command: done, with its result, or rejected, with the reason. A rejected command has changed
// nothing.

import type { RejectionCode } from "../../../protocol/index.ts";

export interface Done {
  readonly status: "ok";
  readonly result: Record<string, unknown>;
}

export interface Rejection {
  readonly status: "rejected";
  readonly code: RejectionCode;
  readonly message: string;
  readonly result?: Record<string, unknown>;
}

export type Outcome = Done | Rejection;

export function done(result: Record<string, unknown>): Done {
  return { status: "ok", result };
}

export function rejected(code: RejectionCode, message: string, result?: Record<string, unknown>): Rejection {
  return { status: "rejected", code, message, ...(result && { result }) };
}

export function notFound(kind: string, id: string): Rejection {
  return rejected("not_found", `There is no ${kind} with id ${id}.`);
}
