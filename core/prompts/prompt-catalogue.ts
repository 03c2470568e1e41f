// The offered prompts, and the arguments of a request for one of them. Created once and shared by every server.

import { didYouMean } from "../../common/command-line.ts";
import { safeText } from "../../common/safe-text.ts";
import { MAX_ID_LENGTH } from "../../protocol/limits.ts";
import { ToolError } from "../error.ts";
import type { Prompt, PromptArguments } from "./prompt.ts";

/** A request may have thousands. */
const MAX_UNKNOWN_SHOWN = 5;

export class PromptCatalogue {
  readonly #prompts: ReadonlyMap<string, Prompt>;

  constructor(readonly prompts: readonly Prompt[]) {
    this.#prompts = new Map(prompts.map((prompt) => [prompt.name, prompt]));
    if (this.#prompts.size !== prompts.length) throw new Error("two prompts have one name");
  }

  get(name: string): Prompt | undefined {
    return this.#prompts.get(name);
  }

  get names(): readonly string[] {
    return [...this.#prompts.keys()];
  }
}

/**
 * The given arguments, trimmed and without empty ones. Throws ToolError `invalid_input` if one is unknown, missing or too long.
 */
export function promptArguments(
  { name, arguments: known = {} }: Prompt,
  given: Readonly<Record<string, string>>,
): PromptArguments {
  const names = Object.keys(known);
  const unknown = Object.keys(given).filter((argument) => !Object.hasOwn(known, argument));
  const trimmed = Object.entries(given).map(([argument, value]) => [argument, value.trim()] as const);
  const filled = Object.fromEntries(trimmed.filter(([, value]) => value !== ""));
  const missing = names.filter((argument) => known[argument]!.required !== false && !Object.hasOwn(filled, argument));
  const limitOf = (argument: string) => known[argument]!.maxLength ?? MAX_ID_LENGTH;
  const tooLong = names.filter((argument) => (filled[argument]?.length ?? 0) > limitOf(argument));
  if (unknown.length === 0 && missing.length === 0 && tooLong.length === 0) return filled;
  const faults = [
    ...unknown.slice(0, MAX_UNKNOWN_SHOWN)
      .map((argument) => `${safeText(argument, MAX_ID_LENGTH)} is unknown${didYouMean(argument, names)}`),
    ...(unknown.length > MAX_UNKNOWN_SHOWN ? [`${unknown.length - MAX_UNKNOWN_SHOWN} more are unknown`] : []),
    ...missing.map((argument) => `${argument} is missing`),
    ...tooLong.map((argument) => `${argument} is longer than ${limitOf(argument)} characters`),
  ];
  throw new ToolError(
    "invalid_input",
    `The prompt ${name} can't be made: ${faults.join("; ")}.`,
    names.length === 0 ? "It takes no arguments." : `Its arguments are ${names.join(", ")}.`,
  );
}
