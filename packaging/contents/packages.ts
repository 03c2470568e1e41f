// The npm packages that the executable contains, from the paths of the files that the bundler read.
//
// A file belongs to the innermost folder below node_modules whose package.json names it. Two versions of one package count
// as two packages.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression of its package.json. Empty if it has none. */
  readonly license: string;
  readonly description: string;
  readonly homepage: string | null;
  /** Where its files are: a path that ends in `node_modules/<name>`. */
  readonly folder: string;
  /** The package that contains its code (vendored.ts), or null if the bundler took it from a folder of its own. */
  readonly inside: string | null;
}

/** `node_modules/` and the name of a package, with or without a scope, at the last place in the path. */
const PACKAGE_FOLDER = /^(.*[/\\]|)node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/;

/** The packages of the files, sorted by name and version. Files outside node_modules belong to mkt and are left out. */
export function packagesOf(files: Iterable<string>): BundledPackage[] {
  const folders = new Set<string>();
  for (const file of files) {
    const folder = packageFolderOf(file);
    if (folder !== null) folders.add(folder);
  }
  const packages = new Map([...folders].map((folder) => {
    const each = packageIn(folder);
    return [`${each.name}@${each.version}`, each];
  }));
  return [...packages.keys()].toSorted().flatMap((key) => packages.get(key) ?? []);
}

/** The folder of the package that a file belongs to, or null if it is outside node_modules. */
export function packageFolderOf(file: string): string | null {
  return PACKAGE_FOLDER.exec(file)?.[0] ?? null;
}

/** What the package.json in a folder says. */
export function packageIn(folder: string): BundledPackage {
  const json = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, version, license, description, homepage } = json;
  return {
    name,
    version,
    license: typeof license === "string" ? license : license?.type ?? "",
    description: description ?? "",
    homepage: typeof homepage === "string" && URL.canParse(homepage) ? homepage : null,
    folder,
    inside: null,
  };
}

/** The file that a build writes beside an executable: its packages, as BundledPackage[]. */
export function packageListOf(executable: string): string {
  return `${executable}.packages.json`;
}

/** Names that packages give the files with their licence and notices. */
const LICENSE_FILE = /^(licen[cs]e|copying|notice|copyright|third.?party.?notices?)([.-].*)?$/i;

/** The texts of the licence files of a package, LICENSE before NOTICE. Empty if the package has none. */
export function licenseTexts({ folder }: Pick<BundledPackage, "folder">): string[] {
  if (!existsSync(folder)) throw new Error(`${folder} is missing: run bun install`);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENSE_FILE.test(entry.name) && !/\.(js|ts|json|html)$/i.test(entry.name))
    .map(({ name }) => name).toSorted()
    .map((name) => readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n").trim());
}
