// Packages whose code another package contains: its authors have bundled it in. rolldown marks such code with comments that
// name the file, and pnpm's folders have the version. Code that was minified has no marks and is not found.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BundledPackage, packageFolderOf, packageIn } from "./packages.ts";

/** `//#region ../node_modules/.pnpm/<name>@<version>[_peers]/node_modules/<name>/...` */
const REGION =
  /^\s*\/\/ ?#region \S*\/\.pnpm\/[^/\s]+?@(\d[^_(/\s]*)[^/\s]*\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm;

/**
 * The packages inside the files, by marks in them. Licence and text are those of the installed package of the same name,
 * perhaps of another version. Without one, the licence is empty, which licenseFault reports: install it for its licence.
 */
export function vendoredIn(files: Iterable<string>, modules = "node_modules"): BundledPackage[] {
  const found = new Map<string, BundledPackage>();
  for (const file of files) {
    const host = packageFolderOf(file);
    if (host === null) continue;
    for (const [, version = "", name = ""] of readFileSync(file, "utf8").matchAll(REGION)) {
      const folder = join(modules, name);
      const installed = existsSync(folder)
        ? packageIn(folder)
        : { name, license: "", description: "", homepage: null, folder };
      found.set(`${name}@${version}`, { ...installed, version, inside: packageIn(host).name });
    }
  }
  return [...found.keys()].toSorted().flatMap((key) => found.get(key) ?? []);
}
