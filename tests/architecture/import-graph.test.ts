// Who may import whom (docs/architecture.md). The top folders form layers: protocol at the bottom, then common, then core and
// engine side by side; on core stand the packs and the replicas, on engine's surface the simulator. cli combines them.

import { describe, expect, test } from "bun:test";
import { dirname, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");
const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

interface Import {
  readonly from: string;
  /** A path in the repository, or the name of a package. */
  readonly to: string;
}

async function importsUnder(folder: string): Promise<Import[]> {
  const imports: Import[] = [];
  for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(ROOT)) {
    const source = await Bun.file(resolve(ROOT, path)).text();
    // The transpiler does not see type-only imports; they count too.
    const specifiers = [...source.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s+"([^"]+)"/gms)].map((match) => match[1]);
    const dynamic = transpilers[path.endsWith(".tsx") ? "tsx" : "ts"].scanImports(source).map(({ path }) => path);
    for (const specifier of new Set([...specifiers, ...dynamic])) {
      if (specifier === undefined) continue;
      const to = specifier.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(path), specifier)) : specifier;
      imports.push({ from: path, to });
    }
  }
  return imports;
}

/** The other top folders that each may import. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  common: ["protocol"],
  core: ["common", "protocol"],
  replicas: ["common", "core", "protocol"],
  web: ["protocol"],
  plugins: ["common", "core", "protocol", "web"],
  engine: ["common", "protocol"],
  sim: ["common", "engine", "protocol"],
  arena: ["common", "core", "engine", "plugins", "protocol", "sim"],
  load: ["common", "protocol"],
  cli: ["arena", "common", "core", "engine", "load", "packaging", "plugins", "protocol", "replicas", "sim"],
  packaging: ["cli", "common", "core", "plugins", "protocol", "sim"],
};

/** Layers from the bottom up. A file beside the folders is a layer of its own. */
const LADDERS: Readonly<Record<string, readonly string[]>> = {
  core: [
    ...["core/error.ts", "core/advice.ts", "core/config", "core/market", "core/backend", "core/audit", "core/tools"],
    ...["core/guardrails", "core/resources", "core/prompts", "core/routes", "core/dispatch", "core/subscriptions"],
    ...["core/packs", "core/messages", "core/start", "core/server", "core/runtime.ts"],
  ],
  replicas: [
    ...["replicas/shared-run.ts", "replicas/redis", "replicas/group", "replicas/history", "replicas/event-log"],
    ...["replicas/follower.ts", "replicas/shared-pubsub.ts", "replicas/redis-replicas.ts", "replicas/join-replicas.ts"],
    "replicas/examine-redis.ts",
  ],
  engine: [
    ...["engine/market", "engine/definition", "engine/text", "engine/api", "engine/state", "engine/modules"],
    ...["engine/transaction", "engine/trading", "engine/operations", "engine/commands", "engine/checkpoint"],
    ...["engine/transactions.ts", "engine/engine.ts", "engine/journal", "engine/audit", "engine/replay"],
    ...["engine/server/metrics", "engine/server/publication", "engine/routes", "engine/embedded", "engine/server/host"],
    ...["engine/server/recovery", "engine/server/checkpoints", "engine/backup", "engine/server"],
  ],
};

/** The pure folders, and the other pure folders that each may import. They declare their settings with zod. */
const PURE: Readonly<Record<string, readonly string[]>> = {
  "engine/market": [],
  "sim/random": [],
  "sim/spot": ["sim/random"],
  "sim/strategies": ["engine/market", "sim/random"],
  "sim/information": ["engine/market", "sim/random", "sim/spot"],
  "sim/personas": ["sim/information", "engine/market", "sim/random", "sim/spot", "sim/strategies"],
  "sim/population": ["sim/information", "engine/market", "sim/personas", "sim/random", "sim/spot", "sim/strategies"],
};

/** Constants that the pure folders may import too. */
const CONSTANTS = ["protocol/sides.ts", "protocol/time-units.ts"];

/** What of the engine the simulator and the arena may import. */
const ENGINE_SURFACE = ["engine/api", "engine/definition", "engine/embedded", "engine/market"];

/** Shared by the built-in packs; not a pack itself. */
const TOOLKIT = "plugins/toolkit";

/** What of the engine has neither clock nor I/O, besides its market. */
const PURE_ENGINE = "api checkpoint commands modules operations state text trading transaction".split(" ")
  .map((folder) => `engine/${folder}`);

const OURS = [...Object.keys(LAYERS), "bench", "tests", "scripts"];
const isInside = (path: string, folder: string) => path.startsWith(`${folder}/`);
const isOurs = (path: string) => path === "main.ts" || OURS.some((top) => isInside(path, top));

const METRIC_FILES = ["core/server/metrics.ts", "core/server/call-metrics.ts"];
/** The names of the metrics have the prefix of tool names. */
const METRICS = [
  ...["mkt_tool_calls_total", "mkt_tool_call_duration_seconds", "mkt_requests_total", "mkt_request_duration_seconds"],
  ...["mkt_http_requests_total", "mkt_build_info", "mkt_pubsub_status", "mkt_pubsub_reconnects_total"],
  ...["mkt_pubsub_unreadable_messages_total", "mkt_frozen", "mkt_waiting_calls", "mkt_events_total"],
  ...["mkt_event_gaps_total", "mkt_missed_events_total", "mkt_buffered_events", "mkt_snapshot_modules"],
  ...["mkt_snapshot_incomplete", "mkt_redis_connected", "mkt_replicas", "mkt_shared_log_lag"],
];

