// Measures how long work takes, on a clock of any resolution.
//
// Some systems count processor time in ticks of 10 ms, so a single short run seems to take no time or a whole tick.
// Work is repeated until the clock has moved by many ticks, and the mean time of one run is returned. So a measured
// time is above zero on every machine.

import { threadClock } from "./thread-clock.ts";

export interface Clock {
  /** Nanoseconds from an arbitrary start. */
  readonly now: () => number;
  /** Smallest step of the clock, in nanoseconds. */
  readonly tickNs: number;
}

/** Minimum of a measured time, in ticks of its clock. */
const MIN_TICKS = 10;
/** With longer ticks than this, wall time is used, because measuring processor time would take very long. */
const MAX_PROCESSOR_TICK_NS = 1e6;
/** A clock without a step in this time is broken. */
const STANDSTILL_NS = 5e9;
const OBSERVED_TICKS = 3;

/** Measures the step of a clock over a few ticks. Throws if the clock does not advance. */
export function clockOf(now: () => number): Clock {
  let tickNs = Infinity;
  for (let tick = 0; tick < OBSERVED_TICKS; tick++) tickNs = Math.min(tickNs, nextStep(now));
  return { now, tickNs };
}

function nextStep(now: () => number): number {
  const [before, started] = [now(), Bun.nanoseconds()];
  for (;;) {
    const step = now() - before;
    if (step > 0) return step;
    if (Bun.nanoseconds() - started > STANDSTILL_NS) {
      throw new Error("the clock does not advance, so nothing can be measured");
    }
  }
}

let measuring: Clock | undefined;

/**
 * Processor time of this thread, which excludes other processes. Wall time if the system counts processor time too
 * coarsely.
 */
export function measuringClock(): Clock {
  if (measuring === undefined) {
    const processor = clockOf(threadClock());
    measuring = processor.tickNs <= MAX_PROCESSOR_TICK_NS ? processor : wallClock();
  }
  return measuring;
}

let wall: Clock | undefined;

export function wallClock(): Clock {
  return wall ??= clockOf(() => Bun.nanoseconds());
}

/** One timed run. */
type Run<Outcome> = () => Outcome;

interface Timed<Outcome> {
  /** Mean time of one run; above zero. */
  readonly nanoseconds: number;
  /** Outcome of the first run. */
  readonly outcome: Outcome;
}

/** Prepares and runs until the runs have taken long enough. `prepare` is not timed. */
export function timed<Outcome>(clock: Clock, prepare: () => Run<Outcome>): Timed<Outcome> {
  const lap = new Lap(clock);
  const run = prepare();
  const outcome = lap.time(run);
  while (!lap.isLongEnough) lap.time(prepare());
  return { nanoseconds: lap.nanosecondsPerRun, outcome };
}

/** Runs that are timed together, because one alone may be too short for the clock. */
export class Lap {
  readonly #clock: Clock;
  #total = 0;
  #runs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  time<Outcome>(run: Run<Outcome>): Outcome {
    const start = this.#clock.now();
    const outcome = run();
    this.#total += this.#clock.now() - start;
    this.#runs += 1;
    return outcome;
  }

  get isLongEnough(): boolean {
    return this.#total >= MIN_TICKS * this.#clock.tickNs;
  }

  get nanosecondsPerRun(): number {
    return this.#total / this.#runs;
  }
}
