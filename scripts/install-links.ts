// Writes the list of install links into README.md. tests/packaging/install-links.test.ts checks that it is current.
//
//   bun scripts/install-links.ts

import { INSTALL_COMMANDS, INSTALL_LINKS } from "../packaging/install-links/install-links.ts";
import { withSection } from "./document-section.ts";

const README = new URL("../README.md", import.meta.url).pathname;

/** Not a table, whose rows would be as long as the longest link. */
function linkList(): string {
  const { cursor, vscode } = INSTALL_LINKS;
  const links = (name: string, { demo, local }: typeof cursor) =>
    `- ${name}: [start the demo](${demo.web}), or [connect to a server on this machine](${local.web})`;
  const commands = (name: string, { demo, local }: { readonly demo: string; readonly local: string }) =>
    `- ${name}: \`${demo}\`, or \`${local}\``;
  return [
    links("Cursor", cursor),
    links("VS Code", vscode),
    commands("Claude Code", INSTALL_COMMANDS["claude-code"]),
    commands("Codex", INSTALL_COMMANDS.codex),
  ].join("\n");
}

/** The README with current links. */
export function withInstallLinks(readme: string): string {
  return withSection(readme, "install-links", linkList());
}

if (import.meta.main) await Bun.write(README, withInstallLinks(await Bun.file(README).text()));
