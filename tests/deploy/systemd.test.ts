import { describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { readConfiguration } from "../../core/config/environment.ts";
import { REPOSITORY } from "../../packaging/identity.ts";
import { MKT } from "../support/executable.ts";
import { run } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { DEPLOY, deployed, expectCommand, expectKnownVariables } from "./support.ts";

const UNITS = readdirSync(join(DEPLOY, "systemd")).filter((name) => /\.(service|timer)$/.test(name));
const SERVICES = UNITS.filter((name) => name.endsWith(".service"));
const SERVERS = SERVICES.filter((name) => name !== "mkt-backup.service");
const EXECUTABLE = "/usr/local/bin/mkt";
/** The exposure that systemd-analyze computes, times ten: 0 is none, 100 is all. */
const MOST_EXPOSURE = 12;

/** The values of each setting of a unit, in their order. */
async function settingsOf(name: string): Promise<Map<string, string[]>> {
  const settings = new Map<string, string[]>();
  for (const [, key = "", value = ""] of (await deployed(`systemd/${name}`)).matchAll(/^([A-Z]\w*)=(.*)$/gm)) {
    settings.set(key, [...settings.get(key) ?? [], value]);
  }
  return settings;
}

/** The variables that a unit sets itself. */
async function environmentOf(name: string): Promise<Record<string, string>> {
  const pairs = ((await settingsOf(name)).get("Environment") ?? []).flatMap((value) => value.split(" "));
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

/** From the first setting that protects the system to the last one. */
async function hardeningOf(name: string): Promise<string> {
  const text = await deployed(`systemd/${name}`);
  return text.slice(text.indexOf("NoNewPrivileges="), text.indexOf("LimitNOFILE="));
}

describe.each(SERVICES)("%s", (name) => {
  test("starts a command that exists, with variables that mkt knows", async () => {
    const [start = ""] = (await settingsOf(name)).get("ExecStart") ?? [];
    expect(start).toContain(EXECUTABLE);
    const command = start.slice(start.indexOf(EXECUTABLE) + EXECUTABLE.length).trim();
    await expectCommand(command === "" ? [] : command.split(" "));
    expectKnownVariables(Object.keys(await environmentOf(name)));
  });

  test("reads each token from a credential that it loads", async () => {
    const loaded = ((await settingsOf(name)).get("LoadCredential") ?? []).map((value) => value.replace(/:.*/, ""));
    const used = Object.entries(await environmentOf(name)).filter(([variable]) => variable.includes("TOKEN"));
    expect(used.map(([, value]) => value.replace("%d/", "")).toSorted()).toEqual(loaded.toSorted());
    for (const [variable] of used) expect(variable).toEndWith("_FILE");
  });

  test("is protected like the others", async () => {
    expect(await hardeningOf(name)).toBe(await hardeningOf("mkt.service"));
    expect((await settingsOf(name)).get("DynamicUser")).toEqual(["yes"]);
  });
});

test.each(SERVERS)("%s is started again after a failure, but not if its configuration is wrong", async (name) => {
  const settings = await settingsOf(name);
  expect(settings.get("Restart")).toEqual(["on-failure"]);
  // docs/commands.md: 2 is a wrong configuration.
  expect(settings.get("RestartPreventExitStatus")).toEqual(["2"]);
});

test("mkt-engine.service remembers its market apart from the market's data", async () => {
  const settings = await settingsOf("mkt-engine.service");
  expect(settings.get("StateDirectory")).toEqual(["mkt-engine mkt-engine-identity"]);
  expect(settings.get("ExecStart")?.[0]).toEndWith("--data %S/mkt-engine --identity %S/mkt-engine-identity/market");
});

test("mkt.env.example completes the variables of mkt.service to a valid configuration", async () => {
  const folder = temporaryDirectory();
  const tokens = { "engine-token": "y".repeat(32), "mcp-tokens": `desk ${"x".repeat(32)}\n` };
  for (const [name, text] of Object.entries(tokens)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  const own = Object.entries(await environmentOf("mkt.service"))
    .map(([key, value]) => [key, value.replace("%d", folder)]);
  const example = await deployed("systemd/mkt.env.example");
  const read = readConfiguration({ ...Object.fromEntries(own), ...parseEnv(example) });
  expect(read).toMatchObject({ ok: true, configuration: { backend: { userId: "operator" }, http: { port: 4087 } } });
  const mentioned = [...example.matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name = ""]) => name);
  expect(mentioned.length).toBeGreaterThan(3);
  expectKnownVariables(mentioned);
});

test.each(UNITS)("%s names the repository as its documentation", async (name) => {
  expect((await settingsOf(name)).get("Documentation")).toEqual([REPOSITORY]);
});

const analyze = analyzer();

describe.skipIf(analyze === null)("systemd-analyze", () => {
  /** A folder with the units, which start the executable of this build. */
  async function unitFolder(): Promise<string> {
    const folder = temporaryDirectory();
    for (const name of UNITS) {
      writeFileSync(join(folder, name), (await deployed(`systemd/${name}`)).replaceAll(EXECUTABLE, MKT));
    }
    return folder;
  }

  test("finds no fault in the units", async () => {
    const folder = await unitFolder();
    const paths = UNITS.map((name) => join(folder, name));
    const { stdout, stderr, exitCode } = await run([analyze!, "verify", "--man=no", ...paths], {
      env: { SYSTEMD_UNIT_PATH: `${folder}:`, PATH: process.env["PATH"] ?? "" },
    });
    // It also tells of faults in the machine's own units.
    const about = `${stdout}${stderr}`.split("\n").filter((line) => line.includes(folder) || /\bmkt\b/.test(line));
    expect({ about, exitCode }).toEqual({ about: [], exitCode: 0 });
  });

  test.each(SERVICES)("rates the exposure of %s as low", async (name) => {
    const options = ["--offline=yes", "--no-pager", `--threshold=${MOST_EXPOSURE}`];
    const { stdout, stderr, exitCode } = await run([analyze!, "security", ...options, join(await unitFolder(), name)]);
    expect({ exitCode, rating: exitCode === 0 ? "" : `${stdout}${stderr}` }).toEqual({ exitCode: 0, rating: "" });
  });
});

/** Null if the program is missing or too old to check files. With MKT_TEST_ALL, that is an error on Linux. */
function analyzer(): string | null {
  const path = Bun.which("systemd-analyze");
  const version = path === null
    ? 0
    : Number(/^systemd (\d+)/.exec(Bun.spawnSync([path, "--version"]).stdout.toString())?.[1]);
  if (version >= 250) return path;
  if (process.env["MKT_TEST_ALL"] === "1" && process.platform === "linux") {
    throw new Error("MKT_TEST_ALL=1, but there is no program systemd-analyze of version 250 or later");
  }
  console.log("skipped: checks of the systemd units need the program systemd-analyze, version 250 or later");
  return null;
}