/** The nodes on a circle or between circles: those that remain after repeatedly removing nodes without imports or importers. */
function inCircles(edges: readonly Import[]): string[] {
  let left = edges.filter(({ from, to }) => from !== to);
  for (let before = -1; before !== left.length;) {
    before = left.length;
    const [importers, imported] = [new Set(left.map(({ from }) => from)), new Set(left.map(({ to }) => to))];
    left = left.filter(({ from, to }) => imported.has(from) && importers.has(to));
  }
  return [...new Set(left.map(({ from }) => from))].toSorted();
}

test("inCircles finds a circle of any length", () => {
  const edges = ["a>b", "b>c", "c>a", "c>d", "e>a"].map((edge) => ({ from: edge[0] ?? "", to: edge[2] ?? "" }));
  expect(inCircles(edges)).toEqual(["a", "b", "c"]);
  expect(inCircles(edges.filter(({ to }) => to !== "c"))).toEqual([]);
});

describe("the import graph", () => {
  for (const [folder, others] of Object.entries(LAYERS)) {
    const allowed = [folder, ...others];
    test(`${folder} imports only ${others.length === 0 ? "itself" : others.join(", ")}`, async () => {
      const forbidden = (await importsUnder(folder))
        .filter(({ to }) => isOurs(to) && !allowed.some((each) => isInside(to, each)));
      expect(forbidden).toEqual([]);
    });
  }

  test("sim and arena import of engine only its surface", async () => {
    const all = [...await importsUnder("sim"), ...await importsUnder("arena")];
    const imports = all.filter(({ to }) => isInside(to, "engine"));
    expect(imports.filter(({ to }) => !ENGINE_SURFACE.some((folder) => isInside(to, folder)))).toEqual([]);
    expect(ENGINE_SURFACE.filter((folder) => !imports.some(({ to }) => isInside(to, folder)))).toEqual([]);
  });

  test("a pack imports no other pack", async () => {
    const imports = await importsUnder("plugins");
    const packs = new Set(imports.map(({ from }) => dirname(from)).filter((folder) => folder !== TOOLKIT));
    expect(packs.size).toBeGreaterThan(3);
    const forbidden = imports.filter(({ from, to }) =>
      isInside(to, "plugins") && !isInside(to, dirname(from)) && !isInside(to, TOOLKIT)
    );
    expect(forbidden).toEqual([]);
  });

  test.each(Object.keys(LAYERS))("no folder of %s imports itself through others", async (room) => {
    const folderOf = (path: string) => dirname(path) === room ? path : dirname(path);
    const edges = (await importsUnder(room)).filter(({ to }) => isInside(to, room))
      .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }));
    expect(inCircles(edges)).toEqual([]);
  });

  test.each(Object.keys(LAYERS))("no file of %s imports itself through others", async (room) => {
    expect(inCircles((await importsUnder(room)).filter(({ to }) => isInside(to, room)))).toEqual([]);
  });

  test.each(Object.entries(LADDERS))("a folder of %s imports only layers below it", async (room, layers) => {
    const layerOf = (path: string) => layers.findIndex((layer) => path === layer || isInside(path, layer));
    const inside = (await importsUnder(room)).filter(({ to }) => isInside(to, room));
    expect(inside.filter(({ from }) => layerOf(from) === -1)).toEqual([]);
    expect(inside.filter(({ from, to }) => layerOf(to) > layerOf(from))).toEqual([]);
  });

  test("the pure parts import nothing outside themselves", async () => {
    for (const [folder, others] of Object.entries(PURE)) {
      const within = [folder, ...others];
      const imports = (await importsUnder(folder)).filter(({ to }) => to !== "zod" && !CONSTANTS.includes(to));
      const forbidden = imports.filter(({ to }) => !within.some((each) => isInside(to, each)));
      expect(forbidden).toEqual([]);
    }
  });

  test("only main.ts, packaging and scripts import cli", async () => {
    for (const folder of [...Object.keys(LAYERS), "bench"].filter((each) => !["cli", "packaging"].includes(each))) {
      const imports = await importsUnder(folder);
      expect(imports.filter(({ to }) => isInside(to, "cli") || to === "main.ts")).toEqual([]);
    }
  });

  test("the pure parts and the engine have no clock, no random numbers and no I/O", async () => {
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|\bcrypto\.|\brandom(?:UUID|Bytes|Int)\b|\bgetRandomValues\b|\bBun\.|\bfetch\(|\bsetTimeout\(|Temporal\.Now\b/;
    for (const folder of [...Object.keys(PURE), ...PURE_ENGINE, "engine/embedded", "sim/headless"]) {
      for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(ROOT)) {
        const code = (await Bun.file(resolve(ROOT, path)).text()).replace(/\/\/.*$|\/\*[\s\S]*?\*\//gm, "");
        expect({ path, found: impure.exec(code)?.[0] ?? null }).toEqual({ path, found: null });
      }
    }
  });
});

test.each(["protocol", "common", "core"])("%s names no tool: packs declare hints that do", async (room) => {
  for await (const path of new Bun.Glob(`${room}/**/*.ts`).scan(ROOT)) {
    const names = (await Bun.file(resolve(ROOT, path)).text()).match(/\bmkt_[a-z_]+/g) ?? [];
    const tools = METRIC_FILES.includes(path) ? names.filter((name) => !METRICS.includes(name)) : names;
    expect({ path, tools }).toEqual({ path, tools: [] });
  }
});
