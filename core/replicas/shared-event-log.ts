// The event log of a group as the rest of this folder uses it. redis-event-log.ts implements it.

/** What makes two event histories the same: replicas of another history neither read nor write this one's log. */
export interface History {
  readonly engineId: string;
  readonly epoch: number;
  readonly userId: string;
  readonly entityId: string | null;
  /** What the user may see depends on them. */
  readonly capabilities: readonly string[];
}

export interface SharedEventLog {
  /** The newest event of the log that this replica knows of; null before the first history, and if unknown. */
  readonly sequence: number | null;
  /**
   * Before a first connection as this user: fills the buffer with the group's newest history of this user. Null if there is
   * none, or if Redis is unavailable.
   */
  restore(userId: string): Promise<History | null>;
  /**
   * Writes everything that the buffer has and the log lacks, and then reads what the log has and the buffer lacks while the
   * connection to the engine is lost. Resolves when the buffer has every event that the log had at the call, at most after
   * `limitMs`. False: it has not, or Redis is unavailable.
   */
  catchUp(limitMs: number): Promise<boolean>;
  /** Ends reading and writing. */
  close(): Promise<void>;
}
