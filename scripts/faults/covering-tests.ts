// The test files that cover a source file, those first that are most likely to find a fault in it.
//
// First come the test of the same name and the tests of the same folder, then the tests that import the source, ordered by
// the length of the chain of imports. Tests of the compiled executable import no source, so a table names them by folder.

import { basename, dirname, relative, resolve } from "node:path";

/** Tests of the executable for one file. They come right after the tests of its name. */
const E2E_OF_FILE: Readonly<Record<string, readonly string[]>> = {
  "core/server/http.ts": ["shutdown"],
  "engine/server/recovery/data-directory.ts": ["storage-damage"],
};

/** Tests of the executable by source folder. A test checks that all of them exist. */
export const E2E: readonly (readonly [folder: string, tests: readonly string[]])[] = [
  ["core/server/", ["http-tokens", "stdout-purity"]],
  ["common/http/", ["http-tokens", "engine-access", "ports"]],
  ["core/config/", ["command-line", "http-tokens"]],
  ["cli/", ["command-line"]],
  ["core/guardrails/", ["freeze"]],
  ["core/audit/", ["audit-trail"]],
  ["common/audit/", ["audit-trail"]],
  ["core/backend/", ["engine-restarts"]],
  ["protocol/client/", ["engine-restarts", "simulator"]],
  ["sim/live/", ["simulator"]],
  ["engine/server/", ["data-directory", "engine-restarts", "durability"]],
];
/** A test file that imports this runs dist/mkt. */
const EXECUTABLE = "tests/support/executable.ts";

export interface CoveringTest {
  readonly path: string;
  readonly needsExecutable: boolean;
}

export class TestMap {
  readonly #imports = new Map<string, readonly string[]>();
  readonly #tests: string[];

  private constructor(tests: string[]) {
    this.#tests = tests;
  }

  static async of(root: string): Promise<TestMap> {
    const transpiler = new Bun.Transpiler({ loader: "ts" });
    const folders = "{protocol,common,core,replicas,plugins,engine,sim,arena,load,cli,bench,scripts,tests}/**/*.ts";
    const paths = [folders, "*.ts"].flatMap((glob) => [...new Bun.Glob(glob).scanSync(root)]);
    const map = new TestMap(paths.filter((path) => path.endsWith(".test.ts")).toSorted());
    for (const path of paths) {
      const source = await Bun.file(resolve(root, path)).text();
      const own = transpiler.scanImports(source).map(({ path }) => path).filter((to) => to.startsWith("."));
      map.#imports.set(path, own.map((to) => relative(root, resolve(root, dirname(path), to))));
    }
    return map;
  }

  /** In the order in which to run them. */
  covering(source: string): CoveringTest[] {
    const ranked: { path: string; rank: number; needsExecutable: boolean }[] = [];
    const named = new Set(E2E.filter(([folder]) => source.startsWith(folder)).flatMap(([, names]) => names));
    for (const path of this.#tests) {
      const needsExecutable = this.#distance(path, EXECUTABLE) !== Infinity;
      const name = path.startsWith("tests/e2e/") ? basename(path, ".test.ts") : "";
      const rank = E2E_OF_FILE[source]?.includes(name)
        ? 0.5
        : named.has(name)
        ? 10
        : needsExecutable
        ? Infinity
        : rankOf(source, path, this.#distance(path, source));
      if (rank !== Infinity) ranked.push({ path, rank, needsExecutable });
    }
    return ranked.toSorted((one, other) => one.rank - other.rank || one.path.localeCompare(other.path));
  }

  /** Length of the shortest chain of imports; Infinity if there is none. */
  #distance(from: string, to: string): number {
    const seen = new Set([from]);
    let reached = [from];
    for (let distance = 0; reached.length > 0; distance++) {
      if (reached.includes(to)) return distance;
      reached = reached.flatMap((path) => this.#imports.get(path) ?? []).filter((path) => {
        const isNew = !seen.has(path);
        seen.add(path);
        return isNew;
      });
    }
    return Infinity;
  }
}

/** Before a test in the same folder that imports the source directly. */
const FIRST = -1;

function rankOf(source: string, test: string, distance: number): number {
  if (distance === Infinity) return Infinity;
  const name = basename(test, ".test.ts");
  // The tests of a pack are in one file named after its folder.
  if (test === `tests/${dirname(source)}.test.ts`) return FIRST;
  const inSameFolder = dirname(test) === `tests/${dirname(source)}`;
  if (inSameFolder && name.split(".")[0] === basename(source, ".ts")) return FIRST;
  // Tests with generated inputs take long and rarely find one small fault.
  return distance - (inSameFolder ? 1.5 : 0) + (name.includes("fuzz") ? 8 : 0);
}
