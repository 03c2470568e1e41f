// How the commands that serve a market end, by a signal or with their engine, what they send meanwhile, and what a signal does
// to a backup.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as configured from "../../../cli/configured.ts";
import { addBackupCommands } from "../../../cli/market/backup-command.ts";
import { addDemoCommand } from "../../../cli/market/demo.ts";
import { addEngineCommand } from "../../../cli/market/engine-command.ts";
import { addSimulatorCommand } from "../../../cli/market/simulator-command.ts";
import * as serving from "../../../cli/server/serve.ts";
import * as commands from "../../../common/command-line.ts";
import * as loggers from "../../../common/logger.ts";
import * as telemetries from "../../../common/open-telemetry.ts";
import * as output from "../../../common/output.ts";
import * as stalls from "../../../common/stall-watch.ts";
import type { Tracer } from "../../../common/telemetry/tracer.ts";
import * as asking from "../../../engine/backup/backup-client.ts";
import * as reading from "../../../engine/backup/backup-reader.ts";
import * as restoring from "../../../engine/backup/restore.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import * as starting from "../../../engine/server/start-engine.ts";
import * as embedding from "../../../sim/live/embedded-simulator.ts";
import * as standalone from "../../../sim/live/standalone-simulator.ts";
import { runCommandHere } from "../../support/command-line-here.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
const OTLP = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
const TRACER = { start: () => {} } as unknown as Tracer;

/** What is done, one after the other; `signal` and `fail` end it. */
function market({ sendsMetrics = true } = {}) {
  const done: unknown[] = [];
  const signal = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<Error>();
  const step = (name: string) => () => Promise.resolve(void done.push(name));
  const metrics = () => Promise.resolve({ getMetricsAsJSON: () => "the metrics" });
  let source: (() => Promise<unknown>) | null = null;
  replaced(commands, "untilSignal", () => signal.promise);
  replaced(stalls, "watchStalls", ({ log }) => void (done.push("watch"), log));
  replaced(loggers, "hideInLogs", (secrets) => void done.push({ hidden: secrets }));
  replaced(telemetries, "openTelemetry", (settings, version) => {
    if (settings === null) return Promise.resolve(null);
    done.push([settings.resource["service.name"], version]);
    return Promise.resolve({
      ...{ tracer: TRACER, sendsMetrics, secrets: ["s"], stop: step("telemetry stops") },
      send: (given: () => Promise<unknown>) => void (source = given),
    });
  });
  replaced(starting, "startEngine", ({ tracer }) => {
    done.push({ traced: tracer === TRACER });
    return {
      ...{
        url: "http://e",
        webSocketUrl: "ws://e",
        port: 1,
        ownToken: null,
        isNew: false,
        definition: builtInMarket(),
      },
      ...{ marketTime: () => 0, clock: () => ({ mode: "real", speed: 1 }), failed: failed.promise, metrics },
      stop: step("engine stops"),
    };
  });
  replaced(embedding, "embedSimulator", () => ({ close: step("simulator stops"), start: () => {} }));
  replaced(standalone, "startStandaloneSimulator", ({ tracer }) => {
    done.push({ traced: tracer === TRACER });
    return { url: "http://s", metrics, stop: step("simulator stops") };
  });
  replaced(configured, "configuredRuntime", () => ({
    packs: [],
    services: { server: { tools: new Map() } },
    configuration: { backend: { userId: "operator" } },
  }));
  replaced(serving, "serve", () => signal.promise);
  return { done, signal: signal.resolve, fail: failed.resolve, source: () => source };
}

const context = { version: "1", configureLogging: () => {}, tableStorage: () => ({}) as never };
const COMMANDS = {
  engine: (env = {}) => runCommandHere((program) => addEngineCommand(program, context), ["engine"], env),
  sim: (env = {}) =>
    runCommandHere((program) => addSimulatorCommand(program, context), ["sim", "--backend", "ws://h:1"], env),
  demo: (env = {}) =>
    runCommandHere(
      (program) => addDemoCommand(program, { packs: [], version: "1" } as never, { command: "mkt", args: [] }),
      ["demo", "--no-sim"],
      env,
    ),
};
const STOPS = {
  engine: ["simulator stops", "engine stops"],
  demo: ["simulator stops", "engine stops"],
  sim: ["simulator stops"],
};
const WATCHED = { engine: ["watch"], demo: [], sim: ["watch"] };
const SERVICES = { engine: "mkt-engine", demo: "mkt-engine", sim: "mkt-simulator" };

