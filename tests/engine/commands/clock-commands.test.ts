import { describe, expect, test } from "bun:test";
import { LOCKSTEP_CLOCK, MAX_ADVANCE_MS } from "../../../protocol/index.ts";
import { type Checked, EngineDriver } from "../support/engine-driver.ts";
import { START, USERS } from "../support/market.ts";

const { alpha, operator, publisher } = USERS;
const DAY_MS = 86_400_000;
const isoTime = (time: number) => new Date(time).toISOString();

/** A market whose clock runs apart from real time. */
function fastMarket(speed = 10): EngineDriver {
  const engine = new EngineDriver();
  engine.realNow = START + 365 * DAY_MS;
  expect(engine.execute(operator, "clock.set", { speed }).outcome).toBe("ok");
  return engine;
}

function lockstepMarket(): EngineDriver {
  const engine = new EngineDriver();
  engine.setClock(LOCKSTEP_CLOCK);
  return engine;
}

describe("clock.set", () => {
  test("changes the speed, with an event and an audit event", () => {
    const engine = new EngineDriver();
    const set = engine.execute(operator, "clock.set", { speed: 1000 });
    const clock = { mode: "fast", speed: 1000 };
    expect(set.result).toEqual({ clock, marketTime: isoTime(START) });
    expect(set.dataOf("change.clock")).toEqual([{ ...clock, engineTime: isoTime(START), userId: operator }]);
    expect(set.audited).toEqual(["clockSet"]);
    expect(engine.engine.clock).toEqual({ mode: "fast", speed: 1000 });
  });

  test("to the present speed succeeds and changes nothing", () => {
    const engine = new EngineDriver();
    const set = engine.execute(operator, "clock.set", { speed: 1 });
    expect([set.outcome, set.eventTypes, engine.engine.clock.mode]).toEqual(["ok", [], "real"]);
  });

  test("is refused in lockstep, to a user who neither operates the market nor publishes, and beyond 0.1 to 1000", () => {
    expect(lockstepMarket().execute(operator, "clock.set", { speed: 2 }).outcome).toBe("wrong_clock_mode");
    const engine = new EngineDriver();
    expect(engine.execute(alpha, "clock.set", { speed: 2 }).outcome).toBe("forbidden");
    expect(engine.execute(publisher, "clock.set", { speed: 2 }).outcome).toBe("ok");
    for (const speed of [0, 0.09, 1000.5, -1]) {
      expect(engine.execute(operator, "clock.set", { speed }).outcome).toBe("invalid_payload");
    }
  });
});

describe("a market whose clock runs apart from real time", () => {
  test("tells with each change of its clock the real time at which it came, and who asked for it", () => {
    const engine = fastMarket();
    engine.now += 5_000;
    engine.realNow = START + 366 * DAY_MS;
    const set = engine.execute(publisher, "clock.set", { speed: 20 });
    const clock = { mode: "fast", speed: 20, engineTime: isoTime(START + 366 * DAY_MS), userId: publisher };
    expect([set.dataOf("change.clock"), set.events[0]?.time]).toEqual([[clock], isoTime(engine.now)]);
    const changed = engine.setClock(LOCKSTEP_CLOCK);
    expect(changed.dataOf("change.clock")).toMatchObject([{ mode: "lockstep", userId: null }]);
    engine.realNow += 7;
    const advanced = engine.execute(operator, "clock.advance", { to: isoTime(engine.now + 1) });
    expect(advanced.dataOf("change.clock")).toMatchObject([
      { mode: "lockstep", engineTime: isoTime(START + 366 * DAY_MS + 7), userId: operator },
    ]);
  });

  test("stamps events, orders and audit events with market time", () => {
    const engine = fastMarket();
    engine.now += 5_000;
    const sent = engine.buy(alpha, { price: 5, quantity: 1 });
    expect(sent.events.map(({ time }) => time)).toEqual([isoTime(engine.now), isoTime(engine.now)]);
    expect(sent.order.createdAt).toBe(isoTime(engine.now));
    expect(engine.audit.at(-1)?.time).toBe(isoTime(engine.now));
  });

  test("judges validUntil by real time", () => {
    const engine = fastMarket();
    const order = { contractId: "N-H12", side: 0, price: 5, quantity: 1 };
    const real = engine.realNow ?? 0;
    expect(engine.send(alpha, "order.submit", order, "a", isoTime(engine.now + DAY_MS)).outcome).toBe("too_late");
    expect(engine.send(alpha, "order.submit", order, "b", isoTime(real)).outcome).toBe("ok");
    const late = engine.send(alpha, "order.submit", order, "c", isoTime(real - 1));
    expect([late.outcome, late.message]).toEqual(["too_late", expect.stringContaining(isoTime(real))]);
  });

  test("keeps an operation for 24 hours of real time, and gives its first answer after a market day", () => {
    const engine = fastMarket(1000);
    const submit = () =>
      engine.send(alpha, "order.submit", { contractId: "N-H12", side: 0, price: 5, quantity: 1 }, "again");
    const first = submit();
    engine.now += 7 * DAY_MS;
    engine.realNow = (engine.realNow ?? 0) + DAY_MS - 1;
    expect(submit().execution.response).toEqual(first.execution.response);
    engine.realNow += 1;
    // The contract has been delivered meanwhile, so it is a new request.
    expect(submit().outcome).not.toBe("ok");
  });

  test("goes on from a checkpoint with its clock and both times", () => {
    const engine = fastMarket(60);
    engine.now += 7;
    engine.buy(alpha, { price: 5, quantity: 1 });
    const restored = EngineDriver.restored(engine);
    expect(restored.engine.clock).toEqual({ mode: "fast", speed: 60 });
    expect([restored.engine.now, restored.engine.realNow]).toEqual([engine.engine.now, engine.engine.realNow]);
    expect([...restored.engine.checkpoint()]).toEqual([...engine.engine.checkpoint()]);
  });
});

