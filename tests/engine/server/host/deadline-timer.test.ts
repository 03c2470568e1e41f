import { describe, expect, test } from "bun:test";
import { DeadlineTimer } from "../../../../engine/server/host/deadline-timer.ts";
import { atEnd } from "../../../support/at-end.ts";
import { SteppedTimers } from "./stepped-timers.ts";

describe("a deadline timer whose clock jumps", () => {
  const START = Date.parse("2026-03-02T08:00:00Z");
  const OPEN = Date.parse("2026-03-02T09:00:00Z");

  function timerFor(deadline: number) {
    const timers = new SteppedTimers();
    const clock = { offset: START };
    const wokenAt: number[] = [];
    const now = () => timers.processTime + clock.offset;
    const timer = new DeadlineTimer((time) => time - now(), () => wokenAt.push(now()), timers);
    timer.set(deadline);
    return { timers, clock, wokenAt };
  }

  test("fires within half a second after a suspension that spans the deadline", () => {
    const { timers, clock, wokenAt } = timerFor(OPEN);
    timers.pass(10_000);
    clock.offset += OPEN - START;
    timers.pass(500);
    expect(wokenAt).toHaveLength(1);
    expect(wokenAt[0]).toBeLessThanOrEqual(OPEN + 10_500);
  });

  test("fires within half a second after the clock steps past the deadline", () => {
    const { timers, clock, wokenAt } = timerFor(OPEN);
    clock.offset += OPEN - START - 1000;
    timers.pass(999);
    expect(wokenAt).toEqual([]);
    timers.pass(1);
    expect(wokenAt).toEqual([OPEN]);
  });

  test("waits for the clock after the clock steps back", () => {
    const { timers, clock, wokenAt } = timerFor(OPEN);
    clock.offset -= 3_600_000;
    timers.pass(2 * 3_600_000 - 1);
    expect(wokenAt).toEqual([]);
    timers.pass(1);
    expect(wokenAt).toEqual([OPEN]);
  });

  test("fires to the millisecond while the clock runs evenly", () => {
    const { timers, wokenAt } = timerFor(START + 12_345);
    timers.pass(12_345);
    expect(wokenAt).toEqual([START + 12_345]);
  });
});

describe("a deadline timer", () => {
  test.each([
    ["fires for the last deadline set, not for an earlier one", [5, null]],
    ["accepts a deadline beyond the range of the runtime's timers", [2 ** 40]],
  ])("%s", async (_, deadlines) => {
    let woken = 0;
    const timer = new DeadlineTimer((time) => time, () => woken += 1);
    atEnd(() => timer.set(null));
    for (const deadline of deadlines) timer.set(deadline);
    await Bun.sleep(20);
    expect(woken).toBe(0);
  });

  test("fires at once for a past deadline, and again when it is set again", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let woken = 0;
    const timer: DeadlineTimer = new DeadlineTimer((time) => time - 1000, () => {
      woken += 1;
      if (woken === 2) resolve();
      else timer.set(500);
    });
    timer.set(500);
    await promise;
    expect(woken).toBe(2);
  });
});
