// Reads a whole journal, its checkpoint, its witness and its write-ahead log, and reports whether any committed record is
// missing or damaged. Changes nothing.
//
// A journal is whole if the file's structure is sound, every row continues the checksum of the row before, and it has the
// record that the witness names, with the same checksum. A journal without any commit needs no witness: the process ended
// while it made the journal.
//
// Cost: the file is read twice, some 0.8 s for 100 MB.

import { join } from "node:path";
import { errorLine } from "../../common/error-message.ts";
import { checkpointFilesIn } from "./checkpoint-files.ts";
import { JournalScan, type ReadableJournal } from "./journal-scan.ts";
import { FORMAT_VERSION, JOURNAL_FILE, WAL_FILE } from "./journal-tables.ts";
import { formatVersion, tableCount } from "./sqlite-values.ts";
import { readWitness, WITNESS_FILE, type WitnessReading } from "./journal-witness.ts";
import type { StorageFault, TornWrite } from "./journal.ts";
import { ownerOf } from "./owner-file.ts";
import { makePrivateDirectory } from "./private-files.ts";
import { readDatabase, sizeOf, structureFault, Unreadable } from "./read-only-database.ts";
import { bytesAfterLastCommit } from "./wal-tail.ts";

export interface JournalInspection {
  readonly directory: string;
  /** Whether no journal was begun here yet. */
  readonly isNew: boolean;
  /** Empty if the journal is whole. */
  readonly faults: readonly StorageFault[];
  /** Damaged files whose other copy is whole: nothing is lost. */
  readonly replaceable: readonly StorageFault[];
  /** Null if nothing can be read. */
  readonly readable: ReadableJournal | null;
  /** Number of the last committed record; null if unknown. */
  readonly committed: number | null;
  readonly tornWrite: TornWrite | null;
  readonly witness: WitnessReading;
}

/**
 * Inspects a directory, which is made if it is missing. Throws an Error that names the directory if the files belong to
 * another version or program, are in use, or can't be read.
 */
export function inspectDirectory(directory: string): JournalInspection {
  try {
    makePrivateDirectory(directory);
    return inspectJournal(directory);
  } catch (error) {
    throw journalError(directory, error instanceof Unreadable ? error.cause : error);
  }
}

/** Like `inspectDirectory`, for a directory that exists and a journal of any format; errors do not name it. */
export function inspectJournal(directory: string, format = FORMAT_VERSION): JournalInspection {
  const witness = readWitness(directory);
  const none = {
    directory,
    witness,
    readable: null,
    tornWrite: null,
    committed: committedOf(witness),
    replaceable: [],
  };
  if (sizeOf(join(directory, JOURNAL_FILE)) === 0) {
    const isNew = witness.kind === "missing" && sizeOf(join(directory, WAL_FILE)) === 0 &&
      checkpointFilesIn(directory).length === 0;
    const faults = isNew ? [] : [{ file: JOURNAL_FILE, fault: "is missing or empty" }];
    return { ...none, isNew, faults };
  }
  const scan = scanJournal(directory, witness, format);
  if (scan === "new") return { ...none, isNew: true, faults: [] };
  const { readable, faults, replaceable } = scan;
  const missing = faults.length === 0 ? witnessFault(directory, scan, witness) : null;
  if (missing !== null) faults.push(missing);
  const torn = faults.length === 0 ? bytesAfterLastCommit(join(directory, WAL_FILE)) : 0;
  const reason = `${torn} bytes of an incomplete last write in ${WAL_FILE}`;
  const tornWrite = torn > 0 && readable !== null ? { after: readable.lastNumber, reason } : null;
  return { ...none, isNew: false, faults, replaceable, readable, tornWrite };
}

