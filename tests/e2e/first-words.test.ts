// What a newcomer is told first works: the commands and configurations of the README, of the demo's greeting and of
// `mkt client-config`. A shell, or an official client, runs each in a clone whose path has a space, with a home of its own.
// Only npx has Bun there, in its cache. The packages are installed.

import { describe, expect, test } from "bun:test";
import { chmodSync, constants, copyFileSync, cpSync, existsSync, mkdirSync } from "node:fs";
import { realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { clientConfiguration, CLIENTS } from "../../cli/client-config/client-config.ts";
import { CLIENT_FORMATS } from "../../cli/client-config/client-formats.ts";
import { shellLine } from "../../common/own-invocation.ts";
import packageJson from "../../package.json" with { type: "json" };
import { LOCAL_URL } from "../../packaging/install-links/install-links.ts";
import { connectHttp, OneProcessTransport } from "../support/clients.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { PROCESS_SETTINGS, startMkt } from "../support/executable.ts";
import { connectV2, type TestClient } from "../support/official-client.ts";
import { type Completed, run } from "../support/processes.ts";
import { LONG, size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { type ReadConfiguration, readConfiguration } from "./support/read-configuration.ts";

const ROOT = resolve(import.meta.dir, "../..");
const README = await Bun.file(join(ROOT, "README.md")).text();
const BUN = `npx --yes ${packageJson.packageManager}`;
const NOT_CLONED = ["node_modules", "dist", "tests", ".git"];

const home = realpathSync(temporaryDirectory());
const clone = join(home, "a clone");
const isCloned = (path: string) => dirname(path) !== ROOT || !NOT_CLONED.includes(basename(path));
cpSync(ROOT, clone, { recursive: true, filter: isCloned });
symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));
const runtime = join(home, ".npm/_npx/0a1b2c/bun");
mkdirSync(dirname(runtime), { recursive: true });
copyFileSync(process.execPath, runtime, constants.COPYFILE_FICLONE);

const programs = join(home, "bin");
mkdirSync(programs);
const isBun = `[ "npx $1 $2" = "${BUN}" ] || { echo "not found: $*" >&2; exit 1; }`;
writeProgram("npx", `${isBun}; shift 2; exec "${runtime}" "$@"`);
for (const client of ["claude", "codex"]) writeProgram(client, `printf '%s\\n' "$@"`);
const environment = {
  HOME: home,
  PATH: `${programs}:/usr/bin:/bin`,
  ...PROCESS_SETTINGS,
};

function writeProgram(name: string, script: string): void {
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(programs, name), 0o755);
}

/** Runs what a newcomer types, in this folder. */
async function typed(line: string, cwd: string, env: Record<string, string> = {}): Promise<Completed> {
  const completed = await run(["sh", "-c", line], { cwd, env: { ...environment, ...env } });
  if (completed.exitCode !== 0) throw new Error(`${line} ended with ${completed.exitCode}: ${completed.stderr}`);
  return completed;
}

async function serves(client: TestClient): Promise<void> {
  expect((await client.listTools()).length).toBeGreaterThan(10);
  expect((await client.call("mkt_connect_pubsub")).isError).toBe(false);
  await client.close();
}

/** Commands that have served. All clients start the demo alike, so one of them does. */
const served = new Set<string>();

/** The client starts it in another folder than the clone. */
async function servesStdio({ command = "", args = [], env }: ReadConfiguration): Promise<void> {
  expect(env).toEqual({});
  const line = shellLine([command, ...args]);
  if (served.has(line)) return;
  served.add(line);
  const started = { command, args, env: environment, cwd: home, stderr: "ignore" as const };
  await serves(await connectV2(new OneProcessTransport(started)));
}

// The README's demo, without the installation of packages, and on free ports.
const demoScript = packageJson.scripts.demo.split(" && ").at(-1)?.replace(/^bun /, `${BUN} `);
const start = `cd "${clone}" && exec ${demoScript} --port 0 --engine-port 0 --no-sim`;
const demo = startMkt([], environment, ["sh", "-c", start]);
const [greeting] = await demo.untilStderr(/^mkt [^]*\nOr look at the market yourself: .*\n$/m);
const [, url = ""] = / mcp +(http:.*)\/mcp/.exec(greeting) ?? [];
const [, engine = ""] = / engine +http:\/\/([^,]+)/.exec(greeting) ?? [];

/** A client is told `-- COMMAND`, or the demo's address at the end, and connects. */
async function connects(line: string): Promise<void> {
  const told = (await typed(line.replace(LOCAL_URL, `${url}/mcp`), clone)).stdout.trimEnd().split("\n");
  const [command = "", ...args] = told.includes("--") ? told.slice(told.indexOf("--") + 1) : [];
  if (command !== "") return await servesStdio({ command, args, env: {} });
  expect(told.at(-1)).toBe(`${url}/mcp`);
  await serves(await connectHttp("v2", url));
}

