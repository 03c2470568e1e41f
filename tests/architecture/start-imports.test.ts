// What main.ts loads before it answers a client on stdio. Every library and every large file would delay the first answer.

import { expect, test } from "bun:test";
import { dirname, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Everything that a file loads when it is loaded, files and packages. Type-only imports are not loaded. */
async function loadedBy(file: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(file)) return found;
  found.add(file);
  if (!/\.tsx?$/.test(file)) return found;
  const source = await Bun.file(resolve(ROOT, file)).text();
  for (const { path, kind } of transpiler.scanImports(source)) {
    if (kind !== "import-statement") continue;
    if (path.startsWith(".")) await loadedBy(relative(ROOT, resolve(ROOT, dirname(file), path)), found);
    else found.add(path);
  }
  return found;
}

test("main.ts loads no package, no pack, nothing of the market, and little of core", async () => {
  const loaded = [...await loadedBy("main.ts")];
  expect(loaded.filter((path) => !path.endsWith(".ts")).toSorted()).toEqual(["node:fs", "node:path"]);
  const folders = new Set(loaded.filter((path) => path.includes("/")).map((path) => dirname(path)));
  expect([...folders].filter((folder) => !/^(common|core|protocol)\b/.test(folder))).toEqual([]);
  expect([...folders].filter((folder) => /^core\/(server|market|backend|tools)\b/.test(folder))).toEqual([]);
});

test("the command line loads no command and no pack before an argument names it", async () => {
  const loaded = [...await loadedBy("cli/command-line.ts")].filter((path) => path !== "cli/command-line.ts");
  const allowed =
    /^(common\/[^/]+\.ts|core\/config\/env-file\.ts|protocol\/limits\.ts|package\.json|commander|node:.*)$/;
  expect(loaded.filter((path) => !allowed.test(path))).toEqual([]);
});

test("the options of mkt load load nothing of the load generator", async () => {
  const loaded = [...await loadedBy("cli/load-command.ts")];
  expect(loaded.filter((path) => path.startsWith("load/")).toSorted()).toEqual(["load/operation.ts"]);
});

test("the packs load no document and no program for browsers before somebody reads it", async () => {
  const loaded = [...await loadedBy("plugins/index.ts")];
  expect(loaded).toContain("plugins/query/document-resources.ts");
  expect(loaded.filter((path) => path.startsWith("docs/") || path.startsWith("web/"))).toEqual([]);
});

test("nothing of replicas is loaded at the start of a server, because only MKT_REDIS_URL needs it", async () => {
  const starts = ["cli/market/demo.ts", "cli/server/serve.ts", "cli/serve-started-client.ts", "core/runtime.ts"];
  for (const start of [...starts, "core/server/http.ts"]) {
    const loaded = [...await loadedBy(start)];
    expect(loaded).toContain(start);
    expect({ start, loaded: loaded.filter((path) => path.startsWith("replicas/")) }).toEqual({ start, loaded: [] });
  }
});

test("nothing of OpenTelemetry is loaded at the start, because only the address of a receiver needs it", async () => {
  for (const start of ["main.ts", "cli/command-line.ts", "cli/serve-started-client.ts", "core/server/http.ts"]) {
    const loaded = [...await loadedBy(start)];
    const telemetry = loaded.filter((path) => path.startsWith("@opentelemetry/") || /telemetry\/otlp\//.test(path));
    expect({ start, telemetry }).toEqual({ start, telemetry: [] });
  }
  expect([...await loadedBy("common/telemetry/otlp/otlp-telemetry.ts")]).toContain("@opentelemetry/sdk-trace");
});
