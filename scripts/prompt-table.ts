// Writes the table of prompts in docs/mcp.md from their definitions. tests/documents checks that it is current.
//
//   bun scripts/prompt-table.ts

import { aligned } from "../bench/table.ts";
import type { Prompt } from "../core/prompts/prompt.ts";
import { PACKS } from "../plugins/index.ts";
import { withSection } from "./document-section.ts";

const DOCUMENT = new URL("../docs/mcp.md", import.meta.url).pathname;

/** The document with a new table of prompts. */
export function withPromptTable(document: string): string {
  const rows = PACKS.flatMap((pack) => pack.prompts.map((prompt) => rowOf(prompt, pack.name)));
  const header = ["prompt", "arguments", "what it does", "pack", "more with", "needs"];
  return withSection(document, "prompts", aligned(header, rows));
}

function rowOf(
  { name, title, arguments: known = {}, uses = [], mayUse = [], requires }: Prompt,
  pack: string,
): string[] {
  const needed = packsOf(uses);
  if (needed.some((other) => other !== pack)) throw new Error(`${name} needs tools of another pack`);
  return [
    `\`${name}\``,
    Object.entries(known).map(([argument, { required = true }]) => required ? `**${argument}**` : argument).join(", "),
    title,
    pack,
    packsOf(mayUse).filter((other) => other !== pack).join(", "),
    (requires?.permissions ?? []).join(", "),
  ];
}

/** The packs of these tools, in the order of the packs. */
function packsOf(tools: readonly string[]): string[] {
  return PACKS.filter((pack) => pack.tools.some(({ name }) => tools.includes(name))).map(({ name }) => name);
}

if (import.meta.main) await Bun.write(DOCUMENT, withPromptTable(await Bun.file(DOCUMENT).text()));
