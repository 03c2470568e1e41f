// An engine is killed after some confirmed orders, one file of its data directory is damaged, and the engine is restarted,
// WAYS times with seeded damage. Each start either has all confirmed orders, or fails, names the damage and changes nothing.
// With --accept-data-loss it then starts, keeps copies, and has the first confirmed orders without a gap.
//
// The data directories come from the compiled executable, killed with SIGKILL, and from engines in this process, whose
// directory is copied while they run. Most restarts are in this process; one in EXECUTABLE_SHARE uses the executable.

import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "../../common/logger.ts";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { openDataDirectory } from "../../engine/server/recovery/data-directory.ts";
import { EngineHost } from "../../engine/server/host/engine-host.ts";
import { WorkerCheckpointMaker } from "../../engine/server/checkpoints/worker-checkpoint-maker.ts";
import { recoverEngine } from "../../engine/server/recovery/recover-engine.ts";
import { newJournalHeader } from "../../engine/server/start-engine.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { stateFilesIn } from "../engine/support/checkpoints.ts";
import { OWNER_FILE } from "../../engine/journal/owner-file.ts";
import { RESERVE_FILE } from "../../engine/journal/storage-reserve.ts";
import { runMkt, startEngineProcess } from "../support/executable.ts";
import { startTestEngine } from "../support/engines.ts";
import { LoadClient, orderIdOf } from "../support/load-client.ts";
import { LONG, size } from "../support/sizes.ts";
import { BUYER, restingBuy } from "./support/built-in-market.ts";
import { contentOf, harmOneFile } from "./support/storage-harm.ts";
import { until } from "../support/until.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { SEED } from "../support/seed.ts";
import { lookAt } from "./support/engine-view.ts";
import { resultOf, statesOf } from "../support/executions.ts";

const WAYS = size(7, 600);
const EXECUTABLE_SHARE = 12;
const OPERATOR = "operator";

interface Scene {
  readonly directory: string;
  /** A copy of the directory from when half of the orders were confirmed. */
  readonly older: string;
  /** Ids of the orders that were confirmed, in order. */
  readonly confirmed: readonly string[];
}

/** The result of a start. */
interface Start {
  readonly orders: readonly string[];
  readonly log: string;
}

const root = temporaryDirectory();
let count = 0;
const newDirectory = () => join(root, String(++count));
const scenes: Scene[] = [];

const byNumber = (a: string, b: string) => Number(a.slice(4)) - Number(b.slice(4));

