import { describe, expect, spyOn, test } from "bun:test";
import { until } from "../../support/until.ts";
import {
  loadFiles,
  loadWithin,
  packNamed,
  promptText,
  resources,
  routes,
  routeText,
  tools,
  toolText,
} from "./support/pack-files.ts";

const GOOD = packNamed("good", tools("acme_good"));

describe("a file in MKT_PLUGIN_DIR", () => {
  test.each([
    ["a tool", tools("acme_one")],
    ["a resource", resources("acme://one")],
    ["a prompt", `prompts: [${promptText("acme_one")}]`],
    ["a route", routes("/acme")],
  ])("may bring only %s", async (_, parts) => {
    expect(await loadFiles({ "acme.ts": packNamed("acme", parts) })).toMatchObject({ packs: ["acme"], reasons: {} });
  });

  test("is a pack also without definePack, and if it comes as a promise", async () => {
    const plain = `export default async (mkt) => ({ name: "plain", description: "d", routes: [${
      routeText("/plain")
    }] });`;
    expect(await loadFiles({ "plain.js": plain })).toMatchObject({ packs: ["plain"], reasons: {} });
  });

  test("may import files beside it, which are no packs if their names begin with _ or they are in a folder", async () => {
    const files = {
      "_names.ts": `export const name: string = "acme_from_helper";`,
      "lib/words.ts": `export const title = "Helped";`,
      ".hidden.ts": "throw new Error('not loaded');",
      "folder.ts/inner.txt": "a folder whose name ends as that of a file",
      "acme.ts": `import { name } from "./_names.ts"; import { title } from "./lib/words.ts";
        ${packNamed("acme", `tools: [{ ...${toolText("acme_one")}, name, title, output: mkt.z.looseObject({}) }]`)}`,
    };
    const { packs, reasons, loaded } = await loadFiles(files);
    expect({ packs, reasons }).toEqual({ packs: ["acme"], reasons: {} });
    expect(loaded.packs[0]?.tools).toMatchObject([{ name: "acme_from_helper", title: "Helped" }]);
  });

  test.each([
    ["no default export", "export const x = 1;", /default export is not a function .* begins with _/],
    ["a factory that throws", "export default () => { throw new Error('out of paper'); };", /^out of paper$/],
    ["a factory that rejects", "export default async () => { throw new Error('out of ink'); };", /^out of ink$/],
    ["a thrown text", "export default () => { throw 'just words'; };", /^it threw "just words"$/],
    ["a thrown object without text", "export default () => { throw Object.create(null); };", /^it threw /],
    ["nothing as its pack", "export default () => {};", /^pack: is required/],
    ["a list as its pack", "export default () => [];", /^pack: must be an object/],
    ["faulty source text", "const a = 1;\nconst b = ;", /^line 2, column \d+: Unexpected ;$/],
    ["two faults in its text", "this is not TypeScript", /^line 1, .*; line 1, /],
    ["an import that is not there", `import "./nowhere.ts";`, /nowhere/],
    ["a getter that throws", "export default () => ({ get name() { throw new Error('no name'); } });", /^no name$/],
  ])("with %s is named with the reason, and the others go on", async (_, source, reason) => {
    const { packs, reasons } = await loadFiles({ "bad.ts": source, "good.ts": GOOD });
    expect(packs).toEqual(["good"]);
    expect(reasons).toEqual({ "bad.ts": expect.stringMatching(reason) });
  });

  test("with another ending of a script is named, and other files are nothing", async () => {
    const others = { "types.d.ts": "", "types.d.mts": "", "notes.md": "", "data.json": "{}" };
    const ending = "the name of a pack's file ends in .ts or .js";
    const { loaded, reasons } = await loadFiles({ "one.mjs": GOOD, "two.tsx": GOOD, ...others });
    expect(reasons).toEqual({ "one.mjs": ending, "two.tsx": ending });
    expect(loaded.warnings).toEqual([]);
    expect((await loadFiles({ "notes.md": "" })).loaded.warnings).toEqual([
      expect.stringMatching(/^\/.* \(MKT_PLUGIN_DIR\) has no file of a pack$/),
    ]);
  });

  test("has a limit in time for its import and for its factory; the files don't wait for each other", async () => {
    const never = "await new Promise(() => {});";
    // Long enough for the good pack on a busy machine.
    const { packs, reasons } = await loadWithin(3000, {
      "a-factory.ts": `export default () => new Promise(() => {});`,
      "b-import.ts": `${never} export default () => ({});`,
      "c.ts": GOOD,
    });
    const late = "it was not ready within 3 s and is left out";
    expect({ packs, reasons }).toEqual({ packs: ["good"], reasons: { "a-factory.ts": late, "b-import.ts": late } });
  });

  test.each([[undefined, 10_000], [3_000, 3_000]])("with the limit %p has %d ms, and its timer ends with it", async (
    limitMs,
    milliseconds,
  ) => {
    const [set, clear] = [spyOn(globalThis, "setTimeout"), spyOn(globalThis, "clearTimeout")];
    try {
      const { packs } = await loadWithin(limitMs, { "good.ts": GOOD, "bad.ts": "throw new Error('bad');" });
      expect(packs).toEqual(["good"]);
      const timers = set.mock.calls.flatMap(([, ms], at) => ms === milliseconds ? [set.mock.results[at]?.value] : []);
      expect(timers).toHaveLength(2);
      for (const timer of timers) expect(clear.mock.calls).toContainEqual([timer] as never);
    } finally {
      set.mockRestore();
      clear.mockRestore();
    }
  });

  test("that fails after its limit does not end the process", async () => {
    const late =
      `export default () => new Promise((_, reject) => { globalThis.failLate = () => reject(new Error("late")); });`;
    expect((await loadWithin(20, { "late.ts": late })).reasons["late.ts"]).toContain("not ready within");
    const { failLate } = await until(
      () => globalThis as { failLate?: () => void },
      (all) => all.failLate !== undefined,
    );
    failLate?.();
    Reflect.deleteProperty(globalThis, "failLate");
    // An unhandled rejection would fail the test before the next turn of the event loop ends.
    await Bun.sleep(0);
  });
});

