// Attacks on the engine's API by an authenticated client, on the compiled executable with a journal. Each prints its figures.

import { describe, expect, test } from "bun:test";
import { type RunningEngineProcess } from "../support/executable.ts";
import { LONG, size } from "../support/sizes.ts";
import { until } from "../support/until.ts";
import { connectionsOf, isKind } from "../engine/server/harness.ts";
import { restingBuy } from "./support/built-in-market.ts";
import {
  type AttackedEngine,
  ATTACKER,
  Attacker,
  figuresOf,
  isOnDisk,
  LOOKER,
  MARKER,
  request,
  settle,
  startAttacked,
  startsAgain,
  whileTrading,
} from "./support/attack.ts";

interface Frames {
  readonly name: string;
  readonly frames: number;
  /** In each frame. */
  readonly requests?: number;
}

/** Sends frames until the engine disconnects, each after the responses to the last one. No request has two responses. */
async function attackWith(
  engine: AttackedEngine,
  { name, frames, requests = 1 }: Frames,
  frameOf: (frame: number) => string,
) {
  const figures = await figuresOf(engine);
  const { result: attacker, noticed } = await whileTrading(engine, async () => {
    const attacker = await Attacker.as(ATTACKER, engine);
    for (let frame = 0; frame < frames && !attacker.isClosed; frame++) {
      attacker.sendText(frameOf(frame));
      await attacker.answered((frame + 1) * requests);
    }
    return attacker;
  });
  const ids = attacker.responses.map(({ requestId }) => requestId);
  expect(new Set(ids).size).toBe(ids.length);
  const isStored = await isOnDisk(engine.directory, MARKER);
  const { bytes } = await settle(name, engine, figures, `${JSON.stringify(attacker.codes)}, ${noticed}`);
  return { attacker, isStored, bytes };
}

/** In short runs so low that the slowest machine exceeds it. */
const REFUSAL_RATE = { MKT_ENGINE_MAX_REFUSALS_PER_SECOND: String(size(50, 500)) };
const CONNECTIONS = { MKT_ENGINE_MAX_CONNECTIONS: "30", MKT_ENGINE_MAX_CONNECTIONS_PER_USER: "10" };
/** All but the flood attack this engine, one after another. */
const engine = await startAttacked({ ...REFUSAL_RATE, ...CONNECTIONS });

describe("an attack on a journalled engine", () => {
  const DEEP = size(3, 200);
  const WIDE = size(4, 400);
  const KINDS = `${DEEP} frames of 800 kB of nested arrays, and ${WIDE} of 300,000 values, or of 9,000 wrong ones`;
  test(`with ${KINDS}, stores nothing, and each request has one response`, async () => {
    const deep = "[".repeat(400_000) + "]".repeat(400_000);
    const { attacker, isStored, bytes } = await attackWith(
      engine,
      { name: "odd frames", frames: DEEP + WIDE },
      (frame) => {
        if (frame < DEEP) return request(String(frame), [MARKER, "?"]).replace('"?"', deep);
        const prices = Array(frame % 2 === 0 ? 300_000 : 9_000).fill(0);
        const ids = { requestId: String(frame), operationId: String(frame) };
        return JSON.stringify({
          kind: "request",
          ...ids,
          action: "spot.publish",
          payload: { prices, [MARKER]: MARKER },
        });
      },
    );
    expect(attacker.codes["ok"]).toBeUndefined();
    expect(attacker.isClosed || attacker.responses.length === DEEP + WIDE).toBe(true);
    expect(isStored).toBe(false);
    expect(bytes).toBeLessThan(8 << 20);
  });

  const REFUSED = size(1_000, 100_000);
  test(
    `with ${REFUSED} requests of a user without permissions fills no disk and stores no payload`,
    async () => {
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
      const outcome = `${JSON.stringify(codes)}, ${noticed}`;
      const { bytes, grownMb } = await settle("refused requests", engine, figures, outcome);
      expect(bytes).toBeLessThan(64 << 20);
      expect(grownMb).toBeLessThan(300);
    },
  );

  const FLOOD = size(10, 400);
  /** So low that the flood far exceeds it on the slowest machine. */
  const FLOODED_RATE = { MKT_ENGINE_MAX_REQUESTS_PER_SECOND: "200" };
  test.skipIf(!LONG)(`with ${FLOOD} frames of 1,000 requests disconnects the flooder and nobody else`, async () => {
    const flood = { name: "flood", frames: FLOOD, requests: 1000 };
    const flooded = await startAttacked(FLOODED_RATE);
    const { attacker, bytes } = await attackWith(flooded, flood, (frame) => {
      const batch = Array.from({ length: 1000 }, (_, at) => request(`${frame}-${at}`, restingBuy(), "one operation"));
      return `[${batch.join()}]`;
    });
    expect(attacker.isClosed).toBe(true);
    expect(attacker.messages.at(-1)).toMatchObject({ kind: "refused", code: "rate_limited" });
    expect(bytes).toBeLessThan(16 << 20);
    await startsAgain(flooded);
  });

  test("with too many connections is refused, and existing connections stay", async () => {
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
  });

  test("keeps a later start from nothing: the engine trades again", () => startsAgain(engine));
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
