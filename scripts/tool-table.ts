// Writes the tool table of docs/tools.md, and the number of tools that the demo prints in README.md, from the tools' declarations.
// tests/documents checks that both are current.
//
//   bun scripts/tool-table.ts

import { aligned } from "../bench/table.ts";
import { PACKS } from "../plugins/index.ts";
import { withSection } from "./document-section.ts";

const DOCUMENT = new URL("../docs/tools.md", import.meta.url).pathname;
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

/** docs/tools.md with a new table. */
export function withToolTable(document: string): string {
  return withSection(document, "tools", toolTable());
}

/** The README with the number of tools that the demo offers. */
export function withToolCount(readme: string): string {
  const inDemo = PACKS.filter(({ needs }) => needs === undefined).flatMap(({ tools }) => tools);
  return readme.replace(/\d+ tools,/, `${inDemo.length} tools,`);
}

if (import.meta.main) {
  await Bun.write(DOCUMENT, withToolTable(await Bun.file(DOCUMENT).text()));
  await Bun.write(README, withToolCount(await Bun.file(README).text()));
}
