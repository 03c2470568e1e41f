// How journals of earlier formats are read. From format 4 on they have what shows damage: chained checksums, and a witness.
//
// Until format 7, a checkpoint was kept in rows of the journal itself, and a row said where it ends. One of the programs of
// format 7 still wrote it so, so the tables decide.
//
// Formats 1 to 3 have no witness: nothing shows whether their end was lost.

import type { Database } from "bun:sqlite";
import { CheckpointDamage } from "../checkpoint-file.ts";
import { type JournalFormat, PRESENT_FORMAT } from "../journal-scan.ts";
import { type CheckpointInUse, FORMAT_VERSION, rowFault, type TextRow } from "../journal-tables.ts";

/** Journals of formats from this one on can be upgraded. */
export const FIRST_UPGRADABLE = 4;

/** The words of format 4, and of later ones. */
const WORDS = ["image", "checkpoint"] as const;

/** Reads a journal of an earlier format that can be upgraded. */
export function earlierFormat(version: number): JournalFormat {
  return {
    version,
    checkpointRowName: "the end of the checkpoint",
    checkpointRow(database) {
      const word = wordOf(database);
      return word === null
        ? PRESENT_FORMAT.checkpointRow(database)
        : rowsIn(database, `${word}_end`, 0).next().value ?? undefined;
    },
    checkpointParts(database, directory, checkpoint, header) {
      const word = wordOf(database);
      return word === null
        ? PRESENT_FORMAT.checkpointParts(database, directory, checkpoint, header)
        : partsIn(database, word, checkpoint, header);
    },
  };
}

/** Null for a version that this mkt reads or upgrades, or that is newer; otherwise what to do. */
export function refusalOf(version: number): string | null {
  if (version === 0 || version >= FIRST_UPGRADABLE) return null;
  return `it has format version ${version}, this mkt upgrades versions from ${FIRST_UPGRADABLE} to ` +
    `${FORMAT_VERSION - 1}; start the version of mkt that wrote it, or name an empty directory for a new market`;
}

/** Null if checkpoints are files. */
function wordOf(database: Database): string | null {
  const query = database.query<{ name: string }, [string]>("select name from sqlite_schema where name = ?");
  return WORDS.find((word) => query.get(`${word}_end`) !== null) ?? null;
}

function* partsIn(
  database: Database,
  word: string,
  { upTo, parts, partsChecksum }: CheckpointInUse,
  header: number,
): Generator<string, void, undefined> {
  let count = 0;
  let checksum = Bun.hash.crc32(`${word} ${upTo}`, header);
  for (const row of rowsIn(database, word, 0)) {
    count += 1;
    const fault = rowFault(row, count, checksum);
    if (fault !== null) throw new CheckpointDamage(`is damaged: part ${count} of the checkpoint ${fault}`);
    checksum = row.checksum;
    if (count <= parts) yield row.text;
  }
  if (count !== parts || checksum !== partsChecksum) {
    throw new CheckpointDamage(`is damaged: the checkpoint has ${count} parts instead of ${parts}`);
  }
}

const PAGE = 100;

function* rowsIn(database: Database, table: string, after: number): Generator<TextRow, void, undefined> {
  const page = database.query<TextRow, [number]>(
    `select number, length, checksum, text from ${table} where number > ? order by number limit ${PAGE}`,
  );
  for (let last = after;;) {
    const rows = page.all(last);
    yield* rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.number ?? last;
  }
}
