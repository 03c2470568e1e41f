// The load generator's reader of HTTP answers: whatever the pieces in which an answer arrives, it ends where the answer ends.

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
  test("reads an answer with a length, however it is cut", () => {
    fc.assert(fc.property(text, cuts, (body, at) => {
      const { reader, completeAt, length } = read(withLength(body), at);
      expect([reader.status, reader.body, reader.bodyBytes]).toEqual([200, body, Buffer.byteLength(body)]);
      expect(completeAt).toBe(length);
    }));
  });

  test("reads a chunked answer, however it is cut", () => {
    const chunks = fc.array(text.filter((chunk) => chunk !== ""), { maxLength: 5 });
    fc.assert(fc.property(chunks, cuts, (body, at) => {
      const { reader, completeAt, length } = read(chunked(body), at);
      expect([reader.status, reader.body]).toEqual([200, body.join("")]);
      expect(completeAt).toBe(length);
    }));
  });

  test("reads one answer after the other, and keeps no body unless asked", () => {
    const reader = new AnswerReader();
    for (const body of ["first", "the second"]) {
      reader.begin({ keepsBody: false });
      expect(reader.feed(Buffer.from(withLength(body)))).toBe(true);
      expect([reader.bodyBytes, reader.body]).toEqual([body.length, ""]);
    }
  });

  test("refuses an answer without a length", () => {
    const reader = new AnswerReader();
    reader.begin({ keepsBody: false });
    expect(() => reader.feed(Buffer.from(`${HEAD}\r\nbody`))).toThrow("without a length");
  });
});
