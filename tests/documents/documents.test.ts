import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { VARIABLES } from "../../core/config/variables.ts";
import { MARKET_VARIABLES } from "../../cli/market/market-variables.ts";
import { ERROR_CODES } from "../../core/error.ts";
import { PACKS } from "../../plugins/index.ts";
import { runMkt } from "../support/executable.ts";
import { LONG } from "../support/sizes.ts";
import { TASKS } from "../tasks/tasks.ts";
import { rowsOf, withTaskTable } from "../tasks/support/task-table.ts";
import packageJson from "../../package.json" with { type: "json" };
import { factPictures, withFacts } from "../../scripts/facts-document.ts";
import { withPromptTable } from "../../scripts/prompt-table.ts";
import { withResourceTable } from "../../scripts/resource-table.ts";
import { withStatistics } from "../../scripts/spot-document.ts";
import { spotPlots } from "../../scripts/spot/plots.ts";
import { TOOL_EXAMPLES } from "../../scripts/tool-examples.ts";
import { withToolCounts, withToolReference } from "../../scripts/tool-reference.ts";

const TOOLS = PACKS.flatMap(({ tools }) => tools);
const ROOT = resolve(import.meta.dir, "../..");
const read = (path: string) => Bun.file(resolve(ROOT, path)).text();

describe("README.md", () => {
  test("has the numbers of tools of the demo and of each pack", async () => {
    const readme = await read("README.md");
    expect(withToolCounts(readme)).toBe(readme);
  });

  test("pins the runtime that package.json and .ci/run pin", async () => {
    const version = packageJson.packageManager.replace("bun@", "");
    const pinned = [...(await read("README.md")).matchAll(/bun@(\d+\.\d+\.\d+)/g)].map((match) => match[1]);
    expect(pinned.length).toBeGreaterThan(1);
    expect(new Set(pinned)).toEqual(new Set([version]));
    expect(await read(".ci/run")).toContain(`npx --yes bun@${version} run test`);
    expect(Bun.version).toBe(version);
  });
});

