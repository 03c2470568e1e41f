import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AnswerReader } from "../../../bench/serving/answer-reader.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";

function withLength(body: string): string {
  return `${HEAD}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function chunked(chunks: readonly string[]): string {
  const parts = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`);
  return `${HEAD}transfer-encoding: chunked\r\n\r\n${parts.join("")}0\r\n\r\n`;
}

/** Feeds an answer in pieces, and returns the reader and after how many bytes it was complete. */
function read(answer: string, cuts: readonly number[]) {
  const bytes = Buffer.from(answer);
  const ends = [...cuts.map((cut) => cut % bytes.length), bytes.length].sort((one, other) => one - other);
  const reader = new AnswerReader();
  reader.begin({ keepsBody: true });
  let at = 0;
  for (const end of ends) {
    const isComplete = reader.feed(bytes.subarray(at, end));
    at = end;
    if (isComplete) break;
  }
  return { reader, completeAt: at, length: bytes.length };
}

const text = fc.string({ unit: fc.constantFrom("a", "0", "\r\n", "{", "é", "data: ") });
const cuts = fc.array(fc.nat({ max: 5_000 }), { maxLength: 8 });

describe("a reader of answers", () => {
  const chunks = fc.array(text.filter((chunk) => chunk !== ""), { maxLength: 5 });
  const written: [string, (chunks: readonly string[]) => string][] = [
    ["an answer with a length", (chunks) => withLength(chunks.join(""))],
    ["a chunked answer", chunked],
  ];

  test.each(written)("reads %s, however it is cut", (_name, write) => {
    fc.assert(fc.property(chunks, cuts, (parts, at) => {
      const body = parts.join("");
      const { reader, completeAt, length } = read(write(parts), at);
      expect([reader.status, reader.body]).toEqual([200, body]);
      expect(completeAt).toBe(length);
    }));
  });

  test("reads one answer after the other, and keeps no body unless asked", () => {
    const reader = new AnswerReader();
    for (const body of ["first", "the second é"]) {
      reader.begin({ keepsBody: false });
      expect(reader.feed(Buffer.from(withLength(body)))).toBe(true);
      expect([reader.bodyBytes, reader.body]).toEqual([Buffer.byteLength(body), ""]);
    }
  });

  test("refuses an answer without a length", () => {
    const reader = new AnswerReader();
    reader.begin({ keepsBody: false });
    expect(() => reader.feed(Buffer.from(`${HEAD}\r\nbody`))).toThrow("without a length");
  });
});
