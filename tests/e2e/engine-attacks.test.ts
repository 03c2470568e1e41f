// Attacks on the engine's API by an authenticated client, on the compiled executable with a journal. Each prints its figures.

import { describe, expect, test } from "bun:test";
import { SqliteJournal } from "../../engine/journal/sqlite-journal.ts";
import { runMkt, type RunningEngineProcess } from "../support/executable.ts";
import { LoadClient } from "../support/load-client.ts";
import { size } from "../support/sizes.ts";
import { until } from "../support/until.ts";
import { connectionsOf, isKind } from "../engine/server/harness.ts";
import { restingBuy } from "./support/built-in-market.ts";
import {
  ATTACKER,
  Attacker,
  figuresOf,
  isOnDisk,
  LOOKER,
  MARKER,
  request,
  settle,
  startAttacked,
  whileTrading,
} from "./support/attack.ts";

describe("an attack on a journalled engine", () => {
  const FRAMES = size(10, 200);
  test(
    `with ${FRAMES} frames of 800 kB of nested arrays stores nothing, and each request has one response`,
    async () => {
      const engine = await startAttacked();
      const figures = await figuresOf(engine);
      const deep = "[".repeat(400_000) + "]".repeat(400_000);
      const { result: attacker, noticed } = await whileTrading(engine, async () => {
        const attacker = await Attacker.as(ATTACKER, engine);
        for (let count = 0; count < FRAMES && !attacker.isClosed; count++) {
          attacker.sendText(request(String(count), [MARKER, "?"]).replace('"?"', deep));
          await attacker.answered(count + 1);
        }
        return attacker;
      });
      const { codes, isClosed } = attacker;
      const ids = attacker.responses.map(({ requestId }) => requestId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(codes["ok"]).toBeUndefined();
      expect(isClosed || ids.length === FRAMES).toBe(true);
      expect(await isOnDisk(engine.directory, MARKER)).toBe(false);
      const { bytes } = await settle("deep frames", engine, figures, `${JSON.stringify(codes)}, ${noticed}`);
      expect(bytes).toBeLessThan(8 << 20);
    },
    240_000,
  );

  const WIDE = size(20, 400);
  test(`with ${WIDE} frames of 300,000 values, or of 9,000 wrong ones, stores nothing`, async () => {
    const engine = await startAttacked();
    const figures = await figuresOf(engine);
    const { result: attacker, noticed } = await whileTrading(engine, async () => {
      const attacker = await Attacker.as(ATTACKER, engine);
      for (let count = 0; count < WIDE && !attacker.isClosed; count++) {
        const values = Array(count % 2 === 0 ? 300_000 : 9_000).fill(0);
        const text = JSON.stringify({ prices: values, [MARKER]: MARKER });
        const message = {
          kind: "request",
          requestId: String(count),
          operationId: String(count),
          action: "spot.publish",
        };
        attacker.sendText(JSON.stringify({ ...message, payload: "?" }).replace('"?"', text));
        await attacker.answered(count + 1);
      }
      return attacker;
    });
    expect(attacker.codes["ok"]).toBeUndefined();
    expect(attacker.isClosed || attacker.responses.length === WIDE).toBe(true);
    expect(await isOnDisk(engine.directory, MARKER)).toBe(false);
    const outcome = `${JSON.stringify(attacker.codes)}, ${noticed}`;
    const { bytes } = await settle("frames of many values", engine, figures, outcome);
    expect(bytes).toBeLessThan(8 << 20);
  }, 240_000);

  const REFUSED = size(3_000, 100_000);
  /** In short runs so low that the slowest machine exceeds it. */
  const REFUSAL_RATE = { MKT_ENGINE_MAX_REFUSALS_PER_SECOND: String(size(50, 500)) };
  test(
    `with ${REFUSED} requests of a user without permissions fills no disk and stores no payload`,
    async () => {
      const engine = await startAttacked(REFUSAL_RATE);
      const figures = await figuresOf(engine);
      const { result: codes, noticed } = await whileTrading(engine, async () => {
        const codes: Record<string, number> = {};
        let attacker = await Attacker.as(LOOKER, engine);
        const payload = { ...restingBuy(), clientOrderId: `${MARKER}-${"x".repeat(150)}`, extra: MARKER.repeat(100) };
        for (let sent = 0; sent < REFUSED;) {
          const batch = Array.from({ length: 250 }, () => request(String(sent++), payload));
          attacker.sendText(`[${batch.join()}]`);
          await attacker.answered(attacker.responses.length + 1);
          if (attacker.responses.length < 5_000 && !attacker.isClosed) continue;
          for (const [code, count] of Object.entries(attacker.codes)) codes[code] = (codes[code] ?? 0) + count;
          attacker.close();
          attacker = await admitted(LOOKER, engine);
        }
        for (const [code, count] of Object.entries(attacker.codes)) codes[code] = (codes[code] ?? 0) + count;
        return codes;
      });
      expect(codes["ok"]).toBeUndefined();
      expect(codes["rate_limited"]).toBeGreaterThan(0);
      expect(await isOnDisk(engine.directory, MARKER)).toBe(false);
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
    const engine = await startAttacked(FLOODED_RATE);
    const figures = await figuresOf(engine);
    const { result: attacker, noticed } = await whileTrading(engine, async () => {
      const attacker = await Attacker.as(ATTACKER, engine);
      for (let frame = 0; frame < FLOOD && !attacker.isClosed; frame++) {
        const batch = Array.from({ length: 1000 }, (_, at) => request(`${frame}-${at}`, restingBuy(), "one operation"));
        attacker.sendText(`[${batch.join()}]`);
        await attacker.answered((frame + 1) * 1000);
      }
      return attacker;
    });
    const ids = attacker.responses.map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(attacker.isClosed).toBe(true);
    expect(attacker.messages.at(-1)).toMatchObject({ kind: "refused", code: "rate_limited" });
    const outcome = `cut off after ${JSON.stringify(attacker.codes)}, ${noticed}`;
    const { bytes } = await settle("flood", engine, figures, outcome);
    expect(bytes).toBeLessThan(16 << 20);
  }, 240_000);

  test("with a frame of requests among broken messages gets one response for each request", async () => {
    const engine = await startAttacked();
    const { result: attacker } = await whileTrading(engine, async () => {
      const attacker = await Attacker.as(ATTACKER, engine);
      const broken = ["7", "null", '{"kind":"request"}', '{"kind":"nonsense"}', '{"__proto__":{"kind":"ping"}}'];
      const requests = ["a", "b", "b", "c"].map((id) => request(id, restingBuy(), `operation-${id}`));
      attacker.sendText(`[${requests.flatMap((text, at) => [text, broken[at] ?? "1"]).join()}]`);
      await until(() => attacker.isClosed, "the end of its connection");
      return attacker;
    });
    expect(attacker.responses.map(({ requestId }) => requestId)).toEqual(["a", "b", "b", "c"]);
    expect(attacker.codes).toEqual({ ok: 4 });
    expect(attacker.messages.at(-1)).toMatchObject({ kind: "refused", code: "invalid_message" });
  }, 60_000);

  test("with too many connections is refused, and existing connections stay", async () => {
    const engine = await startAttacked({ MKT_ENGINE_MAX_CONNECTIONS: "30", MKT_ENGINE_MAX_CONNECTIONS_PER_USER: "10" });
    const { noticed } = await whileTrading(engine, async () => {
      const own = await Promise.all(Array.from({ length: 10 }, () => Attacker.as(ATTACKER, engine)));
      const above = await new Attacker(engine.webSocketUrl).hello({ userId: ATTACKER });
      await above.ended();
      expect(above.messages).toMatchObject([{ kind: "refused", code: "too_many_connections" }]);
      const strangers = Array.from({ length: 40 }, () => new Attacker(engine.webSocketUrl));
      await until(() => strangers.filter(({ isClosed }) => isClosed).length >= 21, "the upgrades that are refused");
      for (const client of [...own, ...strangers]) client.close();
      await until(async () => await connectionsOf(engine) === 1, "the end of their connections");
      (await Attacker.as(ATTACKER, engine)).close();
    });
    console.log(`connections: 10 of a user and 30 in all held; ${noticed}`);
  }, 60_000);
});

describe("a journal with a call on which the engine fails", () => {
  /** Adds a record that only a faulty program would have written. */
  function addRecord(directory: string, call: Record<string, unknown>): void {
    const store = SqliteJournal.open(directory);
    const loaded = store.load();
    for (const _ of loaded?.records ?? []);
    store.append([{ number: (loaded?.lastNumber ?? 0) + 1, text: JSON.stringify(call) }]);
    store.sync();
    store.close();
  }

  test("stops the start with one line that names the record", async () => {
    const { directory, stop } = await startAttacked();
    await stop();
    addRecord(directory, { kind: "setConnected", userId: "nobody", connected: true, now: Date.now() });
    const { exitCode, stderr } = await runMkt(["engine", "--port", "0", "--data", directory], { LOG_LEVEL: "error" });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^mkt: journal: the engine fails on record \d+ \(setConnected\): [^\n]+\n$/);
  }, 60_000);

  test("marked as failed starts without the call, logs that, and answers a repeat with an error", async () => {
    const { directory, stop } = await startAttacked();
    await stop();
    const call = { kind: "execute", userId: ATTACKER, operationId: "fatal", action: "order.submit" };
    addRecord(directory, { kind: "failed", call, error: "an invariant is broken", now: Date.now() });
    const engine = await startAttacked({ LOG_LEVEL: "warn" }, directory);
    expect(engine.stderr()).toContain(`order.submit of user ${ATTACKER}, operation fatal`);
    const client = await new LoadClient(engine.webSocketUrl, ATTACKER).welcomed();
    expect(await client.request("order.submit", restingBuy(), "fatal")).toMatchObject({
      status: "error",
      code: "internal",
    });
    expect((await client.request("order.submit", restingBuy(), "another"))?.status).toBe("ok");
    client.close();
  }, 60_000);
});

/** Connects again until the user's rate limit allows it. */
async function admitted(userId: string, { webSocketUrl }: RunningEngineProcess): Promise<Attacker> {
  for (;;) {
    const attacker = await new Attacker(webSocketUrl).hello({ userId });
    await until(() => attacker.messages.length > 0, "an answer to the hello");
    if (!attacker.messages.some((message) => isKind(message, "refused") && message.code === "rate_limited")) {
      return attacker;
    }
    await Bun.sleep(20);
  }
}
