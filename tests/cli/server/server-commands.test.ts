// What each option and argument of the commands for the operator of a server changes, and what these commands read.

import { expect, test } from "bun:test";
import { join } from "node:path";
import * as clients from "../../../cli/client-config/client-config.ts";
import * as configured from "../../../cli/configured.ts";
import * as doctor from "../../../cli/doctor/doctor.ts";
import type { Finding } from "../../../cli/doctor/finding.ts";
import { addServerCommands } from "../../../cli/server-commands.ts";
import * as calls from "../../../cli/server/call-tool.ts";
import * as switches from "../../../cli/server/freeze.ts";
import * as serving from "../../../cli/server/serve.ts";
import { UsageError } from "../../../common/command-line.ts";
import { runCommandHere, runMktHere } from "../../support/command-line-here.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const ENV = { MKT_HOST: "localhost:1", MKT_USER_ID: "anna" };
const PROGRAM = { packs: [], version: "1", engineConnections: () => 77, marketVariables: {} } as never;
const INVOCATION = { command: "mkt", args: ["x"] };
const run = (args: readonly string[], env: Record<string, string> = ENV) =>
  runCommandHere((program) => addServerCommands(program, PROGRAM, INVOCATION), args, env);

/** The runtime of each command, and how often it was closed. */
function runtimes() {
  const closed: unknown[] = [];
  const runtime = { packs: [], leftOut: [], warnings: [], failures: [], dispatcher: { catalogue: { listed: [] } } };
  const made = replaced(configured, "configuredRuntime", () => ({ ...runtime, close: () => void closed.push(1) }));
  return { made, closed };
}

