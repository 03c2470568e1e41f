// The thread that makes checkpoints, one after the other: it restores the one in use, applies the records that the engine hands
// over, and writes the new one to a file of its own. It keeps no state between two checkpoints. It ends with the process, so
// it never writes for an engine that has ended.
//
// On Linux the thread has a low priority: on two busy cores calls went on twice as fast beside a checkpoint. Elsewhere a
// priority is one of the whole process. A compiler thread that the runtime starts meanwhile inherits it; the collector's helper
// does not, since it runs before.

import { getPriority, setPriority } from "node:os";
import { errorMessage } from "../../../common/error-message.ts";
import { checkpointFile, keptOperations, readCheckpoint, writeCheckpoint } from "../../journal/checkpoint-files.ts";
import { StorageFull, type WrittenCheckpoint } from "../../journal/journal.ts";
import type { CheckpointOrigin } from "../../journal/sqlite-journal.ts";
import { CheckpointBuild } from "./checkpoint-build.ts";
import type { FromCheckpointThread, ToCheckpointThread } from "./checkpoint-messages.ts";

declare const self: Worker;

/** A tenth of the processor time that the engine's thread gets if both want the same core. */
const LOW_PRIORITY = 10;
const THIS_THREAD = 0;

if (process.platform === "linux") setPriority(THIS_THREAD, Math.max(LOW_PRIORITY, getPriority(THIS_THREAD)));

const tell = (message: FromCheckpointThread) => self.postMessage(message);

let order: { readonly origin: CheckpointOrigin; readonly build: CheckpointBuild } | null = null;

self.onmessage = ({ data }: MessageEvent<ToCheckpointThread>) => {
  try {
    take(data);
  } catch (error) {
    tell({ kind: "failed", reason: errorMessage(error), isDiskFull: error instanceof StorageFull });
  }
};

function take(message: ToCheckpointThread): void {
  if (message.kind === "order") order = begun(message.origin, message.upTo);
  else order?.build.take(message.slice);
  if (order === null) throw new Error("records came before the order");
  const { origin, build } = order;
  if (!build.isComplete) return tell({ kind: "more", after: build.number });
  tell({ kind: "written", checkpoint: written(origin, build) });
  order = null;
  // A later turn, because the stack of this one still holds the state.
  setImmediate(() => Bun.gc(true));
}

function begun(origin: CheckpointOrigin, upTo: number) {
  const { directory, header, headerChecksum, inUse, handles } = origin;
  // Operations whose files are kept are not needed.
  const read = inUse && (keptOperations(inUse).length > 0 ? { ...inUse, operations: [] } : inUse);
  const checkpoint = read && { upTo: read.upTo, parts: readCheckpoint(directory, read, headerChecksum, handles) };
  return { origin, build: new CheckpointBuild(header, checkpoint, upTo) };
}

function written(origin: CheckpointOrigin, build: CheckpointBuild): WrittenCheckpoint {
  const name = checkpointFile(build.upTo, "beside calls");
  return writeCheckpoint(origin.directory, name, build.checkpoint(), origin.inUse, origin.headerChecksum);
}
