// Blocks: runs of up to BLOCK_EVENTS events with consecutive positions, which the audit trail stores as one row. The row has
// the events' lines (audit-lines.ts), compressed, and a checksum, which is compared whenever the lines are read. The index
// has one entry for each block and key, not for each event.
//
// Cost: an event takes about a third of what a row of its own with four indexes would, and a tenth of the space. Whoever
// reads one event reads its block, some tenths of a millisecond.
//
// A block is never changed. `deleteAfter` replaces the block that contains its position by a shorter one.

import type { Database } from "bun:sqlite";
import { AuditLines } from "../api/audit-lines.ts";
import { Unreadable } from "../journal/read-only-database.ts";

const BLOCK_EVENTS = 256;
/** The fastest. Lines shrink to a tenth at any level. */
const LEVEL = 1;

export interface BlockRow {
  readonly last_position: number;
  readonly first_position: number;
  readonly checksum: number;
  /** Compressed. */
  readonly lines: Uint8Array<ArrayBuffer>;
}

interface Block {
  readonly first: number;
  last: number;
  lines: string;
  readonly keys: Set<string>;
}

/** Collects lines into blocks. */
export class BlockMaker {
  readonly #blocks: Block[] = [];
  events = 0;

  /** Adds the reader's line. Positions must ascend. */
  add(reader: AuditLines): void {
    const { position, line } = reader;
    let block = this.#blocks.at(-1);
    if (block === undefined || position !== block.last + 1 || position - block.first >= BLOCK_EVENTS) {
      block = { first: position, last: position, lines: "", keys: new Set() };
      this.#blocks.push(block);
    }
    block.last = position;
    block.lines += line;
    reader.addKeys(block.keys);
    this.events += 1;
  }

  /** Inserts the blocks, within the caller's transaction. */
  insert(database: Database): void {
    for (const block of this.#blocks) insertBlock(database, block);
  }
}

function insertBlock(database: Database, { first, last, lines, keys }: Block): void {
  const compressed = new Uint8Array(Bun.zstdCompressSync(Buffer.from(lines), { level: LEVEL }));
  database.query("insert into block values (?, ?, ?, ?)").run(
    last,
    first,
    checksumOf(first, last, compressed),
    compressed,
  );
  const insertMention = database.query("insert into mention values (?, ?)");
  for (const key of keys) insertMention.run(key, last);
}

/** Throws if the block is damaged. */
export function linesOf(row: BlockRow): string {
  if (!isWhole(row)) {
    throw new Error(
      `audit events ${row.first_position} to ${row.last_position} are damaged in the engine's audit trail`,
    );
  }
  return new TextDecoder().decode(Bun.zstdDecompressSync(row.lines));
}

function isWhole({ first_position, last_position, checksum, lines }: BlockRow): boolean {
  return checksumOf(first_position, last_position, lines) === checksum;
}

function checksumOf(first: number, last: number, lines: Uint8Array<ArrayBuffer>): number {
  return Bun.hash.crc32(lines, Bun.hash.crc32(`${first} ${last}`));
}

/** The block with this position, or the first one after it; null if there is none. */
export function blockFrom(database: Database, position: number): BlockRow | null {
  const query = "select * from block where last_position >= ? order by last_position limit 1";
  return database.query<BlockRow, [number]>(query).get(position);
}

/** The block with this position, and those after it. */
export function* blocksFrom(database: Database, position: number): Generator<BlockRow, void, undefined> {
  for (let row = blockFrom(database, position); row !== null; row = blockFrom(database, row.last_position + 1)) {
    yield row;
  }
}

/** The same. Throws Unreadable if one of them is damaged. */
export function* wholeBlocksFrom(database: Database, position: number): Generator<BlockRow, void, undefined> {
  for (const row of blocksFrom(database, position)) {
    if (isWhole(row)) yield row;
    else throw new Unreadable(`events ${row.first_position} to ${row.last_position} have the wrong checksum`);
  }
}

/** Deletes the blocks that end before a position, within the caller's transaction. */
export function deleteBefore(database: Database, position: number): void {
  const oldest = database.query<BlockRow, [number]>(
    "select * from block where last_position < ? order by last_position limit 1",
  );
  for (let row = oldest.get(position); row !== null; row = oldest.get(position)) deleteBlock(database, row);
}

/** Deletes the events after a position, within the caller's transaction. */
export function deleteAfter(database: Database, position: number): void {
  for (const row of blocksFrom(database, position + 1)) {
    deleteBlock(database, row);
    if (row.first_position > position) continue;
    const kept = new BlockMaker();
    for (const reader = new AuditLines(linesOf(row)); reader.next() && reader.position <= position;) kept.add(reader);
    kept.insert(database);
  }
}

function deleteBlock(database: Database, row: BlockRow): void {
  const { last_position } = row;
  database.query("delete from block where last_position = ?").run(last_position);
  if (!isWhole(row)) {
    // Its keys are unknown, so this reads the whole index.
    database.query("delete from mention where last_position = ?").run(last_position);
    return;
  }
  const keys = new Set<string>();
  for (const reader = new AuditLines(linesOf(row)); reader.next();) reader.addKeys(keys);
  const deleteMention = database.query("delete from mention where key = ? and last_position = ?");
  for (const key of keys) deleteMention.run(key, last_position);
}
