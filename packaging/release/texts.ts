// Texts of a release: the README in each archive, the notes that people read on the release's page, and what to run to publish.

import { NPM_PACKAGE, PROGRAM_NAME, REPOSITORY } from "../identity.ts";
import { executableName, type Platform } from "../platforms.ts";
import type { ChangelogSection } from "./changelog.ts";

/** README.txt in an archive. */
export function archiveReadme(platform: Platform, version: string): string {
  const start = platform.os === "windows" ? `.\\${executableName(platform)}` : `./${executableName(platform)}`;
  return `${PROGRAM_NAME} ${version} for ${platform.title}

  ${start} demo       a whole market in one process, MCP on http://127.0.0.1:4087/mcp
  ${start} doctor     checks everything that a configuration needs
  ${start} --help     all commands

The executable needs no other program. Put it in a folder of your PATH.
${platform.os === "macos" ? `\n${QUARANTINE}\n` : ""}
Documents: ${REPOSITORY}
Licences:  LICENSE and THIRD-PARTY-LICENSES.txt, also printed by \`${start} licenses\`
`;
}

const QUARANTINE = `macOS refuses a program from a browser's download that Apple has not checked. Allow this one:
  xattr -d com.apple.quarantine ${PROGRAM_NAME}`;

interface NotesOptions {
  readonly version: string;
  readonly section: ChangelogSection;
  /** A table of Markdown: sizeTable. */
  readonly table: string;
}

/** RELEASE-NOTES.md. */
export function releaseNotes({ version, section, table }: NotesOptions): string {
  return `# ${PROGRAM_NAME} ${version}

${section.text}

## Files

${table.replaceAll("VERSION", version)}

The executable for x64 without AVX2 runs on every x64 processor. Take it for processors from before 2013 and for virtual machines
that hide what theirs can do.

Check a download with \`sha256sum --check --ignore-missing SHA256SUMS\`, on macOS with \`shasum -a 256\` instead of \`sha256sum\`. \`${PROGRAM_NAME}-${version}.cdx.json\` lists what the executables
contain (CycloneDX). \`npx ${NPM_PACKAGE}@${version}\` starts the executable of your platform.

## macOS

Unless their publisher has signed them, the executables are signed ad hoc: complete, but by nobody whom Apple knows. A download by \`curl\` or npm starts. A download by a
browser is in quarantine, and macOS refuses it until you run \`xattr -d com.apple.quarantine ${PROGRAM_NAME}\`.

A publisher with a Developer ID makes the release on a Mac, which signs and notarizes the executables before they are packed:

\`\`\`sh
IDENTITY="Developer ID Application: NAME (TEAM)" PROFILE=KEYCHAIN-PROFILE bun run release --sign packaging/macos/sign.sh
\`\`\`

Its entitlements allow just-in-time compilation, without which the runtime can't start under the hardened runtime.
`;
}

interface PublishOptions {
  readonly version: string;
  readonly folder: string;
  /** In the order in which they must be published: the launcher's last, because it needs the others. */
  readonly npmFiles: readonly string[];
}

/** The commands that publish a release. Nothing here runs them. */
export function publishCommands({ version, folder, npmFiles }: PublishOptions): string[] {
  // npm gives everybody who names no version what has the tag latest, which a preview must not get.
  const [ofRelease, ofPackage] = version.includes("-") ? [" --prerelease", " --tag next"] : ["", ""];
  return [
    // The tag names the commit that has the version.
    `git diff --quiet HEAD && git tag v${version} && git push origin v${version}`,
    `gh release create v${version} --draft${ofRelease} --title "${PROGRAM_NAME} ${version}" --notes-file ${folder}/RELEASE-NOTES.md ${folder}/*.tar.gz ${folder}/*.zip ${folder}/*.mcpb ${folder}/*.json ${folder}/*.txt ${folder}/SHA256SUMS`,
    ...npmFiles.map((file) => `npm publish${ofPackage} ${folder}/npm/${file}`),
    `mcp-publisher login github && mcp-publisher publish ${folder}/server.json`,
    `docker build -f deploy/Dockerfile -t ${PROGRAM_NAME}:${version} .`,
  ];
}
