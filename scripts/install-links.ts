// Writes the list of install links into README.md, as they are with or without a release.
// tests/packaging/install-links.test.ts checks that it is current.
//
//   bun scripts/install-links.ts

import { INSTALL_LINKS, installCommands } from "../packaging/install-links/install-links.ts";
import { type ArchiveSize, releaseSection, tellsOfRelease } from "../packaging/release/sizes.ts";
import { withSection } from "./document-section.ts";

const README = new URL("../README.md", import.meta.url).pathname;

/** Not a table, whose rows would be as long as the longest link. */
function linkList(isReleased: boolean): string {
  const { cursor, vscode } = INSTALL_LINKS;
  const links = (name: string, { demo, local }: typeof cursor) =>
    isReleased
      ? `- ${name}: [start the demo](${demo.web}), or [connect to a server on this machine](${local.web})`
      : `- ${name}: [connect to the demo that runs on this machine](${local.web})`;
  const commands = (name: string, { demo, local }: { readonly demo: string; readonly local: string }) =>
    `- ${name}${isReleased ? "" : ", in the clone"}: \`${demo}\`, or \`${local}\``;
  const { "claude-code": claudeCode, codex } = installCommands(isReleased);
  return [
    links("Cursor", cursor),
    links("VS Code", vscode),
    commands("Claude Code", claudeCode),
    commands("Codex", codex),
  ].join("\n");
}

/** The README with current links. */
export function withInstallLinks(readme: string): string {
  return withSection(readme, "install-links", linkList(tellsOfRelease(readme)));
}

/** The README of a release: with the sizes of its archives, and with links to its npm package. */
export function withRelease(readme: string, sizes: readonly ArchiveSize[]): string {
  return withInstallLinks(withSection(readme, "archives", releaseSection(sizes)));
}

if (import.meta.main) await Bun.write(README, withInstallLinks(await Bun.file(README).text()));
