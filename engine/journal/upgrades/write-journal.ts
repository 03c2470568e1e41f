// Writes a whole journal of the present format from its content: its file, its checkpoint and its witness.

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { writeCheckpointFile } from "../checkpoint-file.ts";
import { checkpointFile } from "../checkpoint-files.ts";
import { FORMAT_VERSION, insertRow, JOURNAL_FILE, makeTables, nameCheckpoint } from "../journal-tables.ts";
import { JournalWitness } from "../journal-witness.ts";
import { makePrivateFile } from "../private-files.ts";
import type { JournalContent, JsonObject } from "./journal-upgrades.ts";

/** A row with more characters takes no further record. A reader has a thousand rows in memory (journal-tables.ts). */
const ROW_LENGTH = 1 << 14;

/**
 * Writes a journal to an existing directory without one. Throws an Error if the disk is full, and leaves what was written.
 * @param upTo number of the last record that the checkpoint replaces; 0 without a checkpoint
 */
export function writeJournal(directory: string, { header, parts, records }: JournalContent, upTo: number): void {
  const path = join(directory, JOURNAL_FILE);
  makePrivateFile(path);
  const database = new Database(path, { strict: true });
  try {
    database.run("pragma synchronous = full");
    const { headerChecksum, number, checksum } = database.transaction(() => {
      makeTables(database);
      const headerChecksum = insertRow(database, "header", 1, JSON.stringify(header), 0);
      if (parts !== null) {
        const texts = Iterator.from(parts).map((part) => JSON.stringify(part));
        const file = checkpointFile(upTo, "at a stop");
        const state = writeCheckpointFile(directory, file, texts, headerChecksum);
        nameCheckpoint(database, { upTo, state, operations: [], recordChecksum: headerChecksum }, headerChecksum);
      }
      const last = insertRecords(database, records, upTo, headerChecksum);
      database.run(`pragma user_version = ${FORMAT_VERSION}`);
      return { headerChecksum, ...last };
    }).immediate();
    JournalWitness.begin(directory, { format: FORMAT_VERSION, header: headerChecksum, number, checksum }).close();
  } finally {
    database.close();
  }
}

/** Returns number and checksum of the last record. */
function insertRecords(
  database: Database,
  records: Iterable<JsonObject>,
  after: number,
  seed: number,
): { number: number; checksum: number } {
  let [number, checksum] = [after, seed];
  let texts: string[] = [];
  let length = 0;
  const insert = () => {
    if (texts.length > 0) checksum = insertRow(database, "record", number, texts.join("\n"), checksum);
    texts = [];
    length = 0;
  };
  for (const record of records) {
    const text = JSON.stringify(record);
    texts.push(text);
    length += text.length;
    number += 1;
    if (length >= ROW_LENGTH) insert();
  }
  insert();
  return { number, checksum };
}
