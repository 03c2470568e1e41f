// What the thread that makes a backup and the engine's thread tell each other. The engine sends the order. Whenever the client
// takes more, it sends `next`, and the thread answers with `frame`; meanwhile the thread may ask for records and audit events.

import type { BlockRow } from "../../audit/audit-blocks.ts";
import type { BackupDescription } from "../../backup/backup-format.ts";
import type { RecordSlice } from "../../journal/journal.ts";
import type { CheckpointOrigin } from "../../journal/sqlite-journal.ts";

export type ToBackupThread =
  | { readonly kind: "order"; readonly origin: CheckpointOrigin; readonly description: BackupDescription }
  | { readonly kind: "next" }
  | { readonly kind: "records"; readonly slice: RecordSlice }
  | { readonly kind: "events"; readonly blocks: readonly BlockRow[] };

export interface BackupFrame {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether the backup is whole with it. */
  readonly isLast: boolean;
}

export type FromBackupThread =
  | ({ readonly kind: "frame" } & BackupFrame)
  /** The records after record `after` are needed. */
  | { readonly kind: "records"; readonly after: number }
  /** The blocks of audit events after position `after` are needed. */
  | { readonly kind: "events"; readonly after: number }
  | { readonly kind: "failed"; readonly reason: string };
