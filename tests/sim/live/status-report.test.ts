// The plan of a run, and its status as the control API tells it: each field, before, during and after the run.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { planRun } from "../../../sim/live/run-plan.ts";
import { spotPricesOf } from "../../../sim/live/spot-report.ts";
import { statusReport } from "../../../sim/live/status-report.ts";
import { contract } from "../personas/support.ts";

const NOON = Date.parse("2026-03-02T12:00:00Z");
const iso = (time: number) => new Date(time).toISOString();
const HOUR_MS = 3_600_000;
const marketTime = (speed: number | null = null, mode = "fast") => (
  { time: () => NOON + 60_000, setting: speed === null ? null : { mode, speed } as never }
);

const C = contract(0, { deliveryStart: NOON + HOUR_MS });
const D = contract(1, { deliveryStart: NOON });

/** A persona with a position of 2 MW in C and -1 MW in D. */
const persona = (id: string) => ({
  id,
  strategy: "zic",
  userId: `sim-${id}`,
  entityId: "A",
  fault: null,
  workingOrders: 9,
  counts: { orders: 3, changes: 2, cancels: 1, rejected: 4 },
  account: {
    cash: 0,
    volume: 3_000,
    trades: 5,
    holdings: [{ contract: C, position: 2_000 }, { contract: D, position: -1_000 }],
    profitAndLoss: (priceOf: (of: object) => number) => (priceOf(C) * 1_000 + priceOf(D)) * 6_000_000,
  },
  economics: { physicalResult: null, surplus: null, lossLimit: 7, stoppedUntil: NOON, stops: 2 },
});

function planned(book: object = { bestBid: 10, bestAsk: 20, lastPrice: null }) {
  const settled: unknown[] = [];
  const all = [persona("zic-1"), persona("zic-2")];
  const live = all.map((each, at) => ({
    persona: each,
    state: "trading",
    isConnected: at === 0,
    workingOrders: 6 + at,
  }));
  const figures: unknown[] = [];
  const figure = (value: number | null) => value === null ? { value, reason: "because" } : { value };
  return {
    settled,
    figures,
    planned: {
      plan: {
        clock: { time: () => NOON, startedAt: NOON - HOUR_MS },
        population: {
          personas: all,
          metrics: {
            trades: 8,
            volume: 4_000,
            figures: (time: number) => {
              figures.push(time);
              return {
                smithsAlpha: figure(1),
                allocativeEfficiency: figure(null),
                twoSidedBooks: figure(2),
                meanSpread: figure(3),
              };
            },
            bookSamples: { count: 11, until: NOON - 5 },
          },
        },
      },
      live: {
        personas: live,
        feed: { book: () => book },
        forecasts: { best: () => 33 },
        trades: { settle: (how: unknown) => settled.push(how) },
        nothingToTrade: "no market is open",
      },
    },
  };
}

const settings = { preset: "thin", seed: 7, personas: null, speed: 9 };

