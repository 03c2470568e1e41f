import { describe, expect, test } from "bun:test";
import type { Logger } from "../../../../common/logger.ts";
import { EngineClock } from "../../../../engine/server/host/engine-clock.ts";

const START = 1_000_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

function clock({ latest, maxJumpMs }: { readonly latest?: number; readonly maxJumpMs?: number } = {}) {
  const wall = { time: START };
  let passed = 0;
  const lines: string[] = [];
  const note = (line: string, facts: Readonly<Record<string, unknown>> = {}) =>
    void lines.push(line.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(facts[name])));
  const log = { info: note, warn: note, error: note } as unknown as Logger;
  const engineClock = new EngineClock({ now: () => wall.time, steadyNow: () => passed, maxJumpMs, log, latest });
  /** Engine time after `ms` more, if the clock is set by `stepMs` meanwhile; relative to the start. */
  const after = (ms: number, stepMs = 0) => {
    passed += ms;
    wall.time += ms + stepMs;
    return engineClock.time() - START;
  };
  engineClock.time();
  return { after, lines, engineClock };
}

describe("engine time", () => {
  test("follows the clock, and stops while the clock is behind", () => {
    const { after } = clock();
    expect([after(0), after(1), after(0, -100_000), after(0, 100_000), after(1)]).toEqual([0, 1, 1, 1, 2]);
  });

  test("continues after a restart from the time before it", () => {
    const { after } = clock({ latest: START + 1000 });
    expect([after(0), after(999), after(2)]).toEqual([1000, 1000, 1001]);
  });

  test("never goes back, also while it waits for a clock that was set back and then jumps", () => {
    const { after } = clock({ latest: START + 10_000, maxJumpMs: MINUTE_MS });
    expect([after(1000), after(1000, -DAY_MS), after(7000), after(1000), after(1)]).toEqual([
      10_000,
      10_000,
      10_000,
      10_000,
      10_001,
    ]);
  });

  test("follows a start at whatever time", () => {
    const { after, lines } = clock({ latest: START - 30 * DAY_MS, maxJumpMs: MINUTE_MS });
    expect([after(0), lines]).toEqual([0, []]);
  });

  test("logs once that the clock was set back by more than a second, and once that it has caught up", () => {
    const { after, lines } = clock();
    after(0, -1000);
    expect(lines).toEqual([]);
    after(0, -4000);
    after(0, -999);
    expect(lines).toEqual([
      "the clock was set back by 5 s; engine time, sessions, deliveries and listings wait until 1970-01-01T00:16:40.000Z",
    ]);
    after(5998);
    expect(lines).toHaveLength(1);
    after(1);
    after(1);
    expect(lines.slice(1)).toEqual([expect.stringContaining("caught up")]);
    after(0, -10_000);
    expect(lines).toHaveLength(3);
  });

  test("follows any step without a limit, and logs one forward", () => {
    const { after, lines, engineClock } = clock();
    expect([after(10, 30 * DAY_MS), engineClock.jumpMs]).toEqual([10 + 30 * DAY_MS, 0]);
    expect(lines).toEqual([
      "the clock was set forward by 30 days, or the machine was suspended; engine time follows it",
    ]);
  });
});

describe("engine time with a limit on steps of the clock", () => {
  test.each([MINUTE_MS, -MINUTE_MS, 999, -999])("follows a step of %d ms", (stepMs) => {
    const { after, engineClock } = clock({ maxJumpMs: MINUTE_MS });
    expect([after(10, stepMs), engineClock.jumpMs]).toEqual([Math.max(0, 10 + stepMs), 0]);
    expect(after(2 * MINUTE_MS)).toBe(10 + stepMs + 2 * MINUTE_MS);
  });

  test.each([30 * DAY_MS, -30 * DAY_MS, MINUTE_MS + 1, -MINUTE_MS - 1])(
    "goes on without the clock after a jump of %d ms, until the clock is right again",
    (jumpMs) => {
      const { after, lines, engineClock } = clock({ maxJumpMs: MINUTE_MS });
      expect([after(1000), after(500, jumpMs), engineClock.jumpMs]).toEqual([1000, 1500, jumpMs]);
      expect([after(2 * DAY_MS), engineClock.jumpMs]).toEqual([2 * DAY_MS + 1500, jumpMs]);
      expect(lines).toEqual([expect.stringMatching(/has jumped (ahead|back) by .*trading stops.*mkt accept-clock\.$/)]);
      expect([after(500, -jumpMs), engineClock.jumpMs]).toEqual([2 * DAY_MS + 2000, 0]);
      expect(lines.slice(1)).toEqual([expect.stringContaining("the clock is right again")]);
    },
  );

  test("does not take a time service that slews the clock for a jump", () => {
    const { after, engineClock } = clock({ maxJumpMs: MINUTE_MS });
    for (let hour = 0; hour < 1000; hour++) after(3_600_000, 1800);
    expect([engineClock.jumpMs, after(0)]).toEqual([0, 1000 * 3_601_800]);
  });

  test("follows the clock again once an operator accepts it, and never goes back", () => {
    const ahead = clock({ maxJumpMs: MINUTE_MS });
    ahead.after(0, 2 * DAY_MS);
    expect([ahead.engineClock.accept(), ahead.engineClock.accept()]).toEqual([2 * DAY_MS, 0]);
    expect([ahead.after(5), ahead.engineClock.jumpMs]).toEqual([2 * DAY_MS + 5, 0]);
    const behind = clock({ maxJumpMs: MINUTE_MS });
    behind.after(0, -2 * DAY_MS);
    expect([behind.after(5), behind.engineClock.accept()]).toEqual([5, -2 * DAY_MS]);
    expect([behind.after(DAY_MS), behind.after(DAY_MS)]).toEqual([5, 5]);
    expect(behind.after(5)).toBe(10);
  });

  test("is not misled if the process stands still between its looks at the two clocks", () => {
    const wall = { time: START };
    let looks = 0;
    const steadyNow = () => {
      looks += 1;
      // The look at the machine's clock was an hour before this one.
      if (looks === 2) wall.time += 3_600_000;
      return looks < 2 ? 0 : 3_600_000;
    };
    const log = { warn: () => {}, error: () => {} } as unknown as Logger;
    const stopped = new EngineClock({ now: () => wall.time, steadyNow, maxJumpMs: MINUTE_MS, log });
    expect([stopped.time(), stopped.jumpMs]).toEqual([START + 3_600_000, 0]);
  });
});
