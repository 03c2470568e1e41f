// The text that names everything in the executable, with the licences: THIRD-PARTY-LICENSES in the archives, and what
// `mkt licenses` prints.
//
// The texts of packages are those of their own files. A package without such a file, and each part of Bun, gets the standard
// text of its licence from the SPDX list, because Bun's own package has no texts.

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { AUTHOR, LICENSE, PROGRAM_NAME, REPOSITORY, VERSION } from "../identity.ts";
import { type BundledPackage, licenseTexts } from "./packages.ts";
import { BUN, identifiersIn, POLYFILLS, RUNTIME_PARTS, type RuntimePart, versionOf } from "./runtime-parts.ts";

const ROOT = resolve(import.meta.dir, "../..");
const RULE = `${"=".repeat(100)}\n`;
const THIN_RULE = `${"-".repeat(100)}\n`;

/** Throws if a licence has no text: see packaging/contents/license-policy.ts. */
export function licenseText(packages: readonly BundledPackage[]): string {
  return [
    `${PROGRAM_NAME} ${VERSION}, by ${AUTHOR.replace(/^T/, "t")}: licence ${LICENSE}\n${REPOSITORY}\n`,
    readFileSync(join(ROOT, "LICENSE"), "utf8"),
    `${RULE}The executable contains these packages of npm\n${RULE}`,
    packages.map(({ name, version, license, inside }) =>
      `${name} ${version}: ${license}${inside === null ? "" : `, in ${inside}`}\n`
    ).join(""),
    ...groupedByText(packages),
    `${RULE}The executable contains Bun, and in it these libraries\n${RULE}`,
    [BUN, ...RUNTIME_PARTS].map(partLine).join(""),
    `packages in place of modules of Node: MIT, by their authors\n    ${POLYFILLS.join(", ")}\n`,
    RELINKING,
    ...standardIdentifiers().flatMap((
      identifier,
    ) => [`${THIN_RULE}${identifier}\n${THIN_RULE}`, standardText(identifier)]),
  ].join("\n");
}

/** What the LGPL asks for: how somebody who changes a library gets an executable with it. */
const RELINKING =
  `WebKit and tinycc are under the LGPL: you may change them and link them anew. Build Bun from ${BUN.homepage} with the
changed library, at the version above, and run \`bun run build\` in the sources of ${PROGRAM_NAME} with that Bun.
`;

/** Many packages of one author share a text, which is then printed once. */
function groupedByText(packages: readonly BundledPackage[]): string[] {
  const groups = Map.groupBy(packages, (each) => textsOf(each).join(`\n${THIN_RULE}`));
  return [...groups].map(([text, members]) =>
    `${THIN_RULE}${members.map(({ name, version }) => `${name} ${version}\n`).join("")}${THIN_RULE}\n${text}\n`
  );
}

/** Where the MIT licence of the SPDX list leaves space for the names. */
const PLACEHOLDER = "Copyright (c) <year> <copyright holders>";

function textsOf(each: BundledPackage): string[] {
  const texts = licenseTexts(each);
  if (texts.length > 0) return texts;
  const [identifier = "", ...others] = identifiersIn(each.license);
  if (others.length > 0) throw new Error(`${each.name} has no text for ${each.license}`);
  const text = standardText(identifier).trim();
  const notice = noticeOf(each);
  return [text.includes(PLACEHOLDER) ? text.replace(PLACEHOLDER, () => notice) : `${notice}\n\n${text}`];
}

/** The copyright line of a package without a licence file: in its README, or else its author. */
function noticeOf({ folder, name }: BundledPackage): string {
  const readme = join(folder, "README.md");
  const notice = existsSync(readme)
    ? /^\W*(Copyright\b.*\d{4}.*)$/im.exec(readFileSync(readme, "utf8"))?.[1]
    : undefined;
  const { author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return notice ?? `Copyright ${author?.name ?? author ?? `the authors of ${name}`}`;
}

function partLine(part: RuntimePart): string {
  const version = versionOf(part);
  const note = part.note === undefined ? "" : ` (${part.note})`;
  return `${part.name}${
    version === null ? "" : ` ${version}`
  }${note}: ${part.license}\n    ${part.homepage}\n    Copyright: ${part.copyright}\n`;
}

function standardIdentifiers(): string[] {
  return [...new Set([BUN, ...RUNTIME_PARTS].flatMap(({ license }) => identifiersIn(license)))].toSorted();
}

/** The text of the SPDX list. An exception has no text there: its address stands for it. */
function standardText(identifier: string): string {
  const path = join(ROOT, "node_modules/spdx-license-list/licenses", `${identifier}.json`);
  if (existsSync(path)) return `${JSON.parse(readFileSync(path, "utf8")).licenseText.trim()}\n`;
  if (identifier.endsWith("-exception")) return `https://spdx.org/licenses/${identifier}.html\n`;
  throw new Error(`the SPDX list has no licence ${identifier}`);
}
