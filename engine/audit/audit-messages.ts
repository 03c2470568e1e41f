// What the thread of the audit trail and the engine's thread tell each other, and the memory that they share.

import type { AuditViewer } from "../../common/audit/audit-visibility.ts";
import type { AuditFailureCode } from "../../common/audit/audit-failure.ts";
import type { AuditQuery, OrderEventsQuery } from "../../protocol/index.ts";

/** `directory` null: in memory. */
export interface AuditOpening {
  readonly kind: "open";
  readonly directory: string | null;
  readonly cells: Int32Array;
}

/** Each has an answer. */
export type AuditQuestion =
  | { readonly kind: "query"; readonly query: AuditQuery; readonly viewer: AuditViewer | undefined }
  | { readonly kind: "orderEvents"; readonly orderId: string; readonly query: OrderEventsQuery; readonly now: number }
  | { readonly kind: "after"; readonly position: number; readonly limit: number }
  /** Answered by BlockRow[]. */
  | { readonly kind: "blocksAfter"; readonly position: number }
  | { readonly kind: "sync" }
  | { readonly kind: "close" };

export type ToAuditThread =
  | AuditOpening
  /** Lines of audit events. */
  | { readonly kind: "record"; readonly lines: string }
  | { readonly kind: "truncate" | "beginAfter" | "markDelivered"; readonly position: number }
  | { readonly kind: "ask"; readonly number: number; readonly question: AuditQuestion }
  /** Nobody waits for the answer any more. */
  | { readonly kind: "cancel"; readonly number: number };

export type FromAuditThread =
  | { readonly kind: "opened"; readonly lastPosition: number; readonly delivered: number | null }
  | { readonly kind: "answer"; readonly number: number; readonly answer: unknown }
  /** The question can't be answered; the trail goes on. `code` is that of an AuditFailure. */
  | {
    readonly kind: "refused";
    readonly number: number;
    readonly message: string;
    readonly code: AuditFailureCode | null;
    readonly hint: string | undefined;
  }
  /** The disk is full. The thread waits in CELL.space. */
  | { readonly kind: "full" }
  | { readonly kind: "failed"; readonly message: string };

/** Cells of the shared memory. */
export const CELL = {
  /** Number of batches of events that the thread has written. */
  written: 0,
  /** One of THREAD. */
  state: 1,
  /** One of SPACE. */
  space: 2,
} as const;

export const THREAD = { runs: 0, needsSpace: 1, failed: 2 } as const;
/** Whether the engine has made space on the disk that was full. */
export const SPACE = { asked: 0, made: 1, none: 2 } as const;

export function newCells(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}
