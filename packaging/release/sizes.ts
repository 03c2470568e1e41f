// The table of a release's archives in README.md, and sizes for people.

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
