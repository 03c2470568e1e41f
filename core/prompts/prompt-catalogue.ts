// The offered prompts, and the arguments of a request for one of them. Created once and shared by every server.

import { didYouMean } from "../../common/command-line.ts";
import { ToolError } from "../error.ts";
import type { Prompt, PromptArguments } from "./prompt.ts";

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

/** The given arguments without empty ones. Throws ToolError `invalid_input` if one is unknown or missing. */
export function promptArguments(
  { name, arguments: known = {} }: Prompt,
  given: Readonly<Record<string, string>>,
): PromptArguments {
  const names = Object.keys(known);
  const unknown = Object.keys(given).filter((argument) => !Object.hasOwn(known, argument));
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ""));
  const missing = names.filter((argument) => known[argument]!.required !== false && !Object.hasOwn(filled, argument));
  if (unknown.length === 0 && missing.length === 0) return filled;
  const faults = [
    ...unknown.map((argument) => `${argument} is unknown${didYouMean(argument, names)}`),
    ...missing.map((argument) => `${argument} is missing`),
  ];
  throw new ToolError(
    "invalid_input",
    `The prompt ${name} can't be made: ${faults.join("; ")}.`,
    names.length === 0 ? "It takes no arguments." : `Its arguments are ${names.join(", ")}.`,
  );
}
