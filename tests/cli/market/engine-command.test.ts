// What each option of `mkt engine` and `mkt sim` changes in what is started, and nothing else.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addEngineCommand } from "../../../cli/market/engine-command.ts";
import { maxClockJumpMs } from "../../../cli/market/process-options.ts";
import { addSimulatorCommand } from "../../../cli/market/simulator-command.ts";
import type { AuditStore } from "../../../common/audit/audit-store.ts";
import * as stalls from "../../../common/stall-watch.ts";
import { CAPACITY_IN_MEMORY } from "../../../engine/audit/sqlite-audit-store.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { builtInMarketNamed } from "../../../engine/definition/built-in-markets.ts";
import * as starting from "../../../engine/server/start-engine.ts";
import * as embedding from "../../../sim/live/embedded-simulator.ts";
import * as standalone from "../../../sim/live/standalone-simulator.ts";
import * as strategies from "../../../sim/outside/strategies/strategy-files.ts";
import { runCommandHere } from "../../support/command-line-here.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const STORE = { kind: "a store" } as unknown as AuditStore;
const ENDED = "the test has seen enough";
const end = () => {
  throw new Error(ENDED);
};

const runEngine = (args: readonly string[], env: Record<string, string> = {}, configureLogging = () => {}) =>
  runCommandHere(
    (program) => addEngineCommand(program, { version: "1", configureLogging, tableStorage: () => STORE }),
    ["engine", ...args],
    env,
  );

/** What would be started, without what is a function. */
async function startedBy(args: readonly string[], env: Record<string, string> = {}) {
  const calls = replaced(starting, "startEngine", end);
  const { stderr } = await runEngine(args, env);
  expect([args, stderr]).toEqual([args, `mkt: ${ENDED}\n`]);
  const { log: _, ...rest } = calls.pop()![0];
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => typeof value !== "function"));
}

const AS_IT_WAS = { speed: null, start: null, lockstep: false };
const OPTIONS: readonly [readonly string[], object, Record<string, string>?][] = [
  [["--port", "5"], { port: 5 }],
  [["--host", "localhost"], { hostname: "localhost" }],
  [["--market", "builtin-credit"], { definition: builtInMarketNamed("builtin-credit"), mustMatch: true }],
  [["--data", "d"], { data: "d" }],
  [["--data", "d", "--identity", "i"], { data: "d", identity: "i" }],
  [["--data", "d", "--accept-data-loss"], { data: "d", acceptDataLoss: true }],
  [["--audit", "azure"], { auditTarget: STORE }],
  [["--speed", "60"], { clock: { ...AS_IT_WAS, speed: 60 } }],
  [["--start", "2026-03-02"], { clock: { ...AS_IT_WAS, start: Date.UTC(2026, 2, 2) } }],
  [["--lockstep"], { clock: { ...AS_IT_WAS, lockstep: true } }],
  [["--max-clock-jump", "7"], { maxClockJumpMs: 7_000 }],
  [["--max-clock-jump", "0"], { maxClockJumpMs: undefined }],
  [[], { token: "secret" }, { MKT_BEARER_TOKEN: "secret" }],
  [[], { secret: "of tests" }, { STRESS_TEST_SECRET: "of tests" }],
  [[], { allowedHosts: ["a", "b:5"] }, { MKT_ENGINE_ALLOWED_HOSTS: "a, b:5" }],
  [[], { allowedOrigins: ["c"] }, { MKT_ENGINE_ALLOWED_ORIGINS: "c" }],
];

test("each option and variable of mkt engine changes its own part of what is started", async () => {
  const usual = await startedBy([]);
  expect(usual).toMatchObject({
    port: 3001,
    hostname: "127.0.0.1",
    definition: builtInMarket(),
    mustMatch: false,
    acceptDataLoss: false,
    clock: AS_IT_WAS,
    maxClockJumpMs: 60_000,
    auditTarget: null,
    tracer: null,
    token: null,
    tokenFile: null,
    secret: null,
  });
  for (const name of ["data", "identity", "allowedHosts", "allowedOrigins"]) expect(usual[name]).toBeUndefined();
  for (const [args, changes, env] of OPTIONS) {
    expect([args, await startedBy(args, env)]).toEqual([args, { ...usual, ...changes }]);
  }
  const empty = {
    MKT_BEARER_TOKEN: "",
    STRESS_TEST_SECRET: "",
    MKT_ENGINE_ALLOWED_HOSTS: "",
    MKT_ENGINE_TOKEN_FILE: "",
  };
  expect(await startedBy([], empty)).toEqual(usual);
});

test("a jump of the clock that stops trading is told in seconds, and 0 means none", () => {
  expect([60, 1, 0].map((maxClockJump) => maxClockJumpMs({ maxClockJump }))).toEqual([60_000, 1_000, undefined]);
});

test("options that need --data say so, all at once", async () => {
  const { exitCode, stderr } = await runEngine(["--identity", "i", "--accept-data-loss"]);
  expect([exitCode, stderr]).toEqual([
    2,
    "mkt: --accept-data-loss: needs --data DIR\nmkt: --identity: needs --data DIR\n",
  ]);
});

