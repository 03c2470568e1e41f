// What a backup has: everything up to a point in the history of a market, between two calls.

import type { KeptJournal } from "./checkpoint-saver.ts";

/** Times in milliseconds since the epoch. */
export interface BackupPoint extends KeptJournal {
  readonly epoch: number;
  /** Number of the last event. */
  readonly sequence: number;
  readonly auditPosition: number;
  readonly marketTime: number;
  readonly time: number;
}