describe("the status of a simulation", () => {
  test("that was never started says so, and has the market's time and speed", () => {
    const report = statusReport("stopped", null, null, marketTime(5));
    expect(report).toEqual({
      status: "stopped",
      preset: null,
      seed: null,
      speed: 5,
      marketTime: iso(NOON + 60_000),
      startedAt: null,
      simulatedTime: null,
      failure: null,
      nothingToTrade: null,
      personas: [],
      totals: expect.objectContaining({ personas: 0, connected: 0, trades: 0, volumeMw: 0 }),
      metrics: { smithsAlpha: null, allocativeEfficiency: null, twoSidedBooks: null, meanSpread: null },
      reasons: {
        smithsAlpha: "no simulation has been started",
        allocativeEfficiency: "no simulation has been started",
        twoSidedBooks: "no simulation has been started",
        meanSpread: "no simulation has been started",
      },
      bookSamples: { count: 0, until: null },
    } as never);
    expect(statusReport("starting", "it failed", null, marketTime()).speed).toBe(1);
  });

  test("that runs has its personas, connected or not, their positions at their marks, and their totals", () => {
    const { planned: run, settled, figures } = planned();
    const report = statusReport(
      "running",
      null,
      { settings, planned: run, endedAt: null, endSpeed: null } as never,
      marketTime(5),
    );
    expect(report).toMatchObject({
      status: "running",
      preset: "thin",
      seed: 7,
      speed: 5,
      startedAt: iso(NOON - HOUR_MS),
      simulatedTime: iso(NOON),
      nothingToTrade: "no market is open",
      bookSamples: { count: 11, until: iso(NOON - 5) },
      metrics: { smithsAlpha: 1, allocativeEfficiency: null, twoSidedBooks: 2, meanSpread: 3 },
      reasons: {
        allocativeEfficiency: "nobody trades by assignments",
        physicalResult: "nobody has a generating unit or a load to serve",
        surplus: "nobody trades by assignments",
      },
      // C by its book, D by the forecast, because its delivery has begun.
      marks: { book: 1, lastTrade: 0, forecast: 0, delivery: 1 },
      totals: {
        personas: 2,
        connected: 1,
        workingOrders: 13,
        orders: 6,
        cancels: 2,
        rejected: 8,
        trades: 8,
        volumeMw: 4,
        stoppedForLosses: 4,
      },
    });
    expect(report.totals).not.toHaveProperty("changes");
    expect(report.personas.map(({ id, state, connected, workingOrders }) => [id, state, connected, workingOrders]))
      .toEqual([["zic-1", "trading", true, 6], ["zic-2", "trading", false, 7]]);
    expect(report.personas[0]).toMatchObject({
      netPositionMw: 1,
      positions: [{ contractId: C.id, netPositionMw: 2 }, { contractId: D.id, netPositionMw: -1 }],
      profitAndLoss: 15_033,
      lossLimit: 7,
      stoppedUntil: iso(NOON),
    });
    expect([settled, figures]).toEqual([[{ isOver: false }], [NOON]]);
  });

  test("that has ended has the time and the speed of its end, and books every trade", () => {
    const { planned: run, settled, figures } = planned({ bestBid: null, bestAsk: 20, lastPrice: 12 });
    const ended = { settings, planned: run, endedAt: NOON - 1, endSpeed: 9 } as never;
    const report = statusReport("stopped", "it failed", ended, marketTime(5));
    expect(report).toMatchObject({
      speed: 9,
      simulatedTime: iso(NOON - 1),
      failure: "it failed",
      nothingToTrade: null,
      // Delivery of D had not begun then.
      marks: { book: 0, lastTrade: 2, forecast: 0, delivery: 0 },
    });
    expect([settled, figures]).toEqual([[{ isOver: true }], [NOON - 1]]);
    expect(statusReport("stopping", null, ended, marketTime(5)).nothingToTrade).toBeNull();
    expect(settled.at(-1)).toEqual({ isOver: false });
  });
});

describe("the plan of a run", () => {
  const market = builtInMarket();
  const personas = [{ strategy: "zic", count: 1 }];
  const plan = (speed: number | null, time: object, users = market.users, given: object[] = personas) =>
    planRun({ preset: "thin", personas: given, seed: 7, speed } as never, { ...market, users }, "run-", time as never);

  test("has the users, products, nodes and prices of its market, from its start on", () => {
    const made = plan(null, marketTime());
    expect(made).toMatchObject({
      idPrefix: "run-",
      nodes: ["NORTH", "WEST"],
      products: market.products,
      speed: null,
      watchingUserId: "simulator",
      publishingUserId: "simulator",
      clockUserId: "simulator",
    });
    expect([made.clock.startedAt, made.population.personas.length]).toEqual([NOON + 60_000, 1]);
    expect(made.prices.current("NORTH")).toEqual(spotPricesOf(market, 7, NOON + 60_000).current("NORTH"));
  });

  test.each<[number | null, object, number | null]>([
    [null, marketTime(5), null],
    [5, marketTime(5), null],
    [1, marketTime(), null],
    [6, marketTime(5), 6],
    [1, marketTime(5), 1],
  ])("sets the speed %p on a clock that has it or not", (speed, time, expected) => {
    expect(plan(speed, time).speed).toBe(expected);
  });

  const without = (...lost: string[]) =>
    market.users.map((user) => ({ ...user, permissions: user.permissions.filter((name) => !lost.includes(name)) }));

  test.each<[string, () => unknown]>([
    [
      "speed: the engine has no market clock, so its market runs in real time; leave speed out",
      () => plan(2, marketTime()),
    ],
    [
      "speed: market time stands still in lockstep, and clock.advance moves it; leave speed out",
      () => plan(2, marketTime(0, "lockstep")),
    ],
    [
      "speed: no user of the market holds Spot.Publish or Market.Operate, which setting the clock needs; leave speed out",
      () => plan(2, marketTime(5), without("Spot.Publish", "Market.Operate")),
    ],
    [
      "no user of the market holds Market.View, which watching it for the personas needs",
      () => plan(null, marketTime(), without("Market.View")),
    ],
    ["personas[0].entityId: ", () => plan(null, marketTime(), market.users, [{ ...personas[0], entityId: "NOBODY" }])],
  ])("is refused: %s", (message, make) => {
    expect(make).toThrow(
      expect.objectContaining({ code: "invalid_payload", message: expect.stringContaining(message) }),
    );
  });
});
