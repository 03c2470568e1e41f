// Which exports no other file imports. It reads the text of the files, not their syntax trees, so it relies on the formatter:
// an import or export statement begins its line.
//
// A default export counts as used, because packs and strategies are loaded by their path. A module that is imported as a whole
// (`import * as`, `import()`) uses those of its exports that the importing file names.

import { dirname, join } from "node:path";

interface Module {
  readonly exports: Set<string>;
  /** The imported names of each imported file; null: those that the text names. */
  readonly imports: { readonly from: string; readonly names: readonly string[] | null }[];
  /** Files whose exports are exported again. */
  readonly passedOn: string[];
}

const DECLARED = /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
const DESTRUCTURED = /^export const [{[]([^}\]]*)[}\]] =/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}(?: from "([^"]+)")?/gm;
const PASSED_ON = /^export \* from "([^"]+)"/gm;
const NAMED_IMPORT = /^import (?:type )?(?:\w+, )?\{([^}]*)\} from "([^"]+)"/gm;
const WHOLE_IMPORT = /^import \* as \w+ from "([^"]+)"|\bimport\(\s*"([^"]+)"/gm;
const COMMENT = /^\s*(?:\/\/|\/\*\*|\*).*$/gm;

/** `FILE: NAME` of every export that nobody imports. `sources`: the text of each file by its path in the repository. */
export function unusedExports(sources: ReadonlyMap<string, string>): string[] {
  const codes = new Map([...sources].map(([path, text]) => [path, text.replace(COMMENT, "")]));
  const modules = new Map([...codes].map(([path, code]) => [path, moduleOf(path, code)]));
  const used = new Set<string>();
  for (const [path, { imports }] of modules) {
    for (const { from, names } of imports) {
      const imported = names ?? (codes.get(path)!.match(/\w+/g) ?? []);
      for (const name of imported) markUsed(from, name);
    }
  }
  return [...modules].flatMap(([path, { exports }]) =>
    [...exports].map((name) => `${path}: ${name}`).filter((each) => !used.has(each))
  );

  function markUsed(path: string, name: string): void {
    const key = `${path}: ${name}`;
    const found = modules.get(path);
    if (found === undefined || used.has(key)) return;
    used.add(key);
    for (const inner of found.passedOn) markUsed(inner, name);
  }
}

function moduleOf(path: string, code: string): Module {
  const resolved = (specifier: string) => specifier.startsWith(".") ? join(dirname(path), specifier) : specifier;
  const found: Module = { exports: new Set(), imports: [], passedOn: [] };
  for (const [, name = ""] of code.matchAll(DECLARED)) found.exports.add(name);
  for (const [, list = ""] of code.matchAll(DESTRUCTURED)) for (const name of namesIn(list)) found.exports.add(name);
  for (const [, list = "", from] of code.matchAll(LISTED)) {
    for (const [name] of list.matchAll(/\w+(?=\s*(?:,|$))/g)) found.exports.add(name);
    if (from !== undefined) found.imports.push({ from: resolved(from), names: namesIn(list) });
  }
  for (const [, from = ""] of code.matchAll(PASSED_ON)) found.passedOn.push(resolved(from));
  for (const [, list = "", from = ""] of code.matchAll(NAMED_IMPORT)) {
    found.imports.push({ from: resolved(from), names: namesIn(list) });
  }
  for (const [, namespace, dynamic = ""] of code.matchAll(WHOLE_IMPORT)) {
    found.imports.push({ from: resolved(namespace ?? dynamic), names: null });
  }
  return found;
}

/** The names that a list takes from the other module: `type Order, bid as best` gives Order and bid. */
function namesIn(list: string): string[] {
  return list.split(",").flatMap((each) => /^(?:type )?(\w+)/.exec(each.trim())?.[1] ?? []);
}
