// The event log of a group as the rest of this folder uses it. redis-event-log.ts implements it.

import type { History } from "../../core/market/event-content.ts";

export interface SharedEventLog {
  /** The newest event of the log that this replica knows of; null before the first history, and if unknown. */
  readonly sequence: number | null;
  /**
   * Before each connect as this user, while disconnected: fills the buffer with the group's newest history of this user and
   * makes the client resume after it. Null, without any change, if there is none, if Redis is unavailable, or if the client
   * has a connection or an attempt.
   */
  restore(userId: string): Promise<History | null>;
  /**
   * Writes everything that the buffer has and the log lacks, and then reads what the log has and the buffer lacks while the
   * connection to the engine is lost. Resolves when the buffer has every event that the log had at the call, at most after
   * `limitMs`. True if there is no history yet. False: the buffer lacks some, or Redis is unavailable. Never throws.
   */
  catchUp(limitMs: number): Promise<boolean>;
  /** Ends reading and writing. */
  close(): Promise<void>;
}
