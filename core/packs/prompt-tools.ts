// The tools that prompts name: which prompts can't be offered without them, and names that no tool has.

import { didYouMean } from "../../common/command-line.ts";
import type { Prompt } from "../prompts/prompt.ts";
import { ownerOf } from "./pack-clashes.ts";
import type { Pack } from "./pack.ts";

/** The prompts that need a tool which is not among those of the packs, each with the reason. */
export function unusablePrompts(packs: readonly Pack[]): Map<Prompt, string> {
  const offered = toolNames(packs);
  return new Map(
    packs.flatMap(({ prompts }) => prompts).flatMap((prompt) => {
      const missing = (prompt.uses ?? []).find((tool) => !offered.has(tool));
      if (missing === undefined) return [];
      return [
        [prompt, `it uses the tool ${missing}, which is not offered${didYouMean(missing, [...offered])}`] as const,
      ];
    }),
  );
}

/** A sentence for each tool that a prompt of an external pack names and that no pack has: it is probably mistyped. */
export function unknownTools(packs: readonly Pack[]): string[] {
  const known = toolNames(packs);
  return packs.filter(({ origin }) => origin !== undefined).flatMap((pack) =>
    pack.prompts.flatMap(({ name, uses = [], mayUse = [] }) =>
      [...uses, ...mayUse].filter((tool) => !known.has(tool)).map((tool) =>
        `the prompt ${name} of ${ownerOf(pack)} names the tool ${tool}, which no pack has${
          didYouMean(tool, [...known])
        }`
      )
    )
  );
}

function toolNames(packs: readonly Pack[]): ReadonlySet<string> {
  return new Set(packs.flatMap(({ tools }) => tools.map(({ name }) => name)));
}
