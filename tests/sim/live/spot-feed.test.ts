// When a run publishes spot prices, and how it sets and sets back the speed of market time, without an engine.

import { expect, test } from "bun:test";
import { RunSpeed } from "../../../sim/live/run-speed.ts";
import { SpotFeed } from "../../../sim/live/spot-feed.ts";
import * as users from "../../../sim/live/user-client.ts";
import { replaced } from "../../support/replaced.ts";

const STEP_MS = 300_000;
const START = Date.UTC(2026, 2, 2, 6, 1);
const point = (node: string, time = START) => ({ node, priceCents: 5, regime: "base", time });

function feed(
  settings: {
    readonly nodes?: string[];
    readonly isUp?: boolean;
    readonly pending?: number;
    readonly nobody?: boolean;
  } = {},
) {
  const { nodes = ["N", "W"], isUp = true, pending = 0, nobody = false } = settings;
  const [sent, waits, moved, steps]: [unknown[][], { ms: number; task: () => void }[], number[], number[]] = [
    [],
    [],
    [],
    [],
  ];
  const client = { isUp, pendingCount: pending, send: (...given: unknown[]) => sent.push(given) };
  const now = { time: START, points: [] as object[] };
  let answer = (_outcome: object) => {};
  const warnings: unknown[] = [];
  const spot = new SpotFeed({
    prices: {
      nodes: ["N", "W"],
      current: (node: string) => point(node),
      trigger: (request: object) => ({ ...request, type: "event" }),
      reprice: () => [point("W")],
    },
    clock: {
      time: () => now.time,
      after: (ms: number, task: () => void) => {
        const wait = { ms, task };
        waits.push(wait);
        return () => void waits.splice(waits.indexOf(wait), 1);
      },
    },
    population: { advanceSpotTo: (time: number) => (moved.push(time), { points: now.points.splice(0) }) },
    client: nobody ? null : {
      ...client,
      send: (action: string, input: object, ids: object, settle: typeof answer) => {
        answer = settle;
        client.send(action, input, ids);
      },
    },
    nodes,
    idPrefix: "run-",
    log: { warn: (_text: string, { reason }: { reason: unknown }) => warnings.push(reason) },
    onStep: () => void steps.push(now.time),
  } as never);
  const prices = () =>
    sent.splice(0).map(([action, input, ids]) => [action, (input as { prices: object[] }).prices.length, ids]);
  return { spot, sent, waits, moved, steps, now, prices, answer: (outcome: object) => answer(outcome), warnings };
}

test("prices are published at the start, and at each whole five minutes of market time", () => {
  const { spot, waits, moved, steps, now, prices, sent } = feed();
  spot.begin();
  expect(sent[0]).toEqual(["spot.publish", {
    prices: ["N", "W"].map((node) => ({ node, price: 5, regime: "base", time: "2026-03-02T06:01:00.000Z" })),
  }, { operationId: "run-s1" }]);
  sent.length = 0;
  expect([waits.map(({ ms }) => ms), moved, steps]).toEqual([[STEP_MS - 60_000], [START], [START]]);
  now.time = START - 60_000 + STEP_MS;
  now.points.push(point("N"), point("W"), point("N"));
  waits.pop()!.task();
  expect(prices()).toEqual([["spot.publish", 3, { operationId: "run-s2" }]]);
  expect([waits.map(({ ms }) => ms), moved.at(-1), steps.at(-1)]).toEqual([[STEP_MS], now.time, now.time]);
  spot.end();
  expect(waits).toEqual([]);
});

test("no more is published while four requests are unanswered or there is no connection, of unknown nodes, or by nobody", () => {
  const published = (settings: Parameters<typeof feed>[0], count = 2) => {
    const { spot, prices, now, moved } = feed(settings);
    spot.begin();
    now.points.push(...Array.from({ length: count }, () => point("N")));
    spot.trigger({} as never);
    expect(moved).toHaveLength(2);
    return prices().map(([, length]) => length);
  };
  expect(published({})).toEqual([2, 2, 1]);
  expect(published({ pending: 3 })).toEqual([2, 2, 1]);
  for (const settings of [{ pending: 4 }, { isUp: false }, { nobody: true }, { nodes: [] }]) {
    expect(published(settings)).toEqual([]);
  }
  expect(published({ nodes: ["N"] })).toEqual([1, 2]);
  expect(published({}, 1_500)).toEqual([2, 1_000, 1]);
});

test("an operator's event acts at once, and a refusal of prices is logged", () => {
  const { spot, moved, warnings, answer } = feed();
  expect(spot.trigger({ node: "N" } as never)).toEqual({ node: "N", type: "event" } as never);
  expect(moved).toEqual([START]);
  for (const kind of ["ok", "timeout", "not_connected"]) answer({ kind });
  expect(warnings).toEqual([]);
  answer({ kind: "rejected", message: "not yours" });
  answer({ kind: "error", message: "broken" });
  expect(warnings).toEqual(["not yours", "broken"]);
});

/** The speeds that a run sets, and what the engine answers. */
function speeds(asked: number | null, outcome: () => object = () => ({ kind: "ok" })) {
  const [requests, closed, warnings]: [unknown[], number[], unknown[]] = [[], [], []];
  const clock = { speed: 3 };
  replaced(users, "userClient", (_access, { userId, listener }) => ({
    open: () => listener.synchronized(null as never),
    request: (action: string, { speed }: { speed: number }, { operationId }: { operationId: string }) => {
      requests.push([userId, action, speed, operationId]);
      const given = outcome();
      if ("kind" in given && given.kind === "ok") clock.speed = speed;
      return Promise.resolve(given);
    },
    close: () => Promise.resolve(void closed.push(1)),
  }));
  const log = { warn: (_text: string, { reason }: { reason: unknown }) => warnings.push(reason) };
  const plan = { speed: asked, clock, clockUserId: "op", idPrefix: "run-" };
  return { speed: new RunSpeed(plan as never, { log } as never), clock, requests, closed, warnings };
}

test("a run sets its speed and, once, the one before", async () => {
  const { speed, clock, requests, closed } = speeds(60);
  await speed.begin();
  expect(clock.speed).toBe(60);
  await speed.end();
  await speed.end();
  expect([clock.speed, closed.length, requests]).toEqual([3, 2, [
    ["op", "clock.set", 60, "run-clock-begin"],
    ["op", "clock.set", 3, "run-clock-end"],
  ]]);
});

test("a speed that somebody else has set meanwhile stays, and without a speed nothing is set", async () => {
  const changed = speeds(60);
  await changed.speed.begin();
  changed.clock.speed = 7;
  await changed.speed.end();
  expect([changed.clock.speed, changed.requests.length]).toEqual([7, 1]);
  const none = speeds(null);
  await none.speed.begin();
  await none.speed.end();
  expect(none.requests).toEqual([]);
});

test("an engine that refuses a speed ends the start, and the end tries again until it is set back", async () => {
  const answers = [{ kind: "rejected", message: "not yours" }, { kind: "timeout" }, { kind: "ok" }];
  const { speed, requests, warnings, closed } = speeds(60, () => answers.shift()!);
  await expect(speed.begin()).rejects.toThrow("the speed of market time can't be set to 60: not yours");
  await speed.end();
  expect(warnings).toEqual(["the speed of market time can't be set to 3: the engine gave no answer"]);
  await speed.end();
  await speed.end();
  expect([requests.length, warnings.length, closed.length]).toEqual([3, 1, 3]);
});