test.each([
  ["fast", fastMarket, (engine: EngineDriver, to: string) => engine.advanceTo(to)],
  ["lockstep", lockstepMarket, (engine, to) => engine.execute(operator, "clock.advance", { to })],
] as [string, () => EngineDriver, (engine: EngineDriver, to: string) => Checked][])(
  "in mode %s each scheduled change comes at its own time, in order, and has no user, however late the call comes",
  (_mode, market, advance) => {
    const engine = market();
    engine.buy(alpha, { price: 5, quantity: 1 });
    const { events } = advance(engine, isoTime(START + 7 * DAY_MS));
    const delivery = engine.module("CONTRACT", "N-H12").deliveryStart;
    expect(events.find(({ type }) => type === "expire.order")?.time).toBe(delivery);
    const times = events.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
    const ofSchedule = engine.audit.filter(({ event }) => ["orderExpired", "contractExpired"].includes(event));
    expect(ofSchedule[0]?.time).toBe(delivery);
    expect(ofSchedule.every(({ userId }) => userId === null)).toBe(true);
    const expired = ofSchedule.filter(({ event }) => event === "contractExpired");
    expect(new Set(expired.map(({ time }) => time)).size).toBeGreaterThan(1);
    for (const { moduleId, time } of expired) expect(time).toBe(engine.module("CONTRACT", moduleId).deliveryStart);
  },
);

describe("clock.advance", () => {
  test("moves market time", () => {
    const engine = lockstepMarket();
    const to = START + 7 * DAY_MS;
    const advanced = engine.execute(operator, "clock.advance", { to: isoTime(to) });
    expect(advanced.result).toMatchObject({ marketTime: isoTime(to), clock: LOCKSTEP_CLOCK });
    expect(advanced.events.filter(({ type }) => type === "change.clock").map(({ time }) => time)).toEqual([
      isoTime(to),
    ]);
    expect(engine.engine.now).toBe(to);
  });

  test("to the present time succeeds and changes nothing", () => {
    const advanced = lockstepMarket().execute(operator, "clock.advance", { to: isoTime(START) });
    expect([advanced.outcome, advanced.eventTypes]).toEqual(["ok", []]);
  });

  test("is refused for an earlier time, for more than 31 days, and while time passes by itself", () => {
    const engine = lockstepMarket();
    const to = (time: number) => engine.execute(operator, "clock.advance", { to: isoTime(time) }).outcome;
    expect([to(START - 1), to(START + MAX_ADVANCE_MS + 1), to(START + MAX_ADVANCE_MS)]).toEqual([
      "invalid_time",
      "invalid_time",
      "ok",
    ]);
    const real = new EngineDriver();
    expect(real.execute(operator, "clock.advance", { to: isoTime(START + 1) }).outcome).toBe("wrong_clock_mode");
    expect(fastMarket().execute(operator, "clock.advance", { to: isoTime(START + 1) }).outcome).toBe(
      "wrong_clock_mode",
    );
  });
});