/** An engine in this process, with a journal. */
async function openEngine(
  directory: string,
  { acceptDataLoss = false, checkpointRecords }: { acceptDataLoss?: boolean; checkpointRecords?: number } = {},
) {
  const lines: string[] = [];
  const note = (text: string, values: object = {}) => void lines.push(`${text} ${JSON.stringify(values)}`);
  const log = { debug: note, info: () => {}, warn: note, error: note } as unknown as Logger;
  const now = Date.now;
  const { store, audit, guard } = await openDataDirectory(directory, { now, log, acceptDataLoss });
  const close = async () => {
    guard.stop();
    store.close();
    await audit.close();
  };
  try {
    const recovered = recoverEngine({
      store,
      audit,
      header: () => newJournalHeader(builtInMarket(), now()),
      secret: null,
      now,
      log,
      ...(checkpointRecords === undefined ? {} : { checkpointRecords }),
    });
    const host = new EngineHost({ ...recovered, now, log, checkpointMaker: new WorkerCheckpointMaker(store) });
    return { host, audit, close, log: () => lines.join("\n") };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startHere(directory: string, acceptDataLoss = false): Promise<Start> {
  const engine = await openEngine(directory, { acceptDataLoss });
  try {
    const states = statesOf({ messages: [...engine.host.snapshot()] });
    const orders = states.filter(({ statePath }) => statePath.startsWith("/ORDER/"));
    const today = new Date().toISOString().slice(0, 10);
    await engine.host.readAudit().query({ from: today, to: today, limit: 10_000 });
    return { orders: orders.map(({ statePath }) => statePath.split("/")[2] ?? "").sort(byNumber), log: engine.log() };
  } finally {
    await engine.close();
  }
}

async function startExecutable(directory: string, acceptDataLoss = false): Promise<Start> {
  const args = ["--data", directory, ...(acceptDataLoss ? ["--accept-data-loss"] : [])];
  const { exitCode, stderr } = acceptDataLoss || (await isWhole(directory))
    ? { exitCode: 0, stderr: "" }
    : await runMkt(["engine", "--port", "0", ...args], { LOG_LEVEL: "warn" });
  if (exitCode !== 0) throw new Error(stderr);
  const engine = await startEngineProcess({ args, env: { LOG_LEVEL: "warn" } });
  try {
    const { client, openOrders } = await lookAt(engine, OPERATOR);
    client.close();
    return { orders: openOrders.sort(byNumber), log: engine.stderr() };
  } finally {
    await engine.crash();
  }
}

/** Whether a start in this process on a copy succeeds. If so, the executable keeps running and must not be waited for. */
async function isWhole(directory: string): Promise<boolean> {
  const copy = newDirectory();
  cpSync(directory, copy, { recursive: true });
  try {
    await startHere(copy);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** A copy, as a kill would leave it, of an engine in this process that confirmed `orders` orders. */
async function sceneHere(orders: number, checkpointRecords: number): Promise<Scene> {
  const running = newDirectory();
  const [directory, older] = [newDirectory(), newDirectory()];
  const engine = await openEngine(running, { checkpointRecords });
  const confirmed: string[] = [];
  for (let at = 0; at < orders; at++) {
    const request = { userId: BUYER, operationId: String(at), action: "order.submit", payload: restingBuy(1000 + at) };
    const execution = engine.host.execute(request);
    engine.host.flush();
    confirmed.push(orderIdOf({ result: resultOf(execution) }));
    await new Promise((resolve) => setImmediate(resolve));
    if (at === orders >> 1) {
      // A checkpoint is made beside the calls. The calls after it stay in the journal.
      if (checkpointRecords < at) await until(() => stateFilesIn(running).length > 0, "a checkpoint");
      cpSync(running, older, { recursive: true });
    }
  }
  cpSync(running, directory, { recursive: true });
  await engine.close();
  rmSync(running, { recursive: true });
  return { directory, older, confirmed };
}

/** The directory of a killed executable; with `restart`, after an orderly stop and a second run. */
async function sceneOfExecutable(orders: number, restart: boolean): Promise<Scene> {
  const [directory, older] = [newDirectory(), newDirectory()];
  const confirmed: string[] = [];
  for (const isLast of restart ? [false, true] : [true]) {
    // An orderly stop is the same in this process.
    const process = isLast || LONG ? await startEngineProcess({ args: ["--data", directory] }) : null;
    const engine = process ?? await startTestEngine({ data: directory });
    const client = await new LoadClient(engine.webSocketUrl, BUYER).welcomed();
    for (let at = 0; at < orders; at++) {
      const response = await client.request("order.submit", restingBuy(1000 + at), `${isLast}-${at}`);
      confirmed.push(orderIdOf(response));
      if (isLast && at === orders >> 1) cpSync(directory, older, { recursive: true });
    }
    if (isLast) await process!.crash();
    else await engine.stop();
  }
  return { directory, older, confirmed };
}

beforeAll(async () => {
  scenes.push(await sceneOfExecutable(size(20, 60), true));
  if (LONG) scenes.push(await sceneOfExecutable(200, false), await sceneHere(30, Infinity), await sceneHere(100, 40));
  scenes.push(await sceneHere(size(30, 900), Infinity), await sceneHere(size(50, 600), 20));
});

describe(`a data directory harmed in ${WAYS} ways`, () => {
  test("never starts with fewer orders than were confirmed, unless data loss is accepted", async () => {
    const figures: Record<string, number> = {};
    const figure = (name: string) => figures[name] = (figures[name] ?? 0) + 1;
    for (let way = 0; way < WAYS; way++) {
      const random = new SeededRandom(SEED * 10_000 + way);
      const scene = scenes[random.integer(0, scenes.length - 1)];
      if (scene === undefined) throw new Error("no scene");
      const directory = newDirectory();
      cpSync(scene.directory, directory, { recursive: true });
      const harmed = harmOneFile(directory, scene.older, random);
      try {
        const outcome = await oneWay(scene, directory, way % EXECUTABLE_SHARE === 0 ? startExecutable : startHere);
        figure(outcome);
        figure(`${harmed.file}: ${outcome}`);
      } catch (error) {
        const { file, harm, detail } = harmed;
        const where = `seed ${SEED}, way ${way}, ${file}: ${harm} ${detail}`;
        throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
      }
      rmSync(directory, { recursive: true });
    }
    console.log(`${WAYS} ways: ${JSON.stringify(figures, null, 1)}`);
    expect(figures["stopped"] ?? 0).toBeGreaterThan(0);
    expect(figures["whole"] ?? 0).toBeGreaterThan(0);
  });
});

/** `whole`: started with all orders; `cut`: the same, and logged an incomplete write; `stopped`: refused to start. */
async function oneWay(
  { confirmed }: Scene,
  directory: string,
  start: typeof startHere,
): Promise<"whole" | "cut" | "stopped"> {
  const before = contentOf(directory);
  let refusal: string;
  try {
    const { orders, log } = await start(directory);
    expect(orders).toEqual([...confirmed]);
    return log.includes("journal cut after") ? "cut" : "whole";
  } catch (error) {
    refusal = (error as Error).message;
    if (!refusal.includes("is damaged, so the engine did not start")) throw error;
  }
  expect(refusal.split("\n").length).toBeLessThan(10);
  for (const part of ["damaged: ", "readable: ", "--accept-data-loss"]) expect(refusal).toContain(part);
  expect(contentOf(directory)).toEqual(before);

  const { orders, log } = await start(directory, true);
  expect(log).toContain("data loss accepted");
  expect(orders).toEqual(confirmed.slice(0, orders.length));
  const [copy] = readdirSync(directory).filter((name) => name.startsWith("damaged-"));
  // These have no content to keep.
  for (const name of [RESERVE_FILE, OWNER_FILE]) before.delete(name);
  expect(contentOf(join(directory, copy ?? "no copy"))).toEqual(before);
  const again = await startHere(directory);
  expect(again.orders).toEqual(orders);
  return "stopped";
}
