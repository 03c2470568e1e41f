import { describe, expect, test } from "bun:test";
import { AdvanceResponses } from "../../../../engine/server/connections/advance-responses.ts";
import type { Subscriber } from "../../../../engine/server/publication/subscribers.ts";
import { SeededRandom } from "../../../../sim/random/seeded-random.ts";
import { SEED } from "../../../support/seed.ts";
import { startTestEngine } from "../../../support/engines.ts";
import { connect, OPERATOR, VIEWER } from "../harness.ts";
import { SteppedTimers } from "../host/stepped-timers.ts";

const DAY_MS = 86_400_000;
const START = Date.parse("2026-03-02T06:00:00Z");

describe("an engine in lockstep", () => {
  test("moves by at most 31 days at once, and ends no connection if far more is asked of it", async () => {
    const engine = await startTestEngine({ clock: { start: START, speed: null, lockstep: true } });
    const bystander = await connect(engine, VIEWER);
    const client = await connect(engine, OPERATOR);
    const move = (days: number) => ({ to: new Date(START + days * DAY_MS).toISOString() });
    client.send(Array.from({ length: 12 }, (_, at) => ({
      kind: "request",
      requestId: `move-${at}`,
      operationId: `move-${at}`,
      action: "clock.advance",
      payload: move(30 * (at + 1)),
    })));
    const statuses: (string | undefined)[] = [];
    for (let at = 0; at < 12; at++) {
      const { status, code, result } = await client.response(`move-${at}`);
      statuses.push(code ?? status);
      if (status === "rejected") expect(result).toEqual({ retryAfterMs: 1000 });
    }
    expect(statuses).toEqual(["ok", ...Array(11).fill("rate_limited")]);
    expect(await client.request("clock.advance", move(60))).toMatchObject({ status: "ok" });
    await bystander.settled();
    expect([client.closed, bystander.closed]).toEqual([null, null]);
    expect(bystander.events.findLast(({ type }) => type === "change.clock")?.time).toBe(move(60).to);
  });
});

/** Responses to moves of a clock whose real time the test lets pass. */
function manual() {
  const timers = new SteppedTimers();
  const queued = { characters: 0 };
  const advances = new AdvanceResponses({ timers, queuedCharacters: () => queued.characters });
  const responses: string[] = [];
  const subscriber = {
    user: { id: "u", entityId: null, permissions: new Set<string>() },
    cancelOnDisconnect: false,
    respond: (response) => void responses.push(response),
    deliver: () => true,
    cutOff: () => {},
  } satisfies Subscriber;
  return {
    queued,
    responses,
    /** Asks for a move, which is carried out unless it is refused. */
    ask: (name: string, days: number) => {
      const refusal = advances.refusal(days * DAY_MS);
      if (refusal !== null) return refusal;
      const to = advances.responseTo(subscriber, days * DAY_MS);
      advances.moved(days * DAY_MS);
      to.respond(name);
      return "moved";
    },
    pass: async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 10) {
        timers.pass(10);
        await Bun.sleep(0);
      }
    },
  };
}

describe("the response to a move of the clock", () => {
  test("is sent at once after a day at most, and otherwise once all connections have taken its messages", async () => {
    const { ask, pass, queued, responses } = manual();
    queued.characters = 5;
    expect([ask("a day", 1), responses]).toEqual(["moved", ["a day"]]);
    expect(ask("a week", 7)).toBe("moved");
    await pass(200);
    expect(responses).toEqual(["a day"]);
    queued.characters = 0;
    await pass(50);
    expect(responses).toEqual(["a day", "a week"]);
  });

  test("waits a second at most for a connection that takes nothing", async () => {
    const { ask, pass, queued, responses } = manual();
    queued.characters = 5;
    ask("a month", 31);
    await pass(900);
    expect([responses, ask("more", 1)]).toEqual([[], expect.stringContaining("31 days at once")]);
    await pass(200);
    expect(responses).toEqual(["a month"]);
    expect(ask("more", 1)).toBe("moved");
  });

  test("is never a refusal for a client that waits for each response", async () => {
    const random = new SeededRandom(SEED);
    const { ask, pass, queued, responses } = manual();
    for (let step = 0; step < 200; step++) {
      queued.characters = random.integer(0, 1);
      const days = random.next() < 0.5 ? random.next() : random.integer(1, 31);
      expect(ask(`${step}`, days)).toBe("moved");
      while (responses.length === step) await pass(10);
    }
  });
});

test.each([true, false])(
  "a held response to a connection that keeps up (%p) ends it only if it does not",
  async (keepsUp) => {
    const done: string[] = [];
    const subscriber = {
      user: { id: "anna" },
      cancelOnDisconnect: true,
      respond: (response: string) => void done.push(response),
      deliver: () => (done.push("deliver"), keepsUp),
      cutOff: () => void done.push("cut off"),
    } as unknown as Subscriber;
    const responses = new AdvanceResponses({ timers: new SteppedTimers(), queuedCharacters: () => 0 });
    expect(responses.responseTo(subscriber, 1)).toBe(subscriber);
    const settled = Promise.withResolvers<void>();
    responses.hold(() => settled.promise);
    const held = responses.responseTo(subscriber, 1);
    expect([held.user, held.cancelOnDisconnect]).toEqual([subscriber.user, false]);
    held.respond("response");
    await new Promise(setImmediate);
    expect(done).toEqual([]);
    settled.resolve();
    await new Promise(setImmediate);
    expect(done).toEqual(["response", "deliver", ...(keepsUp ? [] : ["cut off"])]);
  },
);
