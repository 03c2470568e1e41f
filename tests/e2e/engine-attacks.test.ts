// Attacks on the engine's API by an authenticated client, on the compiled executable with a journal. Each prints its figures:
// bytes in the data directory, memory, the time of a restart, and what another client noticed meanwhile.
//
// The other client sends one order after another and must get every response. How long that takes depends on the machine, so
// no test measures it.

import { beforeEach, describe, expect, test } from "bun:test";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { PROTOCOL_VERSION } from "../../protocol/index.ts";
import { builtInMarket } from "../../sim/definition/built-in-market.ts";
import { contractsAt } from "../../sim/definition/listed-contracts.ts";
import { SqliteJournal } from "../../sim/journal/sqlite-journal.ts";
import { RawClient } from "../sim/server/raw-client.ts";
import { runMkt, type RunningEngineProcess, startEngineProcess } from "../support/executable.ts";
import { LoadClient } from "../support/load-client.ts";
import { size } from "../support/sizes.ts";
import { startProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const WITNESS = "summit-trader-1";
const ATTACKER = "riverbend-trader-1";
const LOOKER = "viewer";
/** Trades after the attack. */
const LATER = "heartland-trader-1";
const MARKER = "payload-that-must-not-stay";

let directory: string;
beforeEach(() => void (directory = temporaryDirectory()));

function start(env: Record<string, string> = {}): Promise<RunningEngineProcess> {
  return startEngineProcess({ args: ["--data", directory], env: { LOG_LEVEL: "error", ...env } });
}

const contractId = contractsAt(builtInMarket(), Date.now()).at(-1)?.id;

function order(price = 1000) {
  return { contractId, side: 0, price, quantity: 1 };
}

/** Bytes of all files in the data directory. */
async function bytesOnDisk(): Promise<number> {
  const files = (await readdir(directory, { recursive: true })).map((name) => stat(join(directory, name)));
  return (await Promise.all(files)).reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

async function isOnDisk(text: string): Promise<boolean> {
  for (const name of await readdir(directory, { recursive: true })) {
    const path = join(directory, name);
    if ((await stat(path)).isFile() && (await readFile(path)).includes(text)) return true;
  }
  return false;
}

/** Resident memory of a process, MB. */
async function memoryOf(pid: number): Promise<number> {
  const ps = startProcess(["ps", "-o", "rss=", "-p", String(pid)], { stdout: "pipe" });
  return Math.round(Number(await new Response(ps.stdout).text()) / 1024);
}

async function connectionsOf({ port }: RunningEngineProcess): Promise<number> {
  const health = await (await fetch(`http://127.0.0.1:${port}/health`)).json() as { connections: number };
  return health.connections;
}

interface AttackingMessage {
  readonly kind?: string;
  readonly requestId?: string;
  readonly code?: string;
  readonly status?: string;
}

/** A client that sends arbitrary text and keeps every message it receives except states and events. */
class Attacker {
  readonly messages: AttackingMessage[] = [];
  isClosed = false;
  readonly #socket: WebSocket;

  constructor(port: number) {
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
    this.#socket.onmessage = ({ data }) => {
      const messages: AttackingMessage[] = [JSON.parse(String(data))].flat();
      this.messages.push(...messages.filter(({ kind }) => kind !== undefined && kind !== "event"));
    };
    this.#socket.onclose = () => this.isClosed = true;
  }

  static async as(userId: string, port: number): Promise<Attacker> {
    const attacker = await new Attacker(port).hello(userId);
    await until(() => attacker.messages.some(({ kind }) => kind === "snapshotEnd"), "the snapshot");
    return attacker;
  }

  /** Resolves once the engine has answered the hello, also with a refusal. */
  async hello(userId: string): Promise<this> {
    await until(() => this.#socket.readyState === WebSocket.OPEN, "an open socket");
    this.send(JSON.stringify({ kind: "hello", protocol: PROTOCOL_VERSION, userId }));
    await until(() => this.messages.length > 0, "an answer to the hello");
    return this;
  }

  get responses(): AttackingMessage[] {
    return this.messages.filter(({ kind }) => kind === "response");
  }

  /** Number of responses by code; `ok` if a response has no code. */
  get codes(): Record<string, number> {
    const codes: Record<string, number> = {};
    for (const { code = "ok" } of this.responses) codes[code] = (codes[code] ?? 0) + 1;
    return codes;
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  async answered(count: number): Promise<void> {
    await until(() => this.responses.length >= count || this.isClosed, `${count} responses`);
  }

  close(): void {
    this.#socket.close();
  }
}

function request(requestId: string, payload: unknown, operationId = requestId): string {
  return JSON.stringify({ kind: "request", requestId, operationId, action: "order.submit", payload });
}

/** Sends one order after another until `work` has ended, and at least one. Each response must be ok. */
async function whileTrading<Result>({ port }: RunningEngineProcess, work: () => Promise<Result>) {
  const client = await new LoadClient(`ws://127.0.0.1:${port}/ws`, WITNESS).welcomed();
  let ended = false;
  let sent = 0;
  let answered = 0;
  const trading = (async () => {
    do {
      const response = await client.request("order.submit", order(900), `witness-${++sent}`);
      if (response?.status === "ok") answered += 1;
      await client.request("order.cancel", { orderId: Object(response?.result?.["order"]).id }, `cancel-${sent}`);
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

async function before(engine: RunningEngineProcess): Promise<Figures> {
  return { memoryBefore: await memoryOf(engine.pid), bytesBefore: await bytesOnDisk() };
}

/** Prints an attack's figures, kills the engine and restarts it. Returns the attack's memory (MB) and disk (bytes) use. */
async function settle(
  name: string,
  engine: RunningEngineProcess,
  { memoryBefore, bytesBefore }: Figures,
  told: string,
  env: Record<string, string> = {},
) {
  const memory = await memoryOf(engine.pid);
  const bytes = await bytesOnDisk() - bytesBefore;
  engine.kill("SIGKILL");
  await engine.exited;
  const began = performance.now();
  const again = await start(env);
  const restartMs = Math.round(performance.now() - began);
  const figures = `${
    Math.round(bytes / 1024)
  } KiB on disk, memory ${memoryBefore} to ${memory} MB, restart ${restartMs} ms`;
  console.log(`${name}: ${figures}; ${told}`);
  const client = await new LoadClient(again.webSocketUrl, LATER).welcomed();
  expect((await client.request("order.submit", order(), "after the attack"))?.status).toBe("ok");
  client.close();
  return { grownMb: memory - memoryBefore, bytes };
}

describe("an attack on a journalled engine", () => {
  const FRAMES = size(10, 200);
  test(
    `with ${FRAMES} frames of 800 kB of nested arrays stores nothing, and each request has one response`,
    async () => {
      const engine = await start();
      const figures = await before(engine);
      const deep = "[".repeat(400_000) + "]".repeat(400_000);
      const { result: attacker, noticed } = await whileTrading(engine, async () => {
        const attacker = await Attacker.as(ATTACKER, engine.port);
        for (let count = 0; count < FRAMES && !attacker.isClosed; count++) {
          attacker.send(request(String(count), [MARKER, "?"]).replace('"?"', deep));
          await attacker.answered(count + 1);
        }
        return attacker;
      });
      const { codes, isClosed } = attacker;
      const ids = attacker.responses.map(({ requestId }) => requestId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(codes["ok"]).toBeUndefined();
      expect(isClosed || ids.length === FRAMES).toBe(true);
      expect(await isOnDisk(MARKER)).toBe(false);
      const { bytes } = await settle("deep frames", engine, figures, `${JSON.stringify(codes)}, ${noticed}`);
      expect(bytes).toBeLessThan(8 << 20);
    },
    240_000,
  );

  const WIDE = size(20, 400);
  test(`with ${WIDE} frames of 300,000 values, or of 9,000 wrong ones, stores nothing`, async () => {
    const engine = await start();
    const figures = await before(engine);
    const { result: attacker, noticed } = await whileTrading(engine, async () => {
      const attacker = await Attacker.as(ATTACKER, engine.port);
      for (let count = 0; count < WIDE && !attacker.isClosed; count++) {
        const values = Array(count % 2 === 0 ? 300_000 : 9_000).fill(0);
        const text = JSON.stringify({ prices: values, [MARKER]: MARKER });
        const message = {
          kind: "request",
          requestId: String(count),
          operationId: String(count),
          action: "spot.publish",
        };
        attacker.send(JSON.stringify({ ...message, payload: "?" }).replace('"?"', text));
        await attacker.answered(count + 1);
      }
      return attacker;
    });
    expect(attacker.codes["ok"]).toBeUndefined();
    expect(attacker.isClosed || attacker.responses.length === WIDE).toBe(true);
    expect(await isOnDisk(MARKER)).toBe(false);
    const told = `${JSON.stringify(attacker.codes)}, ${noticed}`;
    const { bytes } = await settle("frames of many values", engine, figures, told);
    expect(bytes).toBeLessThan(8 << 20);
  }, 240_000);

  const REFUSED = size(3_000, 100_000);
  /** In short runs so low that the slowest machine exceeds it. */
  const REFUSAL_RATE = { MKT_ENGINE_MAX_REFUSALS_PER_SECOND: String(size(50, 500)) };
  test(
    `with ${REFUSED} requests of a user without permissions fills no disk and stores no payload`,
    async () => {
      const engine = await start(REFUSAL_RATE);
      const figures = await before(engine);
      const { result: codes, noticed } = await whileTrading(engine, async () => {
        const codes: Record<string, number> = {};
        let attacker = await Attacker.as(LOOKER, engine.port);
        const payload = { ...order(), clientOrderId: `${MARKER}-${"x".repeat(150)}`, extra: MARKER.repeat(100) };
        for (let sent = 0; sent < REFUSED;) {
          const batch = Array.from({ length: 250 }, () => request(String(sent++), payload));
          attacker.send(`[${batch.join()}]`);
          await attacker.answered(attacker.responses.length + 1);
          if (attacker.responses.length < 5_000 && !attacker.isClosed) continue;
          for (const [code, count] of Object.entries(attacker.codes)) codes[code] = (codes[code] ?? 0) + count;
          attacker.close();
          attacker = await admitted(LOOKER, engine.port);
        }
        for (const [code, count] of Object.entries(attacker.codes)) codes[code] = (codes[code] ?? 0) + count;
        return codes;
      });
      expect(codes["ok"]).toBeUndefined();
      expect(codes["rate_limited"]).toBeGreaterThan(0);
      expect(await isOnDisk(MARKER)).toBe(false);
      const { bytes, grownMb } = await settle(
        "refused requests",
        engine,
        figures,
        `${JSON.stringify(codes)}, ${noticed}`,
      );
      expect(bytes).toBeLessThan(64 << 20);
      expect(grownMb).toBeLessThan(300);
    },
    240_000,
  );

  const FLOOD = size(25, 400);
  /** So low that the flood far exceeds it on the slowest machine. */
  const FLOODED_RATE = { MKT_ENGINE_MAX_REQUESTS_PER_SECOND: "200" };
  test(`with ${FLOOD} frames of 1,000 requests disconnects the flooder and nobody else`, async () => {
    const engine = await start(FLOODED_RATE);
    const figures = await before(engine);
    const { result: attacker, noticed } = await whileTrading(engine, async () => {
      const attacker = await Attacker.as(ATTACKER, engine.port);
      for (let frame = 0; frame < FLOOD && !attacker.isClosed; frame++) {
        const batch = Array.from({ length: 1000 }, (_, at) => request(`${frame}-${at}`, order(), "one operation"));
        attacker.send(`[${batch.join()}]`);
        await attacker.answered((frame + 1) * 1000);
      }
      return attacker;
    });
    const ids = attacker.responses.map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(attacker.isClosed).toBe(true);
    expect(attacker.messages.at(-1)).toMatchObject({ kind: "refused", code: "rate_limited" });
    const told = `cut off after ${JSON.stringify(attacker.codes)}, ${noticed}`;
    const { bytes } = await settle("flood", engine, figures, told);
    expect(bytes).toBeLessThan(16 << 20);
  }, 240_000);

  test("with a frame of requests among broken messages gets one response for each request", async () => {
    const engine = await start();
    const { result: attacker } = await whileTrading(engine, async () => {
      const attacker = await Attacker.as(ATTACKER, engine.port);
      const broken = ["7", "null", '{"kind":"request"}', '{"kind":"nonsense"}', '{"__proto__":{"kind":"ping"}}'];
      const requests = ["a", "b", "b", "c"].map((id) => request(id, order(), `operation-${id}`));
      attacker.send(`[${requests.flatMap((text, at) => [text, broken[at] ?? "1"]).join()}]`);
      await until(() => attacker.isClosed, "the end of its connection");
      return attacker;
    });
    expect(attacker.responses.map(({ requestId }) => requestId)).toEqual(["a", "b", "b", "c"]);
    expect(attacker.codes).toEqual({ ok: 4 });
    expect(attacker.messages.at(-1)).toMatchObject({ kind: "refused", code: "invalid_message" });
  }, 60_000);

  test("with too many connections is refused, and existing connections stay", async () => {
    const engine = await start({ MKT_ENGINE_MAX_CONNECTIONS: "30", MKT_ENGINE_MAX_CONNECTIONS_PER_USER: "10" });
    const { noticed } = await whileTrading(engine, async () => {
      const own = await Promise.all(Array.from({ length: 10 }, () => Attacker.as(ATTACKER, engine.port)));
      const above = await new Attacker(engine.port).hello(ATTACKER);
      expect(above.messages).toMatchObject([{ kind: "refused", code: "too_many_connections" }]);
      const strangers = Array.from({ length: 40 }, () => new Attacker(engine.port));
      await until(() => strangers.filter(({ isClosed }) => isClosed).length >= 21, "the upgrades that are refused");
      for (const client of [...own, ...strangers]) client.close();
      await until(async () => await connectionsOf(engine) === 1, "the end of their connections");
      (await Attacker.as(ATTACKER, engine.port)).close();
    });
    console.log(`connections: 10 of a user and 30 in all held; ${noticed}`);
  }, 60_000);
});

describe("clients that never read", () => {
  const ORDERS = size(8_000, 50_000);
  const SILENT = size(20, 150);
  /** Longer than it takes to accept all of them. */
  const SNAPSHOT_SECONDS = size(4, 60);
  test(`${SILENT} of them take little memory in a market of ${ORDERS} orders, and are disconnected`, async () => {
    const env = {
      MKT_ENGINE_MAX_REQUESTS_PER_SECOND: "1000000",
      MKT_ENGINE_MAX_BYTES_PER_SECOND: String(1 << 30),
      MKT_ENGINE_MAX_SNAPSHOT_SECONDS: String(SNAPSHOT_SECONDS),
      MKT_ENGINE_MAX_OPEN_ORDERS_PER_USER: "100000",
      MKT_ENGINE_MAX_OPEN_ORDERS_PER_BOOK: "100000",
    };
    const engine = await start(env);
    const filler = await Attacker.as(ATTACKER, engine.port);
    for (let made = 0; made < ORDERS; made += 500) {
      const batch = Array.from(
        { length: 500 },
        (_, at) => request(`${made + at}-${"x".repeat(150)}`, order(500 + (made + at) % 100)),
      );
      filler.send(`[${batch.join()}]`);
      await filler.answered(made + 500);
    }
    expect(filler.codes).toEqual({ ok: ORDERS });
    filler.close();
    const figures = await before(engine);
    const { result: { peak, held }, noticed } = await whileTrading(engine, async () => {
      const silent = Array.from({ length: SILENT }, () => new RawClient(engine.port));
      for (const client of silent) {
        client.send({ kind: "hello", protocol: PROTOCOL_VERSION, userId: LOOKER });
        client.pause();
      }
      await until(async () => await connectionsOf(engine) === SILENT + 1, "their connections");
      let peak = 0;
      let held = Infinity;
      await until(async () => {
        const memory = await memoryOf(engine.pid);
        const connections = await connectionsOf(engine);
        peak = Math.max(peak, memory);
        if (connections === SILENT + 1) held = Math.min(held, memory);
        return connections === 1;
      }, "the end of their connections");
      return { peak, held };
    });
    const told =
      `${SILENT} clients that never read a market of ${ORDERS} orders: ${held} MB, at most ${peak} MB while ` +
      `their connections are made; ${noticed}`;
    await settle("silent clients", engine, figures, told, env);
    // Each connection holds a few frames. A whole snapshot for each would take gigabytes. The rest is garbage of frames that
    // the kernel has already taken.
    expect(held - figures.memoryBefore).toBeLessThan(150);
    expect(peak - figures.memoryBefore).toBeLessThan(800);
  }, 240_000);

  test("are disconnected as too slow in a busy market, and nobody else is", async () => {
    const engine = await start({ MKT_ENGINE_MAX_SEND_QUEUE_BYTES: "65536" });
    const figures = await before(engine);
    const { noticed } = await whileTrading(engine, async () => {
      const slow = Array.from({ length: 20 }, () => new RawClient(engine.port));
      for (const client of slow) client.send({ kind: "hello", protocol: PROTOCOL_VERSION, userId: LOOKER });
      await until(() => slow.every(({ messages }) => messages.some(isSnapshotEnd)), "their snapshots");
      for (const client of slow) client.pause();
      const busy = await Attacker.as(ATTACKER, engine.port);
      for (let round = 0; await connectionsOf(engine) > 2; round++) {
        const batch = Array.from({ length: 50 }, (_, at) => request(`${round}-${at}`, order(500 + round % 50)));
        busy.send(`[${batch.join()}]`);
        await busy.answered((round + 1) * 50);
        if (busy.isClosed || round > 2_000) throw new Error("slow readers were not cut off");
      }
      busy.close();
    });
    await settle("slow readers", engine, figures, `20 slow readers cut off; ${noticed}`);
  }, 240_000);
});

describe("a journal with a call on which the engine fails", () => {
  /** Adds a record that only a faulty program would have written. */
  function addRecord(call: Record<string, unknown>): void {
    const store = SqliteJournal.open(directory);
    const loaded = store.load();
    for (const _ of loaded?.records ?? []);
    store.append([{ number: (loaded?.lastNumber ?? 0) + 1, text: JSON.stringify(call) }]);
    store.sync();
    store.close();
  }

  test("stops the start with one line that names the record", async () => {
    await (await start()).stop();
    addRecord({ kind: "setConnected", userId: "nobody", connected: true, now: Date.now() });
    const { exitCode, stderr } = await runMkt(["engine", "--port", "0", "--data", directory], { LOG_LEVEL: "error" });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^mkt: journal: the engine fails on record \d+ \(setConnected\): [^\n]+\n$/);
  }, 60_000);

  test("marked as failed starts without the call, logs that, and answers a repeat with an error", async () => {
    await (await start()).stop();
    const call = { kind: "execute", userId: ATTACKER, operationId: "fatal", action: "order.submit" };
    addRecord({ kind: "failed", call, error: "an invariant is broken", now: Date.now() });
    const engine = await start({ LOG_LEVEL: "warn" });
    expect(engine.stderr()).toContain(`order.submit of user ${ATTACKER}, operation fatal`);
    const client = await new LoadClient(engine.webSocketUrl, ATTACKER).welcomed();
    expect(await client.request("order.submit", order(), "fatal")).toMatchObject({ status: "error", code: "internal" });
    expect((await client.request("order.submit", order(), "another"))?.status).toBe("ok");
    client.close();
  }, 60_000);
});

function isSnapshotEnd(message: object): boolean {
  return "kind" in message && message.kind === "snapshotEnd";
}

/** Connects again until the user's rate limit allows it. */
async function admitted(userId: string, port: number): Promise<Attacker> {
  for (;;) {
    const attacker = await new Attacker(port).hello(userId);
    if (!attacker.messages.some(({ code }) => code === "rate_limited")) return attacker;
    await Bun.sleep(20);
  }
}
