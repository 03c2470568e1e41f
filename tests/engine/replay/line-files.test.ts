import { beforeEach, describe, expect, test } from "bun:test";
import * as fs from "node:fs";
import { join } from "node:path";
import { LineReader, LineWriter, unreadable } from "../../../engine/replay/line-files.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let path: string;
beforeEach(() => void (path = join(temporaryDirectory(), "file")));

/** A reader that gets the file in these chunks. */
function readerOf(...chunks: readonly Uint8Array[]): LineReader {
  replaced(Bun, "file", () => ({ stream: () => chunks.values() }) as never);
  return new LineReader(path);
}

async function linesOf(reader: LineReader): Promise<string[]> {
  const lines: string[] = [];
  for (let line = await reader.read(); line !== null; line = await reader.read()) lines.push(line);
  return lines;
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("a file that is read line by line", () => {
  test.each<[string, string[]]>([
    ["", []],
    ["\n", [""]],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\nb", ["a", "b"]],
    ["a\n\nb\n", ["a", "", "b"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\r\nb\r", ["a", "b"]],
    ["a\rb\n", ["a\rb"]],
    ["a\r\r\n", ["a\r"]],
    ["é€😀\nx\n", ["é€😀", "x"]],
  ])("%j has the lines %j, wherever its chunks end", async (text, lines) => {
    const all = bytes(text);
    for (let first = 0; first <= all.length; first++) {
      const reader = readerOf(all.subarray(0, first), all.subarray(first));
      expect(await linesOf(reader)).toEqual(lines);
      expect([reader.lineNumber, reader.bytesRead, await reader.read()]).toEqual([lines.length, all.length, null]);
    }
    expect(await linesOf(readerOf(...Array.from(all, (_, at) => all.subarray(at, at + 1))))).toEqual(lines);
  });

  test("tells the number of the last line, and the bytes that were read for it", async () => {
    const reader = readerOf(bytes("one\ntwo\nth"), bytes("ree\n"));
    expect([reader.lineNumber, reader.bytesRead]).toEqual([0, 0]);
    const facts: unknown[] = [];
    for (let line = await reader.read(); line !== null; line = await reader.read()) {
      facts.push([line, reader.lineNumber, reader.bytesRead]);
    }
    expect(facts).toEqual([["one", 1, 10], ["two", 2, 10], ["three", 3, 14]]);
  });

  test("is given up when it is closed, also before its first line", async () => {
    const ended: string[] = [];
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(bytes("a line\n")),
        cancel: () => void ended.push("cancelled"),
      });
    replaced(Bun, "file", () => ({ stream: endless }) as never);
    const reader = new LineReader(path);
    await reader.read();
    await reader.close();
    expect(ended).toEqual(["cancelled"]);
    await new LineReader(path).close();
    expect(ended).toEqual(["cancelled"]);
  });

  test("gives an error that names it if it can't be read", async () => {
    const error = await new LineReader(path).read().catch((error: unknown) => error as Error);
    expect((error as Error).message).toStartWith(`${path}: `);
    const given = Object.assign(new Error("EISDIR: illegal operation on a directory, read"), { code: "EISDIR" });
    const named = unreadable("a path", given);
    expect([named.message.split(":")[0], named.message.includes("\n"), named.cause]).toEqual(["a path", false, given]);
  });
});

describe("a file that is written line by line", () => {
  test("has its lines once it is closed, and nothing of what it had", () => {
    fs.writeFileSync(path, "a former text that is longer than the next one");
    const writer = new LineWriter(path);
    for (const line of ["one", "", "€"]) writer.write(line);
    expect(fs.readFileSync(path, "utf8")).toBe("");
    writer.close();
    expect(fs.readFileSync(path, "utf8")).toBe("one\n\n€\n");
  });

  test("is written whenever enough lines wait, however little of them the disk takes at once", () => {
    const { writeSync } = fs;
    const writes = replaced(
      fs,
      "writeSync",
      ((file: number, chunk: Buffer) => writeSync(file, chunk.subarray(0, 30_000))) as never,
    );
    const writer = new LineWriter(path);
    writer.write("x".repeat(65_534));
    expect(writes).toHaveLength(0);
    writer.write("");
    expect(writes).toHaveLength(3);
    writer.write("last");
    expect(writes).toHaveLength(3);
    writer.close();
    expect([writes.length, fs.readFileSync(path, "utf8")]).toEqual([4, `${"x".repeat(65_534)}\n\nlast\n`]);
  });

  test("is closed also if the disk refuses the last lines", () => {
    const { closeSync } = fs;
    const closed = replaced(fs, "closeSync", (file) => closeSync(file));
    replaced(fs, "writeSync", () => {
      throw new Error("no space");
    });
    const writer = new LineWriter(path);
    writer.write("one");
    expect(() => writer.close()).toThrow("no space");
    expect(closed).toHaveLength(1);
  });
});
