import { describe, expect, test } from "bun:test";
import { type Logger, logger } from "../../../common/logger.ts";
import type { MarketDefinition } from "../../../sim/definition/market-definition.ts";
import { WEEKDAYS } from "../../../sim/definition/market-definition.ts";
import { EngineClock } from "../../../sim/server/host/engine-clock.ts";
import type { Timers } from "../../../common/timers.ts";
import { DeadlineTimer } from "../../../sim/server/host/deadline-timer.ts";
import { BUYER, connect, restingBuy, serveTestEngine, VIEWER } from "./harness.ts";
import { until } from "../../support/until.ts";
import { atEnd } from "../../support/at-end.ts";

/** A clock that begins at a moment and runs as the real one does, until the test moves it. */
function clockFrom(time: string) {
  let offset = Date.parse(time) - Date.now();
  return { now: () => Date.now() + offset, move: (milliseconds: number) => void (offset += milliseconds) };
}

/** A market in UTC that opens at 09:00 and closes at 17:00. */
function withSessions(definition: MarketDefinition): MarketDefinition {
  const schedule = { days: [...WEEKDAYS], preopen: "08:00", open: "09:00", close: "17:00" };
  return { ...definition, markets: definition.markets.map((market) => ({ ...market, timezone: "UTC", schedule })) };
}

const statuses = (client: Awaited<ReturnType<typeof connect>>) =>
  client.events.flatMap(({ type, data }) => type === "change.market" ? [data["status"]] : []);

describe("the schedule", () => {
  test("is driven by a timer: a session begins though nobody asks, and nobody is there", async () => {
    const engine = serveTestEngine({ now: clockFrom("2026-03-02T08:59:59.900Z").now }, withSessions);
    await until(() => engine.engine.sequence > engine.epoch, "the open");
    const client = await connect(engine, VIEWER, { resume: { epoch: engine.epoch, sequence: engine.epoch } });
    await client.until(() => statuses(client).length > 0, "the open");
    expect(statuses(client)).toEqual(["open"]);
  });

  test("comes before a request that arrives after it, though the timer has not fired yet", async () => {
    const clock = clockFrom("2026-03-02T16:00:00Z");
    const engine = serveTestEngine({ now: clock.now }, withSessions);
    const [client, watcher] = [await connect(engine, BUYER), await connect(engine, VIEWER)];
    clock.move(2 * 3_600_000);
    const response = await client.request("order.submit", restingBuy(engine.contractId));
    expect(response).toMatchObject({ status: "rejected", code: "market_closed" });
    await watcher.settled();
    expect(statuses(watcher)).toEqual(["closed"]);
  });

  test("comes before the snapshot of a connection made after it", async () => {
    const clock = clockFrom("2026-03-02T16:00:00Z");
    const engine = serveTestEngine({ now: clock.now }, withSessions);
    clock.move(2 * 3_600_000);
    const client = await connect(engine, VIEWER);
    expect(client.states.find(({ statePath }) => statePath.startsWith("/MARKET/"))?.state?.["status"]).toBe("closed");
  });

  test("never goes back, though the clock does", async () => {
    const clock = clockFrom("2026-03-02T12:00:00Z");
    const engine = serveTestEngine({ now: clock.now }, withSessions);
    const client = await connect(engine, BUYER);
    await client.request("order.submit", restingBuy(engine.contractId));
    clock.move(-6 * 3_600_000);
    const response = await client.request("order.submit", restingBuy(engine.contractId));
    expect(response.status).toBe("ok");
    await client.settled();
    const times = client.messages.flatMap((message) => "time" in message ? [message.time] : []);
    expect(times).toEqual(times.toSorted());
  });
});

/** Timers that fire as a test lets time pass for the process; the clock is set apart from it. */
class SteppedTimers implements Timers {
  processTime = 0;
  readonly #waits = new Set<{ readonly due: number; readonly task: () => void }>();

  after(waitMs: number, task: () => void): () => void {
    const wait = { due: this.processTime + waitMs, task };
    this.#waits.add(wait);
    return () => void this.#waits.delete(wait);
  }

