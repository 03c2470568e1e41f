import { describe, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { PACK_TYPES_FILE, withPackTypes } from "../../scripts/pack-types.ts";
import { runMkt } from "../support/executable.ts";
import { run } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = resolve(import.meta.dir, "../..");
const EXAMPLES = join(ROOT, "docs/examples");
const SAMPLES = ["first-pack.ts", "spread-watch.ts", "ask-desk.ts"];
const example = (name: string) => Bun.file(join(EXAMPLES, name)).text();
const page = (name: string) => Bun.file(join(ROOT, "docs", name)).text();
const document = await page("writing-a-pack.md") + await page("pack-parts.md");

describe("mkt-pack.d.ts", () => {
  test("has the types that the declarations of the protocol give", async () => {
    const types = await Bun.file(PACK_TYPES_FILE).text();
    expect(withPackTypes(types)).toBe(types);
    expect(types).toContain(`readonly "order.submit": {`);
  });

  test("is what mkt pack-types prints", async () => {
    expect(await runMkt(["pack-types"])).toEqual({ exitCode: 0, stdout: await example("mkt-pack.d.ts"), stderr: "" });
  });

  test("is all that the compiler needs for the sample packs", async () => {
    const folder = temporaryDirectory();
    for (const name of ["mkt-pack.d.ts", ...SAMPLES]) await Bun.write(join(folder, name), await example(name));
    expect(await compiled(folder, SAMPLES)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("tells the compiler about a mistake in a pack", async () => {
    const folder = temporaryDirectory();
    await Bun.write(join(folder, "mkt-pack.d.ts"), await example("mkt-pack.d.ts"));
    const mistakes: [string, string, RegExp][] = [
      ["bestAsk - bestBid }]", "bestAsk + title }]", /Cannot find name 'title'/],
      ["{ least, spreads:", "{ lest: least, spreads:", /\{ lest: number; .* is not assignable/],
      ["read({ contractId }, context)", "read({ contract }, context)", /'contract' does not exist/],
      ["resources: [spread]", "ressources: [spread]", /'ressources' does not exist .* 'resources'/],
      ["least = settings.", "least = setings.", /Cannot find name 'setings'/],
    ];
    const source = await example("spread-watch.ts");
    for (const [index, [right, wrong]] of mistakes.entries()) {
      const changed = source.replace(right, wrong);
      if (changed === source) mistakes[index]![2] = /the sample has changed/;
      await Bun.write(join(folder, `${index}.ts`), changed);
    }
    const { stdout } = await compiled(folder, mistakes.map((_, index) => `${index}.ts`));
    for (const [index, [, , message]] of mistakes.entries()) {
      expect(stdout.split("\n").filter((line) => line.startsWith(`${index}.ts`)).join("\n")).toMatch(message);
    }
  });
});

/** Without any types but those beside the files. */
function compiled(folder: string, files: readonly string[]) {
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const options = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--allowImportingTsExtensions"];
  const target = ["--target", "esnext", "--module", "preserve", "--types", ""];
  return run([tsc, ...options, ...target, ...files], { cwd: folder, env: { PATH: process.env["PATH"] ?? "" } });
}

describe("the pages about packs", () => {
  const blocks = [...document.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, text = ""]) => text.trim());

  test("have only code that is in a sample", async () => {
    const samples = (await Promise.all(SAMPLES.map(example))).map(withoutIndent);
    expect(blocks.length).toBeGreaterThan(5);
    for (const block of blocks) {
      const parts = block.split("\n\n").map(withoutIndent);
      expect(parts.filter((part) => !samples.some((sample) => sample.includes(part)))).toEqual([]);
    }
  });

  test("have the first pack whole", async () => {
    expect(blocks).toContain((await example("first-pack.ts")).trim());
  });

  test("show every kind of thing that a pack may bring", () => {
    for (const kind of ["variables", "defineTool", "defineResource", "definePrompt", "defineRoute", "definePack"]) {
      expect(blocks.some((block) => block.includes(`mkt.${kind}(`))).toBe(true);
    }
  });
});

/** In the document a part of a function stands at the margin. */
function withoutIndent(text: string): string {
  return text.split("\n").map((line) => line.trim()).join("\n");
}
