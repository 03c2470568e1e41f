import { describe, expect, test } from "bun:test";
import { loadPacks } from "../../../core/packs/pack-loader.ts";
import { definePack } from "../../../core/packs/pack.ts";
import { READ_ONLY } from "../../../core/tools/tool.ts";
import { configurationFor } from "../support/services.ts";
import { toolNamed } from "../support/tools.ts";
import { folderWith, packNamed, tools } from "./support/pack-files.ts";

const annotations = { ...READ_ONLY, readOnlyHint: false };

const query = definePack({ name: "query", description: "reads", tools: [toolNamed("mkt_read")] });
const mutation = definePack({
  name: "mutation",
  description: "writes",
  tools: [toolNamed("mkt_connect", { annotations, allowedInReadOnly: true }), toolNamed("mkt_write", { annotations })],
});
const dev = definePack({
  name: "dev",
  description: "development",
  tools: [toolNamed("mkt_reset", { annotations })],
  unavailable: ({ stressTestSecret }) => stressTestSecret === null ? "STRESS_TEST_SECRET is not set" : null,
});
const ALL = [query, mutation, dev];

async function offered(environment: Record<string, string>, packs = ALL): Promise<string[]> {
  const loaded = await loadPacks(packs, configurationFor(environment));
  return loaded.packs.flatMap((pack) => pack.tools.map((tool) => tool.name));
}

const packSource = (name: string, tool: string) => packNamed(name, tools(tool));

describe("loading packs", () => {
  test("offers every available pack if MKT_PACKS is not set", async () => {
    expect(await offered({})).toEqual(["mkt_read", "mkt_connect", "mkt_write"]);
    expect(await offered({ STRESS_TEST_SECRET: "s" })).toEqual(["mkt_read", "mkt_connect", "mkt_write", "mkt_reset"]);
  });

  test("offers the packs in MKT_PACKS, and dev only with its secret", async () => {
    expect(await offered({ MKT_PACKS: "query" })).toEqual(["mkt_read"]);
    expect(await offered({ MKT_PACKS: "query", STRESS_TEST_SECRET: "s" })).toEqual(["mkt_read"]);
    expect(await offered({ MKT_PACKS: "dev,query", STRESS_TEST_SECRET: "s" })).toEqual(["mkt_read", "mkt_reset"]);
    const withoutSecret = await loadPacks(ALL, configurationFor({ MKT_PACKS: "dev" }));
    expect(withoutSecret.packs).toEqual([]);
    expect(withoutSecret.nameFaults).toEqual(["the pack dev can't be loaded: STRESS_TEST_SECRET is not set"]);
  });

  test("reports every fault of MKT_PACKS: unknown names, and unavailable packs", async () => {
    const loaded = await loadPacks(ALL, configurationFor({ MKT_PACKS: "query,qurey,dev" }));
    expect(loaded.nameFaults).toEqual([
      "there is no pack qurey (did you mean query?); the packs are query, mutation, dev",
      "the pack dev can't be loaded: STRESS_TEST_SECRET is not set",
    ]);
    expect((await loadPacks(ALL, configurationFor({}))).nameFaults).toEqual([]);
    const secret = { STRESS_TEST_SECRET: "s" };
    expect((await loadPacks(ALL, configurationFor({ MKT_PACKS: "query,dev", ...secret }))).nameFaults).toEqual([]);
  });

  test("read-only leaves readers and allowed tools, whatever else is set", async () => {
    const environment = { MKT_READ_ONLY: "1", MKT_PACKS: "query,mutation,dev", STRESS_TEST_SECRET: "s" };
    expect(await offered(environment)).toEqual(["mkt_read", "mkt_connect"]);
  });

  test("loads .ts and .js files of MKT_PLUGIN_DIR, in the order of the file names", async () => {
    const directory = await folderWith({
      "b.js": packSource("second", "greet_b"),
      "a.ts": packSource("first", "greet_a"),
      "notes.txt": "not a pack",
      "types.d.ts": "export type Greeting = string;",
    });
    expect((await loadPacks(ALL, configurationFor({ MKT_PLUGIN_DIR: directory }))).failures).toEqual([]);
    expect((await offered({ MKT_PLUGIN_DIR: directory })).slice(2)).toEqual(["mkt_write", "greet_a", "greet_b"]);
  });

  test("reports a missing folder", async () => {
    const loaded = await loadPacks(ALL, configurationFor({ MKT_PLUGIN_DIR: "/does/not/exist" }));
    expect(loaded.failures[0]?.reason).toContain("MKT_PLUGIN_DIR");
    expect(loaded.packs).toHaveLength(2);
  });
});
