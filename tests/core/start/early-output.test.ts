// How much of the early answers is written at once, and what process.stdout writes instead.

import { afterEach, beforeEach, expect, type Mock, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { EarlyOutput } from "../../../core/start/early-output.ts";

/** What a pipe holds. */
const FULL = 65_536;
const line = (length: number) => `${"x".repeat(length - 1)}\n`;

let atOnce: string[];
let later: string[];
let onError: (() => void)[];
/** What the next write takes: bytes, or the code of its error. */
let takes: (length: number) => number;
let spies: Mock<never>[];

const fail = (code: string) => (): never => {
  throw Object.assign(new Error(code), { code });
};

beforeEach(() => {
  [atOnce, later, onError, takes] = [[], [], [], (length) => length];
  const writeNow = (descriptor: number, bytes: Buffer, offset: number, length: number) => {
    const taken = takes(length);
    expect([descriptor, offset]).toEqual([1, 0]);
    atOnce.push(bytes.subarray(0, taken).toString());
    return taken;
  };
  spies = [
    spyOn(fs, "writeSync").mockImplementation(writeNow as never),
    spyOn(process.stdout, "write").mockImplementation(((bytes: Buffer) => later.push(bytes.toString()) > 0) as never),
    spyOn(process.stdout, "once").mockImplementation(
      ((_name: string, run: () => void) => {
        onError.push(run);
        return process.stdout;
      }) as never,
    ),
  ] as never;
});

afterEach(() => {
  for (const spy of spies) spy.mockRestore();
});

test("answers are written at once, up to what an empty pipe holds; process.stdout writes the rest and all later ones", () => {
  const output = new EarlyOutput();
  expect([output.write(line(FULL - 10)), output.write(line(10))]).toEqual([true, true]);
  expect([atOnce.map(({ length }) => length), later]).toEqual([[FULL - 10, 10], []]);
  expect(output.write(line(5))).toBeTrue();
  expect([atOnce.length, later]).toEqual([2, [line(5)]]);
});

test("a text that is longer than the rest of the pipe is written in two parts", () => {
  const output = new EarlyOutput();
  output.write(line(FULL - 10));
  expect(output.write("0123456789abc\n")).toBeTrue();
  expect([atOnce.at(-1), later]).toEqual(["0123456789", ["abc\n"]]);
});

test("the room is counted in bytes", () => {
  const output = new EarlyOutput();
  expect(output.write("€".repeat(21_846))).toBeTrue();
  expect([atOnce.map((text) => Buffer.byteLength(text)).length, Buffer.byteLength(later.join(""))]).toEqual([1, 6]);
});

test("once the pipe has taken a part only, nothing more is written at once, so texts stay in order", () => {
  const output = new EarlyOutput();
  takes = () => 2;
  expect([output.write("one\n"), output.write("two\n")]).toEqual([true, true]);
  expect([atOnce, later]).toEqual([["on"], ["e\n", "two\n"]]);
});

test("a pipe that takes nothing now leaves all to process.stdout", () => {
  const output = new EarlyOutput();
  takes = fail("EAGAIN");
  expect(output.write("one\n")).toBeTrue();
  takes = (length) => length;
  expect(output.write("two\n")).toBeTrue();
  expect([atOnce, later]).toEqual([[], ["one\n", "two\n"]]);
});

test("after an error nothing is written by either, and the SDK is to answer", () => {
  const output = new EarlyOutput();
  takes = fail("EPIPE");
  expect(output.write("one\n")).toBeFalse();
  takes = (length) => length;
  expect(output.write("two\n")).toBeFalse();
  expect([atOnce, later]).toEqual([[], []]);
});

test("an error of process.stdout counts as well, also after it was handed over", () => {
  const output = new EarlyOutput();
  output.handOver();
  expect(output.write("one\n")).toBeTrue();
  expect([atOnce, later, onError.length]).toEqual([[], ["one\n"], 1]);
  onError[0]!();
  expect(output.write("two\n")).toBeFalse();
  expect(later).toEqual(["one\n"]);
});
