// A clock that counts in ticks of 10 ms, as some machines count processor time. Each reading takes 7 ms, so a run measures as
// zero or one tick on every machine.

import type { Clock } from "../../bench/stopwatch.ts";

const TICK_NS = 10e6;
const LOOK_NS = 7e6;

export function coarseClock(): Clock {
  let passedNs = 0;
  return {
    now() {
      passedNs += LOOK_NS;
      return Math.floor(passedNs / TICK_NS) * TICK_NS;
    },
    tickNs: TICK_NS,
  };
}
