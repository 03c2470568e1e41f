// Who may import whom (docs/architecture.md): core imports neither plugins nor sim; a pack imports core only; the pure
// part of sim imports nothing outside itself; only main.ts ties everything together.

import { describe, expect, test } from "bun:test";
import { dirname, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");
const transpiler = new Bun.Transpiler({ loader: "ts" });

interface Import {
  readonly from: string;
  /** A path in the repository, or the name of a package. */
  readonly to: string;
}

async function importsUnder(folder: string): Promise<Import[]> {
  const imports: Import[] = [];
  for await (const path of new Bun.Glob(`${folder}/**/*.ts`).scan(ROOT)) {
    const source = await Bun.file(resolve(ROOT, path)).text();
    // Type-only imports vanish from what the transpiler sees, and count here too.
    const specifiers = [...source.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s+"([^"]+)"/gms)].map((match) => match[1]);
    const dynamic = transpiler.scanImports(source).map(({ path }) => path);
    for (const specifier of new Set([...specifiers, ...dynamic])) {
      if (specifier === undefined) continue;
      const to = specifier.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(path), specifier)) : specifier;
      imports.push({ from: path, to });
    }
  }
  return imports;
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** The pure folders, and the further pure folders that each may import. */
const PURE: Readonly<Record<string, readonly string[]>> = {
  "sim/market": [],
  "sim/random": [],
  "sim/spot": ["sim/random"],
  "sim/strategies": ["sim/market", "sim/random"],
  "sim/laboratory": ["sim/market", "sim/random", "sim/strategies"],
  "sim/personas": ["sim/market", "sim/random", "sim/spot", "sim/strategies"],
};

const isOurs = (path: string) =>
  ["core", "plugins", "sim", "bench", "tests", "scripts"].some((top) => isInside(path, top));

async function expectNone(folder: string, isForbidden: (imported: Import) => boolean): Promise<void> {
  const imports = await importsUnder(folder);
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter(isForbidden)).toEqual([]);
}

describe("the import graph", () => {
  test("core imports neither plugins nor sim", async () => {
    await expectNone("core", ({ to }) => isOurs(to) && !isInside(to, "core"));
  });

  test("a pack imports core and itself, never another pack or sim", async () => {
    const packs = new Set((await importsUnder("plugins")).map(({ from }) => from.split("/").slice(0, 2).join("/")));
    expect(packs.size).toBeGreaterThan(3);
    for (const pack of packs) {
      await expectNone(pack, ({ to }) => isOurs(to) && !isInside(to, "core") && !isInside(to, pack));
    }
  });

  test("the pure parts of sim import nothing outside themselves", async () => {
    for (const [folder, others] of Object.entries(PURE)) {
      const within = [folder, ...others];
      for (const { from, to } of await importsUnder(folder)) {
        const allowed = within.some((each) => isInside(to, each));
        expect({ from, to, allowed }).toEqual({ from, to, allowed: true });
      }
    }
  });

  test("sim imports no pack, and of core only the protocol and its client side, modules, audit interface, command line, errors and log", async () => {
    const allowed = [
      "protocol",
      "core/modules",
      "core/audit",
      "core/error.ts",
      "protocol/json.ts",
      "common/http",
      "common/logger.ts",
      "common/command-line.ts",
      // How the simulator, a user of any engine, connects to it.
      "protocol/state-path.ts",
      "protocol/client/engine-link.ts",
      "protocol/client/engine-clock.ts",
      "protocol/client/frame-reader.ts",
      "protocol/client/reconnect-backoff.ts",
    ];
    await expectNone(
      "sim",
      ({ to }) => isOurs(to) && !isInside(to, "sim") && !allowed.some((path) => to === path || isInside(to, path)),
    );
  });

  test("nothing imports main.ts", async () => {
    for (const folder of ["core", "plugins", "sim", "bench", "scripts"]) {
      expect((await importsUnder(folder)).filter(({ to }) => to === "main.ts")).toEqual([]);
    }
  });

  test("the pure parts and the engine have no clock, no random numbers and no I/O", async () => {
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|\bcrypto\b|\bBun\.|\bfetch\(|\bsetTimeout\(|Temporal\.Now\b/;
    for (const folder of [...Object.keys(PURE), "sim/engine", "sim/headless"]) {
      for await (const path of new Bun.Glob(`${folder}/**/*.ts`).scan(ROOT)) {
        const code = (await Bun.file(resolve(ROOT, path)).text()).replace(/\/\/.*$|\/\*[\s\S]*?\*\//gm, "");
        expect({ path, found: impure.exec(code)?.[0] ?? null }).toEqual({ path, found: null });
      }
    }
  });
});
