// Which prompts there are, and which arguments a request for one may have.

import { expect, test } from "bun:test";
import { promptArguments, PromptCatalogue } from "../../../core/prompts/prompt-catalogue.ts";
import type { Prompt } from "../../../core/prompts/prompt.ts";

const prompt = (name: string, parts: object = {}) => ({ name, ...parts }) as unknown as Prompt;
const ORDER = prompt("order", {
  arguments: { contract: {}, note: { required: false, maxLength: 5 }, side: { required: true } },
});

test("prompts are found by their names, and keep their order", () => {
  const catalogue = new PromptCatalogue([ORDER, prompt("alone")]);
  expect(catalogue.names).toEqual(["order", "alone"]);
  expect([catalogue.get("order"), catalogue.get("none")]).toEqual([ORDER, undefined]);
  expect(() => new PromptCatalogue([ORDER, prompt("order")])).toThrow("one name");
});

test("arguments are trimmed, and empty ones are left out", () => {
  expect(promptArguments(ORDER, { contract: " c ", side: "buy", note: "  " })).toEqual({ contract: "c", side: "buy" });
  expect(promptArguments(prompt("alone"), {})).toEqual({});
});

const given = (parts: object) => promptArguments(ORDER, { contract: "c", side: "buy", ...parts });
test.each([
  [() => given({ note: "12345" }), null],
  [() => given({ note: " 12345 " }), null],
  [() => given({ note: "123456" }), "note is longer than 5 characters"],
  [() => given({ contract: "x".repeat(200) }), null],
  [() => given({ contract: "x".repeat(201) }), "contract is longer than 200 characters"],
  [() => given({ contract: " " }), "contract is missing"],
  [() => promptArguments(ORDER, { note: "n" }), "contract is missing; side is missing"],
  [() => given({ sidee: "" }), "sidee is unknown (did you mean side?)"],
  [() => given({ toString: "x" }), "toString is unknown"],
  [() => given(Object.fromEntries("abcdef".split("").map((name) => [`${name}__`, ""]))), "; 1 more are unknown."],
])("arguments %#", (ask, fault) => {
  if (fault === null) return expect(ask).not.toThrow();
  expect(ask).toThrow(expect.objectContaining({
    code: "invalid_input",
    message: expect.stringContaining(fault),
    hint: "Its arguments are contract, note, side.",
  }));
});

test("five unknown arguments are all named, and a prompt without arguments says so", () => {
  const five = Object.fromEntries("abcde".split("").map((name) => [name, ""]));
  expect(() => promptArguments(prompt("alone"), five)).toThrow(expect.objectContaining({
    message: expect.stringMatching(/e is unknown[^;]*\.$/),
    hint: "It takes no arguments.",
  }));
  expect(() => promptArguments(prompt("alone"), five)).not.toThrow("more are unknown");
});
