// The engine's own audit trail, as the engine's thread sees it. It is SqliteAuditStore itself, or ThreadedAuditStore, which
// runs one in a thread of its own. Both keep the order of the calls.

import type { AuditReader } from "../../common/audit/audit-store.ts";
import type { AuditEvent } from "../../protocol/index.ts";
import type { BlockRow } from "./audit-blocks.ts";

export interface EngineAuditStore extends AuditReader {
  /** Position of the newest event; 0 without one. */
  readonly lastPosition: number;
  /** Whether the trail is in a directory. If so, it keeps all undelivered events. */
  readonly isDurable: boolean;
  /**
   * Adds the events of lines (audit-lines.ts), and ignores those up to `lastPosition`. They may be lost until the next
   * `sync`. Throws if the trail has failed.
   */
  record(lines: string): void;
  /** Makes all recorded events durable. */
  sync(): void | Promise<void>;
  /** Deletes the events after a position: their calls were lost with the journal. */
  truncate(position: number): void;
  /** Begins an empty trail after a position: the events up to it were lost. */
  beginAfter(position: number): void;
  /** Keeps undelivered events from now on. Returns the position up to which events are delivered; 0 at first. */
  beginDelivery(): number;
  markDelivered(position: number): void;
  /** Position up to which events are delivered; null if they are not delivered. */
  readonly delivered: number | null;
  /** The oldest events after a position, at most `limit`. */
  after(position: number, limit: number): AuditEvent[] | Promise<AuditEvent[]>;
  /** Some blocks with events after a position, oldest first; none at the end. */
  blocksAfter(position: number): BlockRow[] | Promise<BlockRow[]>;
  /** Calls back once if the trail fails outside of a call. It can't be used any more then. */
  watch(onFailure: (failure: Error) => void): void;
  close(): void | Promise<void>;
}
