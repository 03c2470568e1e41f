import { expect, test } from "bun:test";
import { z } from "zod";
import { parseArguments } from "../../../core/dispatch/arguments.ts";
import type { Tool } from "../../../core/tools/tool.ts";

const MAX_TEXT_LENGTH = 10_000;
const tool = { name: "mkt_say", input: z.strictObject({ text: z.string() }) } as never as Tool;

test("a text in the arguments has at most 10,000 characters", () => {
  const text = "x".repeat(MAX_TEXT_LENGTH);
  expect(parseArguments(tool, { text })).toEqual({ text });
  expect(() => parseArguments(tool, { text: `${text}x` })).toThrow("more than 10000 characters");
});

test("ten faults are listed; of eleven the last is counted", () => {
  const faults = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, 1]));
  const many = {
    name: "mkt_say",
    input: z.strictObject(mapped(faults(11), () => z.string().optional())),
  } as never as Tool;
  expect(() => parseArguments(many, faults(10))).toThrow(/field9: [^;]*\.$/);
  expect(() => parseArguments(many, faults(11))).toThrow(/; and 1 more\.$/);
});

function mapped<Value>(record: Record<string, unknown>, value: () => Value): Record<string, Value> {
  return Object.fromEntries(Object.keys(record).map((name) => [name, value()]));
}