describe("a pack that MKT_PACKS names", () => {
  test("and that failed is a fault with the reason", async () => {
    const files = {
      "acme.ts": packNamed("acme", tools("Acme")),
      "other.ts": packNamed("other", ""),
      "broken.ts": "throw new Error('broken inside');",
      "good.ts": GOOD,
    };
    const { loaded } = await loadFiles(files, { environment: { MKT_PACKS: "good,acme" } });
    expect(loaded.nameFaults).toEqual([
      "there is no pack acme; the packs are good",
      expect.stringMatching(/acme\.ts is not loaded: tools\.0\.name: must be lower case/),
      expect.stringMatching(/broken\.ts is not loaded: broken inside$/),
    ]);
    expect((await loadFiles(files, { environment: { MKT_PACKS: "good" } })).loaded.nameFaults).toEqual([]);
  });

  test("is offered; the others are left out, with the reason", async () => {
    const files = {
      "acme.ts": packNamed("acme", tools("acme_one")),
      "shut.ts": packNamed("shut", `tools: [${toolText("acme_two")}], unavailable: () => "it is Sunday"`),
      "wild.ts": packNamed(
        "wild",
        `tools: [${toolText("acme_three")}], unavailable: () => { throw new Error("wild"); }`,
      ),
    };
    const all = await loadFiles(files);
    expect(all.packs).toEqual(["acme"]);
    expect(all.loaded.leftOut).toEqual([
      { what: "pack shut", reason: "it is Sunday" },
      { what: "pack wild", reason: "wild" },
    ]);
    const { loaded } = await loadFiles(files, { environment: { MKT_PACKS: "shut" } });
    expect(loaded.nameFaults).toEqual(["the pack shut can't be loaded: it is Sunday"]);
    expect(loaded.leftOut).toContainEqual({ what: "pack acme", reason: "MKT_PACKS does not name it" });
  });
});

test("the reason why a pack is unavailable shows no secret", async () => {
  const before = `const { ACME_KEY } = mkt.variables({ ACME_KEY: mkt.secret(mkt.z.string()).describe("Key") });`;
  const options = { environment: { ACME_KEY: "k-123" } };
  for (const reason of [`"no " + ACME_KEY`, `{ throw new Error("no " + ACME_KEY); }`]) {
    const parts = `tools: [${toolText("acme_one")}], unavailable: () => ${reason}`;
    const { loaded } = await loadFiles({ "acme.ts": packNamed("acme", parts, before) }, options);
    expect(loaded.leftOut).toEqual([{ what: "pack acme", reason: "no [secret]" }]);
  }
});

test("a prompt that uses a tool which is not offered is left out, with the reason", async () => {
  const parts = `tools: [${toolText("acme_greet")}],
    prompts: [${promptText("acme_hello", `uses: ["acme_gret"]`)}, ${promptText("acme_bye", `uses: ["acme_greet"]`)}]`;
  const { loaded } = await loadFiles({ "acme.ts": packNamed("acme", parts) });
  expect(loaded.packs[0]?.prompts.map(({ name }) => name)).toEqual(["acme_bye"]);
  expect(loaded.leftOut).toEqual([{
    what: "prompt acme_hello",
    reason: "it uses the tool acme_gret, which is not offered (did you mean acme_greet?)",
  }]);
});

test("a prompt that names a tool which no pack has is a warning; one that is only not offered is none", async () => {
  const uses = `uses: ["acme_gret"], mayUse: ["acme_bye", "acme_buy"]`;
  const parts = `tools: [${toolText("acme_greet")}], prompts: [${promptText("acme_hello", uses)}]`;
  const files = { "acme.ts": packNamed("acme", parts), "other.ts": packNamed("other", tools("acme_buy")) };
  const { loaded } = await loadFiles(files, { environment: { MKT_PACKS: "acme" } });
  expect(loaded.warnings.map((warning) => warning.replace(/\(\/.*acme\.ts\)/, "(acme.ts)"))).toEqual([
    "the prompt acme_hello of the pack acme (acme.ts) names the tool acme_gret, which no pack has (did you mean acme_greet?)",
    "the prompt acme_hello of the pack acme (acme.ts) names the tool acme_bye, which no pack has (did you mean acme_buy?)",
  ]);
});
