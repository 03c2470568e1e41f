// Which clock a new market begins with, and how that of a former one changes, by what the command line asks for.

import { describe, expect, test } from "bun:test";
import { UsageError } from "../../../common/command-line.ts";
import { AS_IT_WAS, changeOfClock, clockOfNewMarket, type StartClock } from "../../../engine/server/start-clock.ts";
import type { ClockSetting } from "../../../protocol/index.ts";

const [REAL_NOW, START] = [1_000_000, 5_000_000];
const REAL: ClockSetting = { mode: "real", speed: 1 };
const LOCKSTEP: ClockSetting = { mode: "lockstep", speed: 0 };
const fast = (speed: number): ClockSetting => ({ mode: "fast", speed });

describe("a new market", () => {
  test.each<[Partial<StartClock>, ClockSetting, number]>([
    [{}, REAL, REAL_NOW],
    [{ speed: 1 }, REAL, REAL_NOW],
    [{ speed: 60 }, fast(60), REAL_NOW],
    [{ speed: 0.5 }, fast(0.5), REAL_NOW],
    [{ start: START }, fast(1), START],
    [{ start: START, speed: 1 }, fast(1), START],
    [{ start: START, speed: 60 }, fast(60), START],
    [{ start: 0 }, fast(1), 0],
    [{ lockstep: true }, LOCKSTEP, REAL_NOW],
    [{ lockstep: true, start: START }, LOCKSTEP, START],
    [{ lockstep: true, speed: 60 }, LOCKSTEP, REAL_NOW],
  ])("asked for %o has the clock %o and begins at %p", (asked, clock, startedAt) => {
    expect(clockOfNewMarket({ ...AS_IT_WAS, ...asked }, REAL_NOW)).toEqual({ clock, startedAt });
  });
});

describe("a former market", () => {
  test.each<[ClockSetting, Partial<StartClock>, ClockSetting | null]>([
    [REAL, {}, null],
    [fast(60), {}, null],
    [LOCKSTEP, {}, null],
    [REAL, { start: START }, null],
    [REAL, { speed: 1 }, null],
    [REAL, { speed: 2 }, fast(2)],
    [fast(60), { speed: 60 }, null],
    [fast(60), { speed: 1 }, fast(1)],
    [fast(60), { speed: 30, start: START }, fast(30)],
    [LOCKSTEP, { speed: 60 }, fast(60)],
    [REAL, { lockstep: true }, LOCKSTEP],
    [fast(60), { lockstep: true, speed: 60 }, LOCKSTEP],
    [LOCKSTEP, { lockstep: true }, null],
    [LOCKSTEP, { lockstep: true, speed: 60 }, null],
  ])("with the clock %o that is asked for %o changes it to %o", (clock, asked, change) => {
    expect(changeOfClock({ ...AS_IT_WAS, ...asked }, { clock, now: START }, "DIR")).toEqual(change);
  });

  test.each([START - 1, START + 1, 0])("is refused at another time than its own: %d", (start) => {
    const at = () => changeOfClock({ ...AS_IT_WAS, start, lockstep: true }, { clock: LOCKSTEP, now: START }, "DIR");
    expect(at).toThrow(UsageError);
    expect(at).toThrow("DIR holds a market that stands at 1970-01-01T01:23:20.000Z; leave out --start to continue");
  });
});
