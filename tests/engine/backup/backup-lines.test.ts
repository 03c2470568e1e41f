// The lines of compressed bytes: whole ones only, however the bytes come, and what ends them.

import { expect, test } from "bun:test";
import { BackupFault } from "../../../engine/backup/backup-format.ts";
import { backupLines } from "../../../engine/backup/backup-lines.ts";

const compressed = (text: string) => new Uint8Array(Bun.zstdCompressSync(Buffer.from(text)));

/** `size`: bytes of a chunk. `state.isReleased`: whether the reader has let go of its source. */
function source(bytes: Uint8Array, size = bytes.length, failure: Error | null = null) {
  const state = { isReleased: false };
  const chunks = async function* () {
    try {
      for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
      if (failure !== null) throw failure;
    } finally {
      state.isReleased = true;
    }
  };
  return { chunks: chunks(), state };
}

/** The lines that were given, and why there are no more. */
async function read(chunks: AsyncIterable<Uint8Array>): Promise<[lines: string[], fault: unknown]> {
  const lines: string[] = [];
  try {
    for await (const line of backupLines(chunks)) lines.push(line.toString());
    return [lines, null];
  } catch (error) {
    return [lines, error instanceof BackupFault ? error.message : error];
  }
}

const LONG = `${"x".repeat((1 << 16) - 1)}\n`;
const VERY_LONG = `${"y".repeat(3 << 16)}\n`;

test.each([1, 3, 4, 5, 1000])(
  "lines are whole with their line feeds, in chunks of %d bytes, of several frames",
  async (size) => {
    const lines = ["first\n", "\n", "an emoji: 😀\n", "last\n"];
    const bytes = Buffer.concat([compressed("first\n\nan em"), compressed("oji: 😀\nlast"), compressed("\n")]);
    const { chunks, state } = source(bytes, size);
    expect([await read(chunks), state.isReleased]).toEqual([[lines, null], true]);
  },
);

test.each<[string, Uint8Array, string[], string]>([
  ["nothing", new Uint8Array(), [], "is empty"],
  ["three bytes", new Uint8Array([0x28, 0xb5, 0x2f]), [], "is not a backup of mkt"],
  ["four other bytes", Buffer.from("text"), [], "is not a backup of mkt"],
  [
    "a last line without its line feed",
    compressed("one\ntwo\nthr"),
    ["one\n", "two\n"],
    "is not whole: its last line is cut off",
  ],
  ["one line without a line feed", compressed("one"), [], "is not whole: its last line is cut off"],
  ["a first line that is too long", compressed("x".repeat((1 << 16) + 1)), [], "is not a backup of mkt"],
])("of %s there is a fault, after the whole lines", async (_, bytes, lines, fault) => {
  expect(await read(source(bytes).chunks)).toEqual([lines, fault]);
});

test("only the first line has to be short", async () => {
  const lines = [LONG, VERY_LONG, "z\n", VERY_LONG];
  expect(await read(source(compressed(lines.join(""))).chunks)).toEqual([lines, null]);
});

test.each([1, 1000])("bytes that can't be decompressed are damaged, in chunks of %d bytes", async (size) => {
  const whole = compressed("one\n".repeat(100));
  for (const bytes of [whole.with(4, 0xff), whole.with(9, 0xff)]) {
    const [lines, fault] = await read(source(bytes, size).chunks);
    expect([lines.length < 100, fault]).toEqual([true, expect.stringMatching(/^is damaged: ./)]);
  }
});

test.each([0, 3, 8])("what ends the bytes after %d of them is thrown as it is", async (length) => {
  const lost = new Error("the connection was lost");
  const [, fault] = await read(source(compressed("one\ntwo\n").subarray(0, length), 2, lost).chunks);
  expect(fault).toBe(lost);
});

test("a reader that stops early releases bytes without an end", async () => {
  const state = { isReleased: false };
  const chunks = async function* () {
    try {
      for (let number = 0;; number++) yield compressed(`line ${number}\n`);
    } finally {
      state.isReleased = true;
    }
  };
  for await (const line of backupLines(chunks())) {
    expect([line.toString(), state.isReleased]).toEqual(["line 0\n", false]);
    break;
  }
  expect(state.isReleased).toBe(true);
});
