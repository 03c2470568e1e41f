// Compares a journal with its witness: whether every record that was committed is there.

import { join } from "node:path";
import type { JournalScan } from "./journal-scan.ts";
import { JOURNAL_FILE, WAL_FILE } from "./journal-tables.ts";
import { WITNESS_FILE, type WitnessReading } from "./journal-witness.ts";
import type { StorageFault } from "./journal.ts";
import { sizeOf } from "./read-only-database.ts";

/** Null if the journal holds what the witness says. */
export function witnessFault(
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
  const { witnessed, unreadableSlot } = witness;
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
    return { file: JOURNAL_FILE, fault: `has another record ${witnessed.number} than the one that was committed` };
  }
  if (unreadableSlot === null || lastNumber > witnessed.number) return null;
  const fault = `is damaged in one of its two slots: nothing shows that record ${lastNumber} was the last one`;
  return { file: WITNESS_FILE, fault };
}
