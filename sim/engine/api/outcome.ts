// What a command comes to: done, with its result, or refused, with the reason. A refused command has changed nothing.

import type { Permission, RejectionCode } from "../../../protocol/index.ts";
import type { UserState } from "../state/engine-state.ts";

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

/** The refusal of a user who lacks a permission; null where the user holds it. */
export function lacking(user: UserState, permission: Permission): Rejection | null {
  return user.permissions.has(permission)
    ? null
    : rejected("forbidden", `User ${user.id} does not hold the permission ${permission}.`);
}

export function unknown(kind: string, id: string): Rejection {
  return rejected("not_found", `There is no ${kind} with id ${id}.`);
}