describe("the documents", () => {
  test("decisions are few and short, and each says its choice, why, and when to reconsider it", async () => {
    const names = await readdir(resolve(ROOT, "docs/decisions"));
    const pages = await Promise.all(names.map((name) => read(`docs/decisions/${name}`)));
    const decisions = pages.flatMap((page) => page.split(/^### /m).slice(1));
    expect(decisions.length).toBeWithin(30, 61);
    for (const decision of decisions) {
      expect(decision).toMatch(/^.+\?\n\n- \*\*Choice:\*\* [^]+\n- \*\*Why:\*\* [^]+\n- \*\*Reconsider:\*\* /);
    }
    expect(pages.join("").split("\n").length).toBeLessThanOrEqual(501);
  });

  test("configuration.md names every variable that is read", async () => {
    const text = await read("docs/configuration.md");
    for (const variable of [...VARIABLES, ...MARKET_VARIABLES.known, "DOTENV_PATH"]) {
      expect(text).toContain(`\`${variable}\``);
    }
  });

  test("commands.md names every command", async () => {
    const { stdout } = await runMkt(["--help"]);
    const [, list = ""] = stdout.split("\nCommands:\n");
    const names = [...list.matchAll(/^ {2}(?!help )([a-z][a-z-]*)/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(15);
    const text = await read("docs/commands.md");
    expect(names.filter((name) => !text.includes(`\`mkt ${name}\``))).toEqual([]);
  });

  test("architecture.md names every folder", async () => {
    const text = await read("docs/architecture.md");
    for (const top of ["protocol", "common", "core", "replicas", "plugins", "web", "engine", "sim", "arena", "cli"]) {
      for (const entry of await readdir(resolve(ROOT, top), { withFileTypes: true })) {
        if (entry.isDirectory()) expect(text).toContain(`  ${entry.name}/`);
      }
    }
  });

  test("name only files and folders that exist", async () => {
    const missing: string[] = [];
    let count = 0;
    const folders = ["", "bench", "docs", "docs/decisions"];
    for (const page of folders.flatMap((folder) => [...new Bun.Glob(join(folder, "*.md")).scanSync(ROOT)])) {
      for (const [, path = "", top = ""] of (await read(page)).matchAll(/`(([a-z]+)\/[\w./-]*)`/g)) {
        // Capital letters and x stand for any name; dist is made by a build.
        if (top === "dist" || !existsSync(resolve(ROOT, top)) || /[A-Z]{4}|\/x\//.test(path)) continue;
        count++;
        if (!existsSync(resolve(ROOT, path))) missing.push(`${page}: ${path}`);
      }
    }
    expect(count).toBeGreaterThan(200);
    expect(missing).toEqual([]);
  });

  test("every dependency has its reason in packages.md", async () => {
    const text = await read("docs/decisions/packages.md");
    for (const name of Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies })) {
      expect(text).toContain(`\`${name}\``);
    }
  });

  test("tools.md has the reference that the tools' declarations give", async () => {
    const document = await read("docs/tools.md");
    expect(withToolReference(document)).toBe(document);
    for (const { name } of TOOLS) expect(document).toContain(`### \`${name}\`\n`);
  });

  test("tools.md has an example of every tool that needs arguments, and each is valid", () => {
    for (const { name, input } of TOOLS) {
      expect({ name, ...input.safeParse(TOOL_EXAMPLES[name] ?? {}) }).toMatchObject({ name, success: true });
    }
    expect(Object.keys(TOOL_EXAMPLES).filter((name) => !TOOLS.some((tool) => tool.name === name))).toEqual([]);
  });

  test("mcp.md has the tables of resources and prompts that their definitions give", async () => {
    const document = await read("docs/mcp.md");
    expect(withResourceTable(document)).toBe(document);
    expect(document).toMatch(/\| `mkt:\/\/order-book\/\{contractId\}` +\| query +\| .* \| C /);
    expect(withPromptTable(document)).toBe(document);
    expect(document).toMatch(/\| `mkt_explain_order` +\| \*\*orderId\*\*, contractId, userId +\| .* \| query /);
  });

  // The statistics take seconds. One script writes them and the plots, so they are old together.
  test.each([
    [
      "spot-model.md",
      "the statistics and the plots that the model gives now",
      LONG ? withStatistics : String,
      spotPlots,
    ],
    ["simulator.md", "the table and the pictures of the facts that were measured", withFacts, factPictures],
  ])("%s has %s", async (page, _what, written, pictures) => {
    const document = await read(`docs/${page}`);
    expect(written(document)).toBe(document);
    for (const [name, svg] of pictures()) {
      expect(document).toContain(`](${name})`);
      expect(await read(`docs/${name}`)).toBe(svg);
    }
  });

  test("security.md names for every threat a test that is there", async () => {
    const rows = (await read("docs/security.md")).split("\n").filter((line) => /^\| +\w/.test(line)).slice(1);
    expect(rows.length).toBeGreaterThan(20);
    const missing: string[] = [];
    for (const row of rows) {
      const [, path = "", name = ""] = /`(tests\/[^`]+)`: (.*?) +\|$/.exec(row) ?? [];
      const source = await read(path);
      // A test's name begins a string, in a call or in a table of cases.
      const begins = ["(", "[", " "].some((before) =>
        ['"', "`"].some((quote) => source.includes(before + quote + name))
      );
      if (name === "" || !begins) missing.push(row);
    }
    expect(missing).toEqual([]);
  });

  test("for-agents.md has the budget of every task, and figures that keep it", async () => {
    const text = await read("docs/for-agents.md");
    expect(withTaskTable(text, TASKS, new Map())).toBe(text);
    for (const { used, budget } of rowsOf(text)) {
      expect(used.calls).toBeWithin(1, budget.calls + 1);
      expect(used.bytes).toBeWithin(1, budget.bytes + 1);
    }
    expect(text.split("\n").length).toBeLessThanOrEqual(150);
  });

  test("for-agents.md has every error code, and names only tools that exist", async () => {
    const text = await read("docs/for-agents.md");
    for (const code of ERROR_CODES) expect(text).toContain(`\`${code}\``);
    const tools = new Set(TOOLS.map(({ name }) => name));
    const named = [...text.matchAll(/`(mkt_\w+)/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !tools.has(name))).toEqual([]);
  });
});