/** An Error of one line that names the directory. */
export function journalError(directory: string, error: unknown): Error {
  const reason = errorLine(error);
  if (reason.startsWith(`journal in ${directory}: `)) return error as Error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const message = code === "SQLITE_BUSY" ? `${ownerOf(directory)} is using it` : reason;
  return new Error(`journal in ${directory}: ${message}`, { cause: error });
}

function scanJournal(directory: string, witness: WitnessReading, format: number): JournalScan | "new" {
  const path = join(directory, JOURNAL_FILE);
  // SQLite uses a rollback journal only while the journal is made, and a write-ahead log after that.
  if (witness.kind === "missing" && sizeOf(`${path}-journal`) > 0) return "new";
  const scan = new JournalScan(directory, committedOf(witness));
  try {
    return readDatabase(path, (database) => {
      if (witness.kind === "missing" && formatVersion(database) === 0 && tableCount(database) === 0) return "new";
      checkVersion(formatVersion(database), witness, format);
      scan.read(database);
      const fault = structureFault(database, "quick_check");
      if (fault !== null) scan.faults.push({ file: JOURNAL_FILE, fault: `is damaged: ${fault}` });
      return scan;
    });
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    if (witness.kind === "missing" && scan.readable === null) throw error.cause;
    scan.faults.push({ file: JOURNAL_FILE, fault: `is damaged: ${error.message}` });
    return scan;
  }
}

/** Throws Unreadable if the witness shows that the version should be another: then the file is damaged. */
function checkVersion(version: number, witness: WitnessReading, expected: number): void {
  if (version === expected) return;
  if (witness.kind === "read" && witness.witnessed.format === expected) {
    throw new Unreadable(`its format version reads ${version} instead of ${expected}`);
  }
  if (version === 0) throw new Error("it is not a journal of mkt");
  if (version <= FORMAT_VERSION) {
    throw new Error(`it has format version ${version}, this mkt reads version ${FORMAT_VERSION}`);
  }
  throw new Error(
    `it was written by a newer mkt: it has format version ${version}, this mkt reads versions up to ${FORMAT_VERSION}; ` +
      "start the version of mkt that wrote it, or a later one",
  );
}

/** Null if the journal holds what the witness says. */
function witnessFault(
  directory: string,
  { readable, witnessedChecksum }: JournalScan,
  witness: WitnessReading,
): StorageFault | null {
  if (readable === null) return { file: JOURNAL_FILE, fault: "has no header" };
  const { lastNumber, headerChecksum, checkpoint } = readable;
  if (witness.kind !== "read") {
    if (lastNumber === 0) return null;
    const state = witness.kind === "missing" ? "is missing" : "is damaged";
    return { file: WITNESS_FILE, fault: `${state}: nothing shows that record ${lastNumber} was the last one` };
  }
  const { witnessed, hasUnreadableSlot } = witness;
  if (witnessed.header !== headerChecksum) {
    return { file: JOURNAL_FILE, fault: `is of another market than ${WITNESS_FILE}` };
  }
  if (lastNumber < witnessed.number) {
    const hasLog = sizeOf(join(directory, WAL_FILE)) > 0;
    return {
      file: hasLog ? `${JOURNAL_FILE} with ${WAL_FILE}` : `${JOURNAL_FILE} (without a ${WAL_FILE})`,
      fault: `ends at record ${lastNumber}, but record ${witnessed.number} was committed`,
    };
  }
  const isInCheckpoint = checkpoint !== null && witnessed.number < checkpoint.upTo;
  if (!isInCheckpoint && witnessedChecksum !== witnessed.checksum) {
    return { file: JOURNAL_FILE, fault: `has a record ${witnessed.number} that differs from the committed one` };
  }
  if (!hasUnreadableSlot || lastNumber > witnessed.number) return null;
  const fault = `is damaged in one of its two slots: nothing shows that record ${lastNumber} was the last one`;
  return { file: WITNESS_FILE, fault };
}

function committedOf(witness: WitnessReading): number | null {
  return witness.kind === "read" ? witness.witnessed.number : null;
}
