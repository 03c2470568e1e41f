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
