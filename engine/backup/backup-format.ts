// The format of a backup: lines of JSON, compressed by Zstandard. `zstd -dc FILE | head -1` shows what a backup is.
//
//   description  one line: which market, which formats, and the point in its history that the backup has
//   header       one line: the journal's header, with the market's definition
//   part         a line for each part of the checkpoint, if there is one, in their order
//   call         a line for each call after the checkpoint, up to the point
//   events       lines with audit events, oldest first, up to the point
//   end          one line: how many lines of each kind came, and the SHA-256 of all lines before it
//
// Lines, and not a copy of SQLite's files: those would have the format of one version, and taking them would need
// the lock of the journal.
//
// Or `failed` instead of `end`: the engine could not finish the backup, and says why. A backup without `end` is worth nothing.
//
// The values of header, part and call are the texts of the journal, unchanged: whoever restores them gets the same state. A
// reader takes them out of their lines without parsing them, so the members of a line are always in the order below.
//
// The lines are compressed in frames of FRAME_CHARACTERS, one after the other. Memory: one frame, or one line if it is longer.

import { z } from "zod";

export const BACKUP_FORMAT = 1;
export const BACKUP_CONTENT_TYPE = "application/zstd";

const number = z.int().min(0);

/** The first line. Numbers of records, events and audit events continue those of the market's journal. */
export const backupDescription = z.object({
  kind: z.literal("mkt backup"),
  format: z.literal(BACKUP_FORMAT),
  /** Version of the mkt that made it. */
  mkt: z.string(),
  journalFormat: number,
  engineId: z.string(),
  epoch: number,
  /** Number of the last call that the backup has. */
  upTo: number,
  /** Number of the last event that clients can have seen of it. */
  sequence: number,
  marketTime: z.iso.datetime(),
  /** Real time at which the backup began. */
  time: z.iso.datetime(),
  /** Number of the last call that the checkpoint replaces; null: no checkpoint. */
  checkpoint: number.nullable(),
  /** Position of the newest audit event; 0 without one. */
  auditPosition: number,
  /** Position up to which audit events were delivered to another store; null if they are not delivered. */
  auditDelivered: number.nullable(),
});
export type BackupDescription = z.infer<typeof backupDescription>;

export interface BackupCounts {
  readonly parts: number;
  readonly calls: number;
  /** Lines of events. */
  readonly blocks: number;
}

/** What a line holds. */
export type BackupEntry =
  | { readonly kind: "description"; readonly description: BackupDescription }
  | { readonly kind: "header"; readonly text: string }
  | { readonly kind: "part"; readonly text: string }
  | { readonly kind: "call"; readonly number: number; readonly text: string }
  /** `lines` are those of audit-lines.ts. */
  | { readonly kind: "events"; readonly first: number; readonly last: number; readonly lines: string };

/** The file is no whole backup of this format. The message follows the file's name in a sentence. */
export class BackupFault extends Error {}

export function valueLine(kind: "header" | "part", text: string): string {
  return `{"kind":"${kind}","value":${text}}\n`;
}

export function callLine(call: number, text: string): string {
  return `{"kind":"call","number":${call},"value":${text}}\n`;
}

export function eventsLine(first: number, last: number, lines: string): string {
  return `${JSON.stringify({ kind: "events", first, last, lines })}\n`;
}

export function endLine(counts: BackupCounts, sha256: string): string {
  const { parts, calls, blocks } = counts;
  return `${JSON.stringify({ kind: "end", parts, calls, blocks, sha256 })}\n`;
}

export function failedLine(reason: string): string {
  return `${JSON.stringify({ kind: "failed", reason })}\n`;
}
