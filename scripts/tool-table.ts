// Writes the tool table of README.md, and the number of tools that the demo prints there, from the tools' declarations.
// tests/documents checks that both are current.
//
//   bun scripts/tool-table.ts

import { aligned } from "../bench/table.ts";
import { PACKS } from "../plugins/index.ts";
import { withSection } from "./document-section.ts";

const README = new URL("../README.md", import.meta.url).pathname;

function toolTable(): string {
  const rows = PACKS.flatMap((pack) =>
    pack.tools.map(({ name, requires, title }) => [
      `\`${name}\``,
      pack.name,
      requires?.connection === undefined ? "" : "C",
      title,
    ])
  );
  return aligned(["tool", "pack", "needs", "what it does"], rows);
}

/** The README with a new tool table and number of tools. */
export function withToolTable(readme: string): string {
  const inDemo = PACKS.filter(({ needs }) => needs === undefined).flatMap(({ tools }) => tools);
  return withSection(readme.replace(/\d+ tools,/, `${inDemo.length} tools,`), "tools", toolTable());
}

if (import.meta.main) await Bun.write(README, withToolTable(await Bun.file(README).text()));
