// An engine with a journal under attack, the attacking client, and what the attack costs: bytes in the data directory, memory,
// and what another client noticed meanwhile; and a restart after it.
//
// The other client sends one order after another and must get every response. How long that takes depends on the machine, so
// no test measures it.

import { expect } from "bun:test";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ResponseMessage } from "../../../protocol/index.ts";
import { type RunningEngineProcess, startEngineProcess } from "../../support/executable.ts";
import { LoadClient, orderIdOf } from "../../support/load-client.ts";
import { memoryMb } from "../../support/processes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { until } from "../../support/until.ts";
import { BUYER, restingBuy } from "./built-in-market.ts";
import { isKind, TestClient } from "../../engine/server/harness.ts";

const WITNESS = "summit-trader-1";
export const ATTACKER = BUYER;
export const LOOKER = "viewer";
/** Trades after the attack. */
const LATER = "heartland-trader-1";
export const MARKER = "payload-that-must-not-stay";

export interface AttackedEngine extends RunningEngineProcess {
  /** Of its data. */
  readonly directory: string;
}

export async function startAttacked(
  env: Record<string, string> = {},
  directory = temporaryDirectory(),
): Promise<AttackedEngine> {
  const engine = await startEngineProcess({ args: ["--data", directory], env: { LOG_LEVEL: "error", ...env } });
  return { ...engine, directory };
}

/** Bytes of all files in the data directory. */
async function bytesOnDisk(directory: string): Promise<number> {
  const files = (await readdir(directory, { recursive: true })).map((name) => stat(join(directory, name)));
  return (await Promise.all(files)).reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

export async function isOnDisk(directory: string, text: string): Promise<boolean> {
  for (const name of await readdir(directory, { recursive: true })) {
    const path = join(directory, name);
    if ((await stat(path)).isFile() && (await readFile(path)).includes(text)) return true;
  }
  return false;
}

/** A client that sends arbitrary text. */
export class Attacker extends TestClient {
  static async as(userId: string, { webSocketUrl }: RunningEngineProcess): Promise<Attacker> {
    const attacker = await new Attacker(webSocketUrl).hello({ userId });
    await attacker.message("snapshotEnd");
    return attacker;
  }

  get isClosed(): boolean {
    return this.closed !== null;
  }

  get responses(): ResponseMessage[] {
    return this.messages.filter((message) => isKind(message, "response"));
  }

  /** Number of responses by code; `ok` if a response has no code. */
  get codes(): Record<string, number> {
    const codes: Record<string, number> = {};
    for (const { code = "ok" } of this.responses) codes[code] = (codes[code] ?? 0) + 1;
    return codes;
  }

  async answered(count: number): Promise<void> {
    await until(() => this.responses.length >= count || this.isClosed, `${count} responses`);
  }
}

export function request(requestId: string, payload: unknown, operationId = requestId): string {
  return JSON.stringify({ kind: "request", requestId, operationId, action: "order.submit", payload });
}

/** Sends one order after another until `work` has ended, and at least one. Each response must be ok. */
export async function whileTrading<Result>({ webSocketUrl }: RunningEngineProcess, work: () => Promise<Result>) {
  const client = await new LoadClient(webSocketUrl, WITNESS).welcomed();
  let ended = false;
  let sent = 0;
  let answered = 0;
  const trading = (async () => {
    do {
      sent += 1;
      const response = await client.request("order.submit", restingBuy(900), crypto.randomUUID());
      if (response?.status === "ok") {
        answered += 1;
        await client.request("order.cancel", { orderId: orderIdOf(response) }, crypto.randomUUID());
      }
      await Bun.sleep(30);
    } while (!ended);
  })();
  const working = work().finally(() => ended = true);
  const result = await working;
  await trading;
  client.close();
  expect(answered).toBe(sent);
  return { result, noticed: `${answered} of ${sent} orders of another client answered ok` };
}

interface Figures {
  readonly memoryBefore: number;
  readonly bytesBefore: number;
}

export async function figuresOf({ pid, directory }: AttackedEngine): Promise<Figures> {
  return { memoryBefore: await memoryMb(pid), bytesBefore: await bytesOnDisk(directory) };
}

/** Prints an attack's figures. Returns its memory (MB) and disk (bytes) use. */
export async function settle(
  name: string,
  engine: AttackedEngine,
  { memoryBefore, bytesBefore }: Figures,
  outcome: string,
) {
  const memory = await memoryMb(engine.pid);
  const bytes = await bytesOnDisk(engine.directory) - bytesBefore;
  const kibibytes = Math.round(bytes / 1024);
  const figures = `${kibibytes} KiB on disk, memory ${memoryBefore.toFixed()} to ${memory.toFixed()} MB`;
  console.log(`${name}: ${figures}; ${outcome}`);
  return { grownMb: memory - memoryBefore, bytes };
}

/** Kills an engine after attacks. It starts again, and trades. */
export async function startsAgain(engine: AttackedEngine, env: Record<string, string> = {}): Promise<void> {
  await engine.crash();
  const began = performance.now();
  const again = await startAttacked(env, engine.directory);
  console.log(`a restart after it: ${Math.round(performance.now() - began)} ms`);
  const client = await new LoadClient(again.webSocketUrl, LATER).welcomed();
  expect((await client.request("order.submit", restingBuy(), "after the attack"))?.status).toBe("ok");
  client.close();
}