test.each(["engine", "demo", "sim"] as const)("mkt %s ends with a signal, and not before", async (name) => {
  const { done, signal } = market();
  const running = COMMANDS[name]();
  await turn();
  await turn();
  expect([Bun.peek.status(running), done]).toEqual(["pending", [{ traced: false }, ...WATCHED[name]]]);
  signal();
  expect((await running).exitCode).toBe(0);
  expect(done.slice(1)).toEqual([...WATCHED[name], ...STOPS[name]]);
});

test.each(["engine", "demo"] as const)("mkt %s ends with its engine, and says why", async (name) => {
  const { done, fail } = market();
  const running = COMMANDS[name]();
  await turn();
  fail(new Error("the disk is full"));
  const { exitCode, stderr } = await running;
  expect([exitCode, stderr.trimEnd().split("\n").at(-1)]).toEqual([1, "mkt: the disk is full"]);
  expect(done.slice(-2)).toEqual(STOPS[name]);
});

test.each(["engine", "demo", "sim"] as const)(
  "mkt %s sends traces and metrics of its own until its end",
  async (name) => {
    const { done, signal, source } = market();
    signal();
    await COMMANDS[name](OTLP);
    expect(done).toEqual([
      [SERVICES[name], "1"],
      { hidden: ["s"] },
      { traced: true },
      ...WATCHED[name],
      ...STOPS[name],
      "telemetry stops",
    ]);
    expect(await source()!()).toBe("the metrics");
    const without = market({ sendsMetrics: false });
    without.signal();
    await COMMANDS[name](OTLP);
    expect(without.source()).toBeNull();
  },
);

/** A backup whose engine sends one part and then nothing until the signal comes. */
function backup() {
  const signal = Promise.withResolvers<void>();
  replaced(commands, "untilSignal", () => signal.promise);
  const folder = temporaryDirectory();
  const out = join(folder, "out");
  const run = (...args: string[]) =>
    runCommandHere(
      (program) => addBackupCommands(program, () => ({ baseUrl: "http://e", token: null, userId: "u" })),
      ["backup", ...args],
    );
  replaced(reading, "readBackup", async function* (chunks) {
    for await (const _ of chunks);
    yield { kind: "description", description: {} };
  });
  return { signal: signal.resolve, out, run };
}

test("a signal ends the request of a backup, and leaves no file", async () => {
  const { signal, out, run } = backup();
  const sent = Promise.withResolvers<void>();
  replaced(asking, "requestBackup", async function* (_engine, ended) {
    yield new Uint8Array(3);
    sent.resolve();
    await new Promise((_, reject) => ended!.addEventListener("abort", () => reject(ended!.reason as Error)));
  });
  const running = run(out);
  await sent.promise;
  signal();
  const { exitCode, stderr } = await running;
  expect([exitCode, stderr]).toEqual([1, `mkt: interrupted; ${out} was not written\n`]);
  expect([out, `${out}.part`].map((path) => existsSync(path))).toEqual([false, false]);
});

test("a signal while the backup is checked leaves no file either", async () => {
  const { signal, out, run } = backup();
  replaced(asking, "requestBackup", async function* () {
    yield await Promise.resolve(new Uint8Array(3));
  });
  replaced(restoring, "checkBackup", async () => {
    signal();
    await turn();
  });
  const { exitCode, stderr } = await run(out);
  expect([exitCode, stderr, existsSync(out)]).toEqual([1, `mkt: interrupted; ${out} was not written\n`, false]);
});

test("a backup whose reader is gone, or that is empty, is none", async () => {
  const { run, out } = backup();
  replaced(asking, "requestBackup", async function* () {
    yield await Promise.resolve(new Uint8Array(3));
  });
  replaced(output, "write", () => Promise.reject(new output.OutputClosed()));
  expect(await run("-")).toMatchObject({
    exitCode: 1,
    stderr: "mkt: nobody reads stdout any more; what was written is no backup\n",
  });
  replaced(reading, "readBackup", async function* (chunks) {
    for await (const _ of chunks);
    yield* [];
  });
  expect(await run(out)).toMatchObject({ exitCode: 1, stderr: `mkt: the backup is empty; ${out} was not written\n` });
});