describe("the greeting of a demo that npx has started in a clone", () => {
  const [adding = "", configuring = ""] = [...greeting.matchAll(/^ {2}(?=claude|\w+=)(.+)/gm)].map(([, line]) => line);

  test("has a command that connects Claude Code", async () => {
    expect(adding).toStartWith("claude mcp add ");
    await connects(adding);
  });

  // The others are printed in this process below.
  test.each(size(CLIENTS.slice(1, 2), CLIENTS))(
    "has a command that prints a configuration with which %s connects",
    async (client) => {
      // The demo takes no variables of another market.
      const others = { MKT_HOST: "desk:1", MKT_USER_ID: "nobody", MKT_BEARER_TOKEN: "hush" };
      const { stdout, stderr } = await typed(configuring.replace("CLIENT", client), home, others);
      const configuration = readConfiguration(client, stdout);
      if (configuration.url === undefined) return await servesStdio(configuration);
      expect(configuration).toMatchObject({ url: `${url}/mcp`, headers: {} });
      await serves(await connectHttp("v2", configuration.url));
      const again = shellLine([...configuring.split(" ").slice(1, 4), join(clone, "main.ts"), "demo", "--port"]);
      expect(stderr).toContain(`The demo must run: ${again} ${new URL(url).port}\n`);
    },
  );

  test.skipIf(!LONG)("without its variable, that command makes each client start a demo", async () => {
    const invocation = { command: "npx", args: ["--yes", packageJson.packageManager, join(clone, "main.ts")] };
    const words = [invocation.command, ...invocation.args, "client-config", "CLIENT", "--demo"];
    expect(configuring.replace(/^MCP_HTTP_PORT=\d+ /, "")).toBe(shellLine(words));
    for (const client of CLIENTS) {
      const { text } = clientConfiguration(client, { invocation, environment: {}, demo: true, packVariables: [] });
      await servesStdio(readConfiguration(client, text));
    }
  });

  test("with its variable, it gives each client that takes an address the demo's", () => {
    const environment = { MCP_HTTP_PORT: new URL(url).port };
    for (const client of CLIENTS.filter((name) => CLIENT_FORMATS[name].http !== null)) {
      const invocation = { command: "npx", args: [] };
      const { text } = clientConfiguration(client, { invocation, environment, demo: true, packVariables: [] });
      expect(readConfiguration(client, text)).toMatchObject({ url: `${url}/mcp`, headers: {} });
    }
  });
});

describe("the README", () => {
  const blocks = [...README.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""]) => block.trim().split("\n"));
  const [variables = "", find = "", order = ""] = blocks.pop() ?? [];
  const spans = [...README.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  const commands = [
    ...blocks.flat().map((line) => line.replace(/ +#.*/, "")),
    ...spans.filter((span) => /^(npx|bun|mkt|claude|codex|docker|xattr) |^--/.test(span)),
  ];

  test.each([...new Set(commands)])("tells of %s, which works", async (command) => {
    const [, script] = /^npx --yes bun@\S+ run (\S+)$/.exec(command) ?? [];
    const [, composeFile] = /^docker compose -f (\S+) up --build$/.exec(command) ?? [];
    const [, name, options] = /^mkt ([a-z-]+)(.*)$/.exec(command) ?? (/^--/.test(command) ? [, "demo", command] : []);
    if (/^(claude|codex) mcp add /.test(command)) await connects(command);
    else if (script !== undefined) {
      // It takes minutes, or writes into the clone, so others test it. But a new clone has no packages yet.
      const installsFirst = /^bun install --frozen-lockfile --silent && bun [\w/]+\.ts/;
      expect(packageJson.scripts).toHaveProperty([script], expect.stringMatching(installsFirst));
    } else if (composeFile !== undefined) {
      // Few machines have Docker. tests/deploy/image.test.ts makes the image.
      expect(existsSync(join(clone, composeFile))).toBe(true);
    } else if (name !== undefined) {
      const { exitCode, stdout } = await runMktHere(["help", name]);
      expect(exitCode).toBe(0);
      for (const option of options?.match(/--[a-z-]+/g) ?? []) expect(stdout).toContain(`  ${option}`);
    } else expect([`${BUN} main.ts`, "mkt --help"]).toContain(command);
  });

  test("has calls that send a first order from a second shell", async () => {
    // Another engine may have the usual port.
    const env = { MKT_BASE_URL: `http://${engine}` };
    const call = async (line: string) =>
      JSON.parse((await typed(`${variables.replace("localhost:3001", engine)}; ${line}`, clone, env)).stdout);
    const { ids: [id] } = await call(find);
    expect(await call(order.replace('"ID"', JSON.stringify(id)))).toMatchObject({ status: "success" });
  });
});
