// What a reader may rely on in every TypeScript file: its length, the length of its lines, and that what it exports is used.

import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { MARKET_VARIABLES } from "../../cli/market/market-variables.ts";
import { AGENT_VARIABLES, VARIABLES } from "../../core/config/variables.ts";
import { unusedExports } from "./unused-exports.ts";

const ROOT = resolve(import.meta.dir, "../..");
const FOLDERS =
  "{arena,bench,cli,common,core,docs,engine,load,packaging,plugins,protocol,replicas,scripts,sim,tests,web}/**/*.{ts,tsx,mjs}";

const MOST_LINES = 300;
/** The formatter wraps code, but no comment and no text. */
const CODE_WIDTH = 120;
const COMMENT_WIDTH = 128;

/** Generated, so its comments are as wide as the descriptions of the schemas. */
const PACK_TYPES = "docs/examples/mkt-pack.d.ts";

/** Files with lines of text, of another language, inside templates. */
const TEMPLATES: readonly string[] = [
  PACK_TYPES,
  "packaging/npm/packages.ts",
  "packaging/release/texts.ts",
  "replicas/event-log/log-store.ts",
  "scripts/fit-spot.ts",
  "sim/report/page-style.ts",
  "sim/report/report-page.ts",
];

/** Files that are still too long, with their number of lines. None may grow, and none may be added. */
const LONG_FILES: Readonly<Record<string, number>> = {
  "tests/core/backend/pubsub-client.test.ts": 855,
  "tests/core/dispatch/dispatcher.test.ts": 400,
  "tests/core/market/event-buffer.test.ts": 346,
  "tests/core/server/mcp-app.test.ts": 308,
  "tests/core/server/sessions/session-attacks.test.ts": 321,
  "tests/e2e/outside.test.ts": 306,
  "tests/engine/fault-simulation/client.ts": 324,
  "tests/engine/fault-simulation/faults.ts": 371,
  "tests/engine/fault-simulation/model.ts": 343,
  "tests/engine/journal/sqlite-journal.test.ts": 348,
  "tests/engine/many-entities.test.ts": 322,
  "tests/engine/operations/operation-log.test.ts": 395,
  "tests/engine/server/http/admin-routes.test.ts": 329,
  "tests/engine/support/engine-driver.ts": 301,
  "tests/plugins/mutation-fields.test.ts": 396,
  "tests/plugins/resources.test.ts": 328,
  "tests/plugins/sim.test.ts": 499,
  "tests/plugins/specification-tables.ts": 380,
  "tests/plugins/tool-fields.test.ts": 414,
  "tests/sim/live/live-persona.test.ts": 345,
  "tests/sim/personas/persona.test.ts": 304,
};

/** Exports that no import statement names. */
const EXPORTED_OTHERWISE: readonly string[] = [
  // core gets the whole module from cli, as the interface that core/tools/replicas.ts declares.
  "replicas/join-replicas.ts: addressSecrets",
  "replicas/join-replicas.ts: joinReplicas",
  // The preload adds their import to the text of every test file.
  "tests/support/at-end.ts: endWithFile",
  "tests/support/at-end.ts: leavesNothing",
];

const sources = new Map<string, string>();
for await (const path of new Bun.Glob(FOLDERS).scan(ROOT)) {
  sources.set(path, await Bun.file(resolve(ROOT, path)).text());
}
sources.set("main.ts", await Bun.file(resolve(ROOT, "main.ts")).text());

test("no file is longer than 300 lines, except those that still are", () => {
  expect(sources.size).toBeGreaterThan(1_000);
  const lengths = [...sources].filter(([path]) => path !== PACK_TYPES)
    .map(([path, text]) => ({ path, lines: text.split("\n").length - 1 }));
  expect(lengths.filter(({ path, lines }) => lines > (LONG_FILES[path] ?? MOST_LINES))).toEqual([]);
});

test("no test has a time limit of its own, which a busy machine could pass", () => {
  const limit = /\bsetDefaultTimeout\(|^ *\}, *[\w ?:(]*\d[\d_]{3,}\)*;$|^ *\},\n *[\w ?:(]*\d[\d_]{3,}\)*,\n *\);$/m;
  const limited = [...sources].filter(([path, text]) => path.endsWith(".test.ts") && limit.test(text));
  expect(limited.map(([path]) => path)).toEqual([]);
});

test("no line of code is longer than 120 characters, and no comment than 128, but for a text in quotes", () => {
  const long = [...sources].filter(([path]) => !TEMPLATES.includes(path)).flatMap(([path, text]) =>
    text.split("\n").flatMap((line, at) => isTooLong(line) ? [`${path}:${at + 1}`] : [])
  );
  expect(long).toEqual([]);
});

const PRODUCT = [...sources].filter(([path]) => !/^(bench|docs|packaging|scripts|tests)\//.test(path));

test("the environment is read in one place, which knows the names of variables", () => {
  const readers = PRODUCT.filter(([path, text]) => path !== "web/build.ts" && /process\.env\b|Bun\.env\b/.test(text));
  expect(readers.map(([path]) => path)).toEqual(["common/environment.ts"]);
});

test("every variable that a message or a comment names is one of mkt", () => {
  const known = new Set<string>([...VARIABLES, ...MARKET_VARIABLES.known, ...AGENT_VARIABLES]);
  // A prefix ends with an underscore.
  const names = PRODUCT.flatMap(([path, text]) =>
    (text.match(/\b(?:MKT|MCP)_[A-Z0-9_]+\b/g) ?? []).map((name) => ({ path, name }))
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter(({ name }) => !name.endsWith("_") && !known.has(name))).toEqual([]);
});

test("every export is imported somewhere", () => {
  const modules = new Map([...sources].filter(([path]) => !path.endsWith(".d.ts")));
  const unused = unusedExports(modules).filter((each) => !/\.test\.tsx?: /.test(each));
  expect(unused.filter((each) => !EXPORTED_OTHERWISE.includes(each)).toSorted()).toEqual([]);
});

test("unusedExports finds an export that nobody imports, also behind an index, and counts each way to import", () => {
  const files = {
    "a/index.ts": 'export * from "./parts.ts";\nexport { whole as all } from "./other.ts";\n',
    "a/parts.ts": "export const used = 1;\nexport interface Unused {}\nexport const { first, second } = both();\n",
    "a/other.ts": "export function whole() {}\nexport type Lazy = 1;\nexport async function late() {}\n",
    "b.ts": 'import { first, type used } from "./a/index.ts";\nconst { late } = await import("./a/other.ts");\n',
    "c.ts": '// second, Lazy and Unused are named only here\nimport * as a from "./a/parts.ts";\nexport default 1;\n',
  };
  expect(unusedExports(new Map(Object.entries(files)))).toEqual([
    "a/index.ts: all",
    "a/parts.ts: Unused",
    "a/parts.ts: second",
    "a/other.ts: Lazy",
  ]);
});

/** Text in quotes and patterns can't be wrapped, or could not be searched for if they were. */
function isTooLong(line: string): boolean {
  if (/^\s*(?:\/\/|\*|\/\*)/.test(line)) return line.length > COMMENT_WIDTH;
  if (line.length <= CODE_WIDTH || /^\s*["'`/]/.test(line)) return false;
  const code = line.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\/(?:[^/\\[]|\\.|\[[^\]]*\])+\//g, "");
  return code.length > CODE_WIDTH;
}
