// What README.md says of releases, with the table of the archives, and sizes for people.

import { NPM_PACKAGE, PROGRAM_NAME, REPOSITORY } from "../identity.ts";
import { archiveName, type Platform } from "../platforms.ts";

export interface ArchiveSize {
  readonly platform: Platform;
  readonly archiveBytes: number;
  readonly executableBytes: number;
}

/** In millions of bytes, as shops and download pages count. */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** Rows of Markdown. The version is left out of the names: the table is true for the next one, too. */
export function sizeTable(sizes: readonly ArchiveSize[]): string {
  return [
    "| for | archive | size | executable |",
    "| --- | --- | --- | --- |",
    ...sizes.map(({ platform, archiveBytes, executableBytes }) =>
      `| ${platform.title} | \`${archiveName(platform, "VERSION")}\` | ${megabytes(archiveBytes)} | ${
        megabytes(executableBytes)
      } |`
    ),
  ].join("\n");
}

/** The section of README.md once there is a release. Until then the README says what a release will bring. */
export function releaseSection(sizes: readonly ArchiveSize[]): string {
  return `[Each release](${REPOSITORY}/releases) has an archive for each platform, which holds the executable.
Unpack it, put \`${PROGRAM_NAME}\` in a folder of your \`PATH\`, and run \`${PROGRAM_NAME} demo\`. \`SHA256SUMS\` has the checksums.

${sizeTable(sizes)}

On macOS a browser's download must be allowed once: \`xattr -d com.apple.quarantine ${PROGRAM_NAME}\`.

\`npx ${NPM_PACKAGE} demo\` starts the executable from npm, which needs Node 18 or later. Claude Desktop installs a bundle:
the file of your platform that ends in \`.mcpb\`.`;
}

/** Whether there was a release: its sizes are in README.md. */
export function tellsOfRelease(readme: string): boolean {
  return /<!-- archives: [^]*\n\| [^]*<!-- \/archives -->/.test(readme);
}