  pass(milliseconds: number): void {
    const until = this.processTime + milliseconds;
    for (;;) {
      const [next] = [...this.#waits].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due);
      if (next === undefined) break;
      this.#waits.delete(next);
      this.processTime = next.due;
      next.task();
    }
    this.processTime = until;
  }
}

describe("a clock that does not run as the process does", () => {
  const START = Date.parse("2026-03-02T08:00:00Z");
  const OPEN = Date.parse("2026-03-02T09:00:00Z");

  function timerFor(deadline: number) {
    const timers = new SteppedTimers();
    const clock = { offset: START };
    const wokenAt: number[] = [];
    const now = () => timers.processTime + clock.offset;
    const timer = new DeadlineTimer(now, () => wokenAt.push(now()), timers);
    timer.set(deadline);
    return { timers, clock, wokenAt };
  }

  test("meets a deadline within half a second after a suspension that it fell into", () => {
    const { timers, clock, wokenAt } = timerFor(OPEN);
    timers.pass(10_000);
    clock.offset += OPEN - START;
    timers.pass(500);
    expect(wokenAt).toHaveLength(1);
    expect(wokenAt[0]).toBeLessThanOrEqual(OPEN + 10_500);
  });

  test("meets a deadline within half a second after a step forward over it", () => {
    const { timers, clock, wokenAt } = timerFor(OPEN);
    clock.offset += OPEN - START - 1000;
    timers.pass(999);
    expect(wokenAt).toEqual([]);
    timers.pass(1);
    expect(wokenAt).toEqual([OPEN]);
  });

  test("waits for the clock after a step back", () => {
    const { timers, clock, wokenAt } = timerFor(OPEN);
    clock.offset -= 3_600_000;
    timers.pass(2 * 3_600_000 - 1);
    expect(wokenAt).toEqual([]);
    timers.pass(1);
    expect(wokenAt).toEqual([OPEN]);
  });

  test("meets a deadline to the millisecond while the clock runs evenly", () => {
    const { timers, wokenAt } = timerFor(START + 12_345);
    timers.pass(12_345);
    expect(wokenAt).toEqual([START + 12_345]);
  });

  test("opens a served market without a request after a step forward", async () => {
    const timers = new SteppedTimers();
    const clock = { offset: START };
    const now = () => timers.processTime + clock.offset;
    const engine = serveTestEngine({ now, timers }, withSessions);
    const client = await connect(engine, VIEWER);
    clock.offset = OPEN - timers.processTime;
    timers.pass(500);
    await client.until(() => statuses(client).length > 0, "the open");
    expect(statuses(client)).toEqual(["open"]);
  });

  test("stands still in engine time while it is set back, and the log says so once", () => {
    const told: string[] = [];
    const log = { ...logger("test"), warn: (text: string) => told.push(text), info: (text: string) => told.push(text) };
    const clock = { now: START };
    const engineClock = new EngineClock(() => clock.now, log as unknown as Logger);
    expect(engineClock.time()).toBe(START);
    clock.now = START - 1000;
    expect([engineClock.time(), told]).toEqual([START, []]);
    clock.now = START - 1001;
    expect([engineClock.time(), engineClock.time()]).toEqual([START, START]);
    expect(told).toHaveLength(1);
    expect(told[0]).toStartWith("the clock was set back");
    clock.now = START + 5;
    expect(engineClock.time()).toBe(START + 5);
    expect(told[1]).toStartWith("the clock has caught up");
  });
});

describe("a deadline timer", () => {
  test("waits for a deadline that is further off than a timer can wait", async () => {
    let woken = 0;
    const timer = new DeadlineTimer(() => 0, () => woken += 1);
    atEnd(() => timer.set(null));
    timer.set(2 ** 40);
    await Bun.sleep(20);
    expect(woken).toBe(0);
  });

  test("wakes at once for a deadline that has passed, and again when it is set anew", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let woken = 0;
    const timer: DeadlineTimer = new DeadlineTimer(() => 1000, () => {
      woken += 1;
      if (woken === 2) resolve();
      else timer.set(500);
    });
    timer.set(500);
    await promise;
    expect(woken).toBe(2);
  });

  test("wakes for the last deadline set, not for one before it", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let woken = 0;
    const timer = new DeadlineTimer(() => 0, () => woken += 1);
    timer.set(5);
    timer.set(null);
    setTimeout(resolve, 20);
    await promise;
    expect(woken).toBe(0);
  });
});
