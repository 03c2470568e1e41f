// What the thread that makes checkpoints and the engine's thread tell each other. The engine sends the order, then a slice
// for each `more`, and the thread's last message of a checkpoint is `written` or `failed`.

import type { RecordSlice, WrittenCheckpoint } from "../../journal/journal.ts";
import type { CheckpointOrigin } from "../../journal/sqlite-journal.ts";

export type ToCheckpointThread =
  | { readonly kind: "order"; readonly origin: CheckpointOrigin; readonly upTo: number }
  | { readonly kind: "records"; readonly slice: RecordSlice };

export type FromCheckpointThread =
  /** The records after `after` are needed. */
  | { readonly kind: "more"; readonly after: number }
  | { readonly kind: "written"; readonly checkpoint: WrittenCheckpoint }
  | { readonly kind: "failed"; readonly reason: string; readonly isDiskFull: boolean };
