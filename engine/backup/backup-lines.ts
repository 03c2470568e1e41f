// The lines of a backup, from its compressed bytes.

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { errorMessage } from "../../common/error-message.ts";
import { BackupFault } from "./backup-format.ts";

/** The first bytes of a frame of Zstandard. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const LINE_BREAK = 10;
/** Longer lines are never written: a damaged file must not fill the memory. */
const MAX_LINE_BYTES = 1 << 28;
const MAX_FIRST_LINE_BYTES = 1 << 16;

export function notABackup(): BackupFault {
  return new BackupFault("is not a backup of mkt");
}

export function damaged(what: string): BackupFault {
  return new BackupFault(`is damaged: ${what}`);
}

/** The lines, with their line feeds. Throws BackupFault, and what `chunks` throws. */
export function backupLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  return linesOf(decompressed(chunks));
}

/** The decompressed bytes. */
async function* decompressed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  let failure: { readonly error: unknown } | null = null;
  const source = async function* () {
    let start: Buffer | null = Buffer.alloc(0);
    try {
      for await (const chunk of chunks) {
        if (start === null) {
          yield chunk;
          continue;
        }
        start = Buffer.concat([start, chunk]);
        if (start.length < MAGIC.length) continue;
        if (!start.subarray(0, MAGIC.length).equals(MAGIC)) throw notABackup();
        yield start;
        start = null;
      }
      if (start !== null) throw start.length === 0 ? new BackupFault("is empty") : notABackup();
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  const decoder = createZstdDecompress();
  // The loop below meets the same failure.
  const fed = pipeline(Readable.from(source()), decoder).then(() => null, (error) => error);
  try {
    for await (const bytes of decoder) yield bytes;
  } catch (error) {
    const { error: reason } = failure ?? { error: damaged(errorMessage(error)) };
    throw reason;
  } finally {
    decoder.destroy();
    await fed;
  }
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let isFirst = true;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = 0; (end = chunk.indexOf(LINE_BREAK, from)) >= 0; from = end + 1) {
      const last = chunk.subarray(from, end + 1);
      yield rest.length === 0 ? last : Buffer.concat([...rest, last]);
      rest = [];
      restBytes = 0;
      isFirst = false;
    }
    if (from === chunk.length) continue;
    rest.push(chunk.subarray(from));
    restBytes += chunk.length - from;
    if (restBytes > (isFirst ? MAX_FIRST_LINE_BYTES : MAX_LINE_BYTES)) {
      throw isFirst ? notABackup() : damaged("it has a line without an end");
    }
  }
  if (rest.length > 0) throw new BackupFault("is not whole: its last line is cut off");
}
