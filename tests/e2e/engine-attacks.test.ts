// Attacks on the engine's API by an authenticated client, on the compiled executable with a journal. Each prints its figures.

import { describe, expect, test } from "bun:test";
import { type RunningEngineProcess } from "../support/executable.ts";
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
