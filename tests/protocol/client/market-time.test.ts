import { expect, test } from "bun:test";
import type { ClockSetting } from "../../../protocol/index.ts";
import { MarketTime } from "../../../protocol/client/market-time.ts";

const REAL_START = Date.UTC(2030, 0, 1);
const MARKET_START = Date.UTC(2026, 2, 2);
const iso = (start: number, seconds: number) => new Date(start + seconds * 1000).toISOString();

const real: ClockSetting = { mode: "real", speed: 1 };
const lockstep: ClockSetting = { mode: "lockstep", speed: 0 };
const fast = (speed: number): ClockSetting => ({ mode: "fast", speed });

/** Seconds since the two starts. */
interface Times {
  readonly engine: number;
  readonly market: number;
}

const timesOf = ({ engine, market }: Times, clock: ClockSetting) => ({
  time: iso(REAL_START, engine),
  marketTime: iso(MARKET_START, market),
  clock: { ...clock },
});

/** An estimate of market time, at an engine time that the test sets, and the messages that it learns from. */
function estimate() {
  let now = REAL_START;
  const market = new MarketTime(() => now);
  return {
    market,
    welcome: (times: Times, clock: ClockSetting) =>
      market.learn({
        kind: "welcome",
        engineId: "engine",
        userId: "user",
        entityId: null,
        capabilities: [],
        epoch: 1,
        sequence: 1,
        ...timesOf(times, clock),
      }),
    pong: (times: Times, clock: ClockSetting) => market.learn({ kind: "pong", ...timesOf(times, clock) }),
    change: ({ engine, market: marketSeconds }: Times, clock: ClockSetting) =>
      market.learn({
        kind: "event",
        type: "change.clock",
        sequence: 1,
        time: iso(MARKET_START, marketSeconds),
        data: { ...clock, engineTime: iso(REAL_START, engine), userId: null },
      }),
    /** Seconds of market time. */
    at(engine: number): number {
      now = REAL_START + engine * 1000;
      return (market.time() - MARKET_START) / 1000;
    },
  };
}

test("market time is engine time before the engine is heard, and if it has no market clock", () => {
  const market = new MarketTime(() => REAL_START);
  expect([market.time(), market.setting]).toEqual([REAL_START, null]);
  market.learn({ kind: "pong", ...timesOf({ engine: 0, market: 0 }, fast(10)) });
  expect([market.time(), market.setting]).toEqual([MARKET_START, fast(10)]);
  market.learn({ kind: "pong", time: iso(REAL_START, 0) });
  expect([market.time(), market.setting]).toEqual([REAL_START, null]);
});

test.each(["welcome", "pong", "change"] as const)(
  "after a %s market time passes at the speed that it names",
  (kind) => {
    const estimated = estimate();
    estimated[kind]({ engine: 10, market: 100 }, fast(60));
    expect([estimated.at(10), estimated.at(12)]).toEqual([100, 220]);
    estimated[kind]({ engine: 12, market: 220 }, lockstep);
    expect([estimated.at(12), estimated.at(20), estimated.market.setting]).toEqual([220, 220, lockstep]);
    estimated[kind]({ engine: 20, market: 220 }, real);
    expect(estimated.at(21)).toBe((REAL_START - MARKET_START) / 1000 + 21);
  },
);

test("market time stands still as long as engine time is before that of the news", () => {
  const estimated = estimate();
  estimated.welcome({ engine: 10, market: 100 }, fast(60));
  expect([estimated.at(9), estimated.at(10)]).toEqual([100, 100]);
});

test.each(["welcome", "pong"] as const)(
  "a change of the clock that comes after a %s counts only if it is not older",
  (kind) => {
    const estimated = estimate();
    estimated[kind]({ engine: 10, market: 42 }, fast(2));
    // What a lost connection missed comes again: a speed of 10 from second 2 to 5, and of 2 since then.
    estimated.change({ engine: 2, market: 2 }, fast(10));
    expect([estimated.at(20), estimated.market.setting]).toEqual([62, fast(2)]);
    estimated.change({ engine: 5, market: 32 }, fast(2));
    expect([estimated.at(20), estimated.market.setting]).toEqual([62, fast(2)]);
    estimated.change({ engine: 10, market: 42 }, fast(4));
    expect([estimated.at(20), estimated.market.setting]).toEqual([82, fast(4)]);
    estimated.change({ engine: 20, market: 82 }, lockstep);
    expect([estimated.at(30), estimated.market.setting]).toEqual([82, lockstep]);
  },
);

test.each(["welcome", "pong"] as const)(
  "a %s counts even if it is older, since an engine's clock may be set back",
  (kind) => {
    const estimated = estimate();
    estimated.change({ engine: 20, market: 82 }, fast(4));
    estimated[kind]({ engine: 10, market: 42 }, fast(2));
    expect([estimated.at(12), estimated.market.setting]).toEqual([46, fast(2)]);
  },
);

test("other messages, and a change of the clock that can't be read, change nothing", () => {
  const estimated = estimate();
  estimated.welcome({ engine: 10, market: 42 }, fast(2));
  const data = { ...fast(10), engineTime: iso(REAL_START, 11), userId: null };
  const event = { kind: "event", sequence: 1, time: iso(MARKET_START, 44) } as const;
  estimated.market.learn({ ...event, type: "change.market", data });
  estimated.market.learn({ ...event, type: "change.clock", data: { ...data, mode: "backwards" } });
  estimated.market.learn({ statePath: "/MARKET/clock", state: null });
  expect([estimated.at(20), estimated.market.setting]).toEqual([62, fast(2)]);
});
