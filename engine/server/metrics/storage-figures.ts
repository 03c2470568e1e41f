// What a data directory takes on its disk, as the file system says it. Costs a few system calls.

import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";

/** Kinds of files in a data directory, by what their names begin with. */
const KINDS = ["journal", "checkpoint", "audit"] as const;
type Kind = (typeof KINDS)[number];

export interface StorageFigures {
  /** Bytes of the files of each kind. */
  readonly bytes: Readonly<Record<Kind, number>>;
  /** The checkpoint in use; null before the first one. */
  readonly checkpoint: { readonly bytes: number; readonly writtenAtMs: number } | null;
  /** Bytes that this process may still write to the file system. */
  readonly freeBytes: number;
}

/** Gives null if the directory can't be read, for example because it was moved. */
export type StorageReader = () => Promise<StorageFigures | null>;

/** `checkpointFile`: the name of the checkpoint in use; null before the first one. Calls that overlap are answered together. */
export function storageReader(directory: string, checkpointFile: () => string | null): StorageReader {
  let reading: Promise<StorageFigures | null> | null = null;
  return () => reading ??= readFigures(directory, checkpointFile()).finally(() => reading = null);
}

async function readFigures(directory: string, checkpointFile: string | null): Promise<StorageFigures | null> {
  try {
    return await figuresOf(directory, checkpointFile);
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

async function figuresOf(directory: string, checkpointFile: string | null): Promise<StorageFigures> {
  const bytes = { journal: 0, checkpoint: 0, audit: 0 };
  let checkpoint: StorageFigures["checkpoint"] = null;
  for (const name of await readdir(directory)) {
    const kind = KINDS.find((kind) => name.startsWith(kind));
    // A file that was replaced since its name was read no longer counts.
    const facts = kind && await stat(join(directory, name)).catch(nullIfMissing);
    if (kind === undefined || !facts?.isFile()) continue;
    bytes[kind] += facts.size;
    if (name === checkpointFile) checkpoint = { bytes: facts.size, writtenAtMs: facts.mtimeMs };
  }
  const { bavail, bsize } = await statfs(directory);
  return { bytes, checkpoint, freeBytes: bavail * bsize };
}

function nullIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
  throw error;
}
