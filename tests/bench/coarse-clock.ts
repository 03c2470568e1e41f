// A clock as some machines count processor time: in ticks of 10 ms. Each look at it takes 3 ms, so that a run shows as
// no time at all or as one tick, on every machine alike.

import type { Clock } from "../../bench/stopwatch.ts";

const TICK_NS = 10e6;
const LOOK_NS = 3e6;

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
