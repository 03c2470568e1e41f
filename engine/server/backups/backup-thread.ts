// The thread that makes a backup: it reads the checkpoint from its file, and gets records and audit events from the engine, a
// slice at a time. It makes a frame only when the engine asks for one, so its memory doesn't grow with a slow client. It makes
// one backup and is then ended.
//
// On Linux it has a low priority, like the thread that makes checkpoints.

import { getPriority, setPriority } from "node:os";
import { errorMessage } from "../../../common/error-message.ts";
import { type BlockRow, linesOf } from "../../audit/audit-blocks.ts";
import { BackupEncoder } from "../../backup/backup-encoder.ts";
import type { BackupDescription } from "../../backup/backup-format.ts";
import { AuditLines } from "../../api/audit-lines.ts";
import { readCheckpoint } from "../../journal/checkpoint-files.ts";
import type { RecordSlice } from "../../journal/journal.ts";
import type { CheckpointOrigin } from "../../journal/sqlite-journal.ts";
import type { BackupFrame, FromBackupThread, ToBackupThread } from "./backup-messages.ts";

declare const self: Worker;

const LOW_PRIORITY = 10;
const THIS_THREAD = 0;

if (process.platform === "linux") setPriority(THIS_THREAD, Math.max(LOW_PRIORITY, getPriority(THIS_THREAD)));

const tell = (message: FromBackupThread) => self.postMessage(message);

/** The question that waits for its answer. */
let asked: (message: ToBackupThread) => void = () => {};

self.onmessage = ({ data }: MessageEvent<ToBackupThread>) => {
  if (data.kind === "order") void make(data.origin, data.description);
  else asked(data);
};

async function answered<Kind extends ToBackupThread["kind"]>(
  kind: Kind,
): Promise<Extract<ToBackupThread, { kind: Kind }>> {
  const message = await new Promise<ToBackupThread>((resolve) => (asked = resolve));
  if (message.kind !== kind) throw new Error(`the engine sent ${message.kind} instead of ${kind}`);
  return message as Extract<ToBackupThread, { kind: Kind }>;
}

async function make(origin: CheckpointOrigin, description: BackupDescription): Promise<void> {
  try {
    const encoder = new BackupEncoder();
    await answered("next");
    for await (const _ of lines(encoder, origin, description)) {
      if (!encoder.hasFrame) continue;
      sendFrame({ bytes: encoder.frame(), isLast: false });
      await answered("next");
    }
    sendFrame({ bytes: encoder.lastFrame(), isLast: true });
  } catch (error) {
    tell({ kind: "failed", reason: errorMessage(error) });
  }
}

/** Adds all lines but the last, and yields now and then. */
async function* lines(encoder: BackupEncoder, origin: CheckpointOrigin, description: BackupDescription) {
  encoder.describe(description);
  encoder.addHeader(JSON.stringify(origin.header));
  if (origin.inUse !== null) {
    const { directory, inUse, headerChecksum, handles } = origin;
    for (const text of readCheckpoint(directory, inUse, headerChecksum, handles)) {
      encoder.addPart(text);
      yield;
    }
  }
  for (let last = description.checkpoint ?? 0; last < description.upTo;) {
    last = addCalls(encoder, last, description.upTo, await records(last));
    yield;
  }
  // Events up to the point may be in a block with later ones. The first may follow any position: older ones were deleted.
  // There may be none: a trail that was lost begins anew after a position.
  const upTo = description.auditPosition;
  let last: number | null = null;
  for (let isMoreLeft = upTo > 0; isMoreLeft;) {
    const blocks = await blocksAfter(last ?? 0);
    isMoreLeft = blocks.length > 0;
    for (const block of blocks) {
      isMoreLeft = block.last_position < upTo;
      if (block.first_position > upTo) break;
      if (last !== null && block.first_position !== last + 1) throw new Error(missing(last, block.first_position));
      last = addBlock(encoder, block, upTo);
      yield;
      if (!isMoreLeft) break;
    }
  }
  if (last !== null && last < upTo) throw new Error(missing(last, upTo + 1));
}

async function records(after: number): Promise<RecordSlice> {
  tell({ kind: "records", after });
  return (await answered("records")).slice;
}

async function blocksAfter(after: number): Promise<readonly BlockRow[]> {
  tell({ kind: "events", after });
  return (await answered("events")).blocks;
}

/** Returns the number of the last record added. */
function addCalls(encoder: BackupEncoder, after: number, upTo: number, { texts, last }: RecordSlice): number {
  if (last <= after) throw new Error(`the journal has no records after ${after}`);
  let number = after;
  for (const text of texts.split("\n")) {
    if (number === upTo) break;
    encoder.addCall(++number, text);
  }
  return number;
}

/** Returns the position of the last event added. */
function addBlock(encoder: BackupEncoder, block: BlockRow, upTo: number): number {
  const { first_position: first, last_position: last } = block;
  const all = linesOf(block);
  if (last <= upTo) {
    encoder.addEvents(first, last, all);
    return last;
  }
  let some = "";
  for (const reader = new AuditLines(all); reader.next() && reader.position <= upTo;) some += reader.line;
  encoder.addEvents(first, upTo, some);
  return upTo;
}

function missing(last: number, next: number): string {
  return `the audit trail has no events between ${last} and ${next}: they were deleted meanwhile, or are damaged`;
}

function sendFrame(frame: BackupFrame): void {
  self.postMessage({ kind: "frame", ...frame } satisfies FromBackupThread, [frame.bytes.buffer]);
}