test("mkt without a command serves with its variables as they are, so it logs what a server logs", async () => {
  const given: unknown[] = [];
  const runtime = { services: {} };
  replaced(configured, "configuredRuntime", (_program, { MKT_USER_ID, LOG_LEVEL }, ...more) => {
    given.push(MKT_USER_ID, LOG_LEVEL, more);
    return runtime;
  });
  const served = replaced(serving, "serve", () => Promise.resolve());
  expect(await runMktHere([], ENV)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect<unknown>([given, served]).toEqual([["anna", undefined, []], [[runtime]]]);
});

test("mkt tools and mkt packs print text, and JSON with --json, without connecting or any variable", async () => {
  const { made } = runtimes();
  expect((await run(["tools"], {})).stdout).toBe("0 tools\n");
  expect(JSON.parse((await run(["tools", "--json"], {})).stdout)).toEqual({ toolCount: 0, packs: [] });
  expect((await run(["packs"], {})).stdout).toBe("0 packs\n");
  expect(JSON.parse((await run(["packs", "--json"], {})).stdout))
    .toEqual({ packs: [], notOffered: [], warnings: [], notLoaded: [] });
  const unused = { MKT_HOST: "localhost:3001", MKT_USER_ID: "nobody", LOG_LEVEL: "warn" };
  for (const call of made) expect(call.slice(2)).toEqual([unused, "none"]);
});

test("mkt call passes on its arguments, none as {}, and its exit status is that of the tool", async () => {
  const { made, closed } = runtimes();
  let failed = false;
  const called = replaced(calls, "callTool", () => Promise.resolve({ text: '{"a":1}', failed }));
  const asked = async (...args: string[]) => {
    const outcome = await run(["call", ...args]);
    return { ...outcome, called: called.splice(0).map((call) => call.slice(1)) };
  };
  const said = { exitCode: 0, stdout: '{"a":1}\n', stderr: "" };
  expect(await asked("mkt_do")).toEqual({ ...said, called: [["mkt_do", {}]] });
  expect(await asked("mkt_do", '{"b":[2]}')).toEqual({ ...said, called: [["mkt_do", { b: [2] }]] });
  failed = true;
  expect(await asked("mkt_do")).toEqual({ ...said, exitCode: 1, called: [["mkt_do", {}]] });
  expect(await asked("mkt_do", "{b}")).toMatchObject({
    exitCode: 2,
    called: [],
    stderr: expect.stringMatching(/^mkt: \[json\]: the arguments are not JSON: /),
  });
  expect([made.length, closed.length, made[0]!.slice(2)]).toEqual([3, 3, [{ LOG_LEVEL: "warn" }, "visitor"]]);
});

test("mkt doctor prints text, or JSON with --json, looks at --data, and fails if a finding has failed", async () => {
  const { closed } = runtimes();
  const folder = temporaryDirectory();
  let findings: Finding[] = [{ subject: "port", state: "ok", detail: "free" }];
  const variables: unknown[] = [];
  const examined = replaced(doctor, "examine", (_runtime, host) => {
    variables.push(host?.environment?.["MKT_USER_ID"]);
    return Promise.resolve(findings);
  });
  const asked = async (...args: string[]) => {
    const outcome = await run(["doctor", ...args]);
    return { ...outcome, host: examined.splice(0)[0]?.[1] };
  };
  const usual = await asked();
  expect([usual.exitCode, usual.host?.data, usual.host?.engineConnections, variables]).toEqual([0, undefined, 77, [
    "anna",
  ]]);
  expect(usual.stdout).toMatch(/port.*free/);
  expect(JSON.parse((await asked("--json")).stdout)).toEqual(findings);
  expect((await asked("--data", folder)).host).toMatchObject({ data: folder });
  const none = join(folder, "none");
  expect(await asked("--data", none)).toMatchObject({
    exitCode: 2,
    host: undefined,
    stderr: `mkt: --data: there is no folder ${none}\n`,
  });
  for (const [state, exitCode] of [["failed", 1], ["warning", 0], ["off", 0]] as const) {
    findings = [{ subject: "port", state, detail: "x" }, { subject: "y", state: "ok", detail: "z" }];
    expect([state, (await asked()).exitCode, (await asked("--json")).exitCode]).toEqual([state, exitCode, exitCode]);
  }
  expect(closed).toHaveLength(9);
});

test("mkt client-config is for the client that it names, and for a demo with --demo", async () => {
  const ports: unknown[] = [];
  const made = replaced(clients, "clientConfiguration", (_client, { environment }) => {
    ports.push(environment.MCP_HTTP_PORT);
    return { text: "{}\n\n", notes: ["a note"] };
  });
  const asked = async (args: readonly string[], env: Record<string, string> = {}) => {
    const outcome = await run(["client-config", ...args], env);
    return { ...outcome, made: made.splice(0)[0] };
  };
  const server = { invocation: INVOCATION, demo: false, packVariables: [] };
  expect(await asked(["cursor"])).toMatchObject({
    exitCode: 0,
    stdout: "{}\n",
    stderr: "a note\n",
    made: ["cursor", server],
  });
  expect((await asked(["vscode", "--demo"])).made).toMatchObject(["vscode", { ...server, demo: true }]);
  await asked(["cursor"], { MCP_HTTP_PORT: "5" });
  expect(ports).toEqual([undefined, undefined, "5"]);
  expect(await asked(["cursor"], { MCP_HTTP_PORT: "0" })).toMatchObject({
    exitCode: 2,
    stderr: "mkt: MCP_HTTP_PORT: must be the port that the server has, not 0\n",
  });
  expect(await asked(["cursr"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("did you mean cursor?"),
  });
});

test("mkt freeze passes on its reason, mkt thaw ends it, and what was not reached is a fault", async () => {
  let failed: string[] = [];
  const frozen = replaced(switches, "freeze", () => Promise.resolve({ done: ["frozen"], failed }));
  const thawed = replaced(switches, "thaw", () => Promise.resolve({ done: ["thawed"], failed }));
  const env = { MKT_FREEZE_FILE: "/f" };
  const target = { path: "/f", redis: null };
  expect(await run(["freeze", "prices", "look", "wrong"], env)).toEqual({
    exitCode: 0,
    stdout: "frozen\n",
    stderr: "",
  });
  await run(["freeze"], env);
  expect(frozen).toEqual([[target, "prices look wrong"], [target, ""]]);
  expect(await run(["thaw"], env)).toEqual({ exitCode: 0, stdout: "thawed\n", stderr: "" });
  expect(thawed).toEqual([[target]]);
  failed = ["no Redis", "no file"];
  for (const command of ["freeze", "thaw"]) {
    const said = { exitCode: 1, stderr: "mkt: no Redis\nmkt: no file\n" };
    expect(await run([command], env)).toMatchObject(said);
  }
});

const REDIS = { MKT_REDIS_URL: "redis://r:1", MKT_REDIS_NAMESPACE: "desk" };

test("a kill switch is the file, Redis or both, whichever variables are set", () => {
  const redis = { url: "redis://r:1", namespace: "desk" };
  const { killSwitchesFrom } = configured;
  expect(killSwitchesFrom({ MKT_FREEZE_FILE: "/f" })).toEqual({ path: "/f", redis: null });
  expect(killSwitchesFrom(REDIS)).toMatchObject({ path: null, redis });
  expect(killSwitchesFrom({ ...REDIS, MKT_FREEZE_FILE: "" })).toMatchObject({ path: null, redis });
  expect(killSwitchesFrom({ ...REDIS, MKT_FREEZE_FILE: "/f" })).toMatchObject({ path: "/f", redis });
  for (const none of [{}, { MKT_FREEZE_FILE: "", MKT_REDIS_URL: "" }]) {
    expect(() => killSwitchesFrom(none)).toThrow(UsageError);
  }
});

test("a command that talks to the engine alone takes its address, token and user, and asks for an address it can't guess", () => {
  const { backendFrom } = configured;
  const usual = backendFrom({ MKT_HOST: "localhost:3001", MKT_USER_ID: "anna" });
  expect(usual).toEqual({ baseUrl: "http://localhost:3001", token: null, userId: "anna" });
  const far = { MKT_HOST: "far:3001", MKT_USER_ID: "anna" };
  expect(backendFrom({ ...far, MKT_BASE_URL: "https://far:5", MKT_BEARER_TOKEN: "secret" }))
    .toEqual({ baseUrl: "https://far:5", token: "secret", userId: "anna" });
  for (const base of [{}, { MKT_BASE_URL: "" }]) {
    expect(() => backendFrom({ ...far, ...base })).toThrow("MKT_BASE_URL: is required with MKT_HOST=far:3001");
  }
});

test("table storage comes from its variables, and those that are missing are named together", () => {
  const { tableStorageFrom } = configured;
  const both = { STORAGE_TABLE_ENDPOINT: "https://t", STORAGE_ACCOUNT_NAME: "a", MKT_STORAGE_KEY: "a2V5" };
  expect(tableStorageFrom(both, "--audit azure")).toMatchObject({
    endpoint: "https://t",
    accountName: "a",
    accountKey: "a2V5",
  });
  const missing = (...names: string[]) => names.map((name) => `${name}: is required for --audit azure`).join("\n");
  const all = missing("STORAGE_TABLE_ENDPOINT", "STORAGE_ACCOUNT_NAME");
  expect(() => tableStorageFrom({}, "--audit azure")).toThrow(all);
  expect(() => tableStorageFrom({ STORAGE_TABLE_ENDPOINT: "", STORAGE_ACCOUNT_NAME: "" }, "--audit azure")).toThrow(
    all,
  );
});
