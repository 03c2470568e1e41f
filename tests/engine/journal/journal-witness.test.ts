import { describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JournalWitness, readWitness, WITNESS_FILE } from "../../../engine/journal/journal-witness.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const BEGUN = { format: 12, header: 5, number: 0, checksum: 5 };
const SLOTS = [0, 4096] as const;

/** A witness after these commits, and its file. */
function witnessOf(...commits: readonly (readonly [number, number])[]) {
  const directory = temporaryDirectory();
  const path = join(directory, WITNESS_FILE);
  const witness = JournalWitness.begin(directory, BEGUN);
  for (const [number, checksum] of commits) witness.write(number, checksum);
  witness.close();
  const damage = (at: number) => {
    const bytes = readFileSync(path);
    bytes[at + 30] = "#".charCodeAt(0);
    writeFileSync(path, bytes);
  };
  const read = () => {
    const reading = readWitness(directory);
    if (reading.kind !== "read") return reading.kind;
    const { number, checksum, generation } = reading.witnessed;
    return { number, checksum, generation, torn: reading.hasUnreadableSlot };
  };
  return { directory, path, damage, read };
}

describe("the witness", () => {
  test("has its full size from the beginning, and both slots name what it began with", () => {
    const { path, damage, read } = witnessOf();
    expect([statSync(path).size, statSync(path).mode & 0o777]).toEqual([8192, 0o600]);
    expect(read()).toEqual({ number: 0, checksum: 5, generation: 2, torn: false });
    damage(SLOTS[0]);
    expect(read()).toEqual({ number: 0, checksum: 5, generation: 1, torn: true });
  });

  test("names the last commit; if its slot is torn, the one before", () => {
    const commits = [[3, 33], [4, 44], [7, 77]] as const;
    for (let count = 1; count <= commits.length; count++) {
      const given = commits.slice(0, count);
      const last = given.at(-1)!;
      const before = given.at(-2) ?? [0, 5];
      const newest = SLOTS[count % 2]!;
      const torn = witnessOf(...given);
      expect(torn.read()).toEqual({ number: last[0], checksum: last[1], generation: count + 2, torn: false });
      torn.damage(newest);
      expect(torn.read()).toEqual({ number: before[0], checksum: before[1], generation: count + 1, torn: true });
      const older = witnessOf(...given);
      older.damage(SLOTS[1 - count % 2]!);
      expect(older.read()).toEqual({ number: last[0], checksum: last[1], generation: count + 2, torn: true });
    }
  });

  test("is unreadable without a whole slot, and missing without a file", () => {
    const { damage, read } = witnessOf([1, 11]);
    for (const slot of SLOTS) damage(slot);
    expect(read()).toBe("unreadable");
    expect(readWitness(temporaryDirectory())).toEqual({ kind: "missing" });
  });

  test("believes no slot in the place of the other one", () => {
    const { path, read } = witnessOf([1, 11]);
    const bytes = readFileSync(path);
    bytes.copyWithin(SLOTS[0], SLOTS[1], SLOTS[1] + 256);
    writeFileSync(path, bytes);
    expect(read()).toEqual({ number: 1, checksum: 11, generation: 3, torn: true });
  });

  test("writes a commit once, and goes on where it was when it is opened again", () => {
    const { directory, read } = witnessOf([1, 11], [1, 11]);
    expect(read()).toMatchObject({ number: 1, generation: 3 });
    const reading = readWitness(directory);
    if (reading.kind !== "read") throw new Error(reading.kind);
    const again = JournalWitness.open(directory, reading);
    again.write(1, 11);
    again.write(2, 22);
    again.close();
    expect(read()).toEqual({ number: 2, checksum: 22, generation: 4, torn: false });
    expect(reading.witnessed).toMatchObject({ format: 12, header: 5 });
  });

  test("begins anew in place of another one", () => {
    const { directory, read } = witnessOf([1, 11], [2, 22], [3, 33], [4, 44]);
    JournalWitness.begin(directory, { ...BEGUN, number: 1, checksum: 11 }).close();
    expect(read()).toEqual({ number: 1, checksum: 11, generation: 2, torn: false });
  });
});
