// The outcome of a command: done, with its result, or rejected, with the reason. A rejected command has changed
// nothing.

import type { RejectionCode } from "../../protocol/index.ts";
import { MAX_TEXT_LENGTH } from "../../protocol/limits.ts";

interface Done {
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

/** `message` is cut at the length that the protocol allows; ids in it may be long. */
export function rejected(code: RejectionCode, message: string, result?: Record<string, unknown>): Rejection {
  return { status: "rejected", code, message: message.slice(0, MAX_TEXT_LENGTH), ...(result && { result }) };
}

export function notFound(kind: string, id: string): Rejection {
  return rejected("not_found", `There is no ${kind} with id ${id}.`);
}