test("--market reads a file, and names what is wrong with it", async () => {
  const path = join(temporaryDirectory(), "market.json");
  writeFileSync(path, JSON.stringify(builtInMarket()));
  expect((await startedBy(["--market", path]))["definition"]).toEqual(builtInMarket());
  writeFileSync(path, "{}");
  const { exitCode, stderr } = await runEngine(["--market", path]);
  expect([exitCode, stderr.split("\n").every((line) => line === "" || line.startsWith(`mkt: ${path}: `))])
    .toEqual([2, true]);
});

test("each --strategy is loaded, by mkt engine and mkt sim, and those that can't be are named together", async () => {
  const loaded = replaced(strategies, "addStrategyFile", () => Promise.resolve());
  await startedBy(["--strategy", "a.ts", "--strategy", "b.ts"]);
  expect(loaded.splice(0)).toEqual([["a.ts"], ["b.ts"]]);
  await simulatorStartedBy(["--strategy", "c.ts"]);
  expect(loaded.splice(0)).toEqual([["c.ts"]]);
  replaced(strategies, "addStrategyFile", (file) => Promise.reject(new Error(`no ${file}`)));
  const { exitCode, stderr } = await runEngine(["--strategy", "a.ts", "--strategy", "b.ts", "--port", "x"]);
  expect([exitCode, stderr]).toEqual([
    2,
    'mkt: --port: a port from 0 to 65535, not "x"\nmkt: --strategy: a.ts: no a.ts\nmkt: --strategy: b.ts: no b.ts\n',
  ]);
});

/** What a whole run does, one after the other, with an engine that fails at once. */
async function lifeOfEngine(args: readonly string[]) {
  const done: string[] = [];
  const step = (name: string) => () => void done.push(name);
  replaced(starting, "startEngine", (options) => {
    done.push(`start on ${options.port}`);
    return {
      url: "http://e",
      webSocketUrl: "ws://e",
      failed: Promise.resolve(new Error("broken")),
      stop: step("engine"),
    };
  });
  replaced(stalls, "watchStalls", step("watch"));
  replaced(embedding, "embedSimulator", ({ engine }) => {
    done.push(`simulator of ${(engine as unknown as { url: string }).url}`);
    return { close: step("simulator") };
  });
  const { exitCode, stderr } = await runEngine(args, {}, step("logging"));
  return { exitCode, stderr, done };
}

test("mkt engine says where it is, ends if its engine fails, and stops its simulator before the engine", async () => {
  const steps = ["logging", "start on 3001", "simulator of http://e", "watch", "simulator", "engine"];
  const said = "mkt 1 engine: http://e, ws://e\n";
  expect(await lifeOfEngine([])).toEqual({ exitCode: 1, stderr: `${said}mkt: broken\n`, done: steps });
  const note = `mkt: without --data, audit events wait for table storage in memory: the newest ${CAPACITY_IN_MEMORY}, `;
  expect((await lifeOfEngine(["--audit", "azure"])).stderr).toContain(`${said}${note}`);
  expect((await lifeOfEngine(["--audit", "azure", "--data", "d"])).stderr).not.toContain("without --data");
});

async function simulatorStartedBy(args: readonly string[], env: Record<string, string> = {}) {
  const calls = replaced(standalone, "startStandaloneSimulator", end);
  const { stderr } = await runCommandHere(
    (program) => addSimulatorCommand(program, { version: "1", configureLogging: () => {} }),
    ["sim", "--backend", "ws://h:1", ...args],
    env,
  );
  expect([args, stderr]).toEqual([args, `mkt: ${ENDED}\n`]);
  const { log: _, now: __, ...rest } = calls.pop()![0];
  return rest;
}

test("each option and variable of mkt sim changes its own part of what is started", async () => {
  const usual = await simulatorStartedBy([]);
  expect(usual).toEqual({
    backend: "ws://h:1/ws",
    userId: "simulator",
    port: 3002,
    host: "127.0.0.1",
    token: null,
    tokenFile: null,
    allowedHosts: undefined,
    allowedOrigins: undefined,
    tracer: null,
  });
  for (
    const [args, changes, env] of [
      [["--backend", "wss://h/other"], { backend: "wss://h/other" }],
      [["--port", "5"], { port: 5 }],
      [["--host", "localhost"], { host: "localhost" }],
      [[], { token: "secret" }, { MKT_BEARER_TOKEN: "secret" }],
      [[], { userId: "bot" }, { MKT_USER_ID: "bot" }],
      [[], {}, { MKT_USER_ID: "", MKT_BEARER_TOKEN: "" }],
      [[], { allowedHosts: ["a"] }, { MKT_ENGINE_ALLOWED_HOSTS: "a" }],
      [[], { allowedOrigins: ["a"] }, { MKT_ENGINE_ALLOWED_ORIGINS: "a" }],
    ] as const
  ) expect([args, await simulatorStartedBy(args, env)]).toEqual([args, { ...usual, ...changes } as never]);
});
