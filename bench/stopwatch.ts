// Measures how long work takes on a clock of any resolution.
//
// Some systems count processor time in ticks of 10 ms, so one short run seems to take no time at all, or a whole tick.
// Work is repeated until the clock has moved by many of its own ticks, and the time of one run is the mean. So a
// measured time is above zero on every machine.

export interface Clock {
  /** Nanoseconds from any start. */
  readonly now: () => number;
  /** Smallest step that the clock makes, in nanoseconds. */
  readonly tickNs: number;
}

/** A measured time is at least so many ticks of its clock. */
const LEAST_TICKS = 10;
/** Processor time that is counted in longer ticks is left for wall time, since every measurement would take very long. */
const LONGEST_PROCESSOR_TICK_NS = 1e6;
/** A clock that makes no step for so long is broken. */
const STANDSTILL_NS = 5e9;
const OBSERVED_TICKS = 3;

/** Finds out how large the steps of a clock are, by watching a few of them. Throws if the clock stands still. */
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
    if (Bun.nanoseconds() - started > STANDSTILL_NS) throw new Error("the clock stands still: nothing can be measured");
  }
}

let measuring: Clock | undefined;

/**
 * Time that this thread has run, so that what other processes take of the machine does not count. Wall time if this
 * system counts processor time too coarsely.
 */
export function measuringClock(): Clock {
  if (measuring === undefined) {
    const processor = clockOf(() => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) * 1_000;
    });
    measuring = processor.tickNs <= LONGEST_PROCESSOR_TICK_NS ? processor : wallClock();
  }
  return measuring;
}

let wall: Clock | undefined;

export function wallClock(): Clock {
  return wall ??= clockOf(() => Bun.nanoseconds());
}

/** One run: what is timed, and nothing else. */
export type Run<Outcome> = () => Outcome;

export interface Timed<Outcome> {
  /** Of one run, on average. Above zero. */
  readonly nanoseconds: number;
  /** Of the first run. */
  readonly outcome: Outcome;
}

/** Prepares and runs until enough time has passed in the runs. What `prepare` does is not timed. */
export function timed<Outcome>(clock: Clock, prepare: () => Run<Outcome>): Timed<Outcome> {
  const lap = new Lap(clock);
  const run = prepare();
  const outcome = lap.time(run);
  while (!lap.isLongEnough) lap.time(prepare());
  return { nanoseconds: lap.nanosecondsPerRun, outcome };
}

/** Runs that are counted together, because one alone may be too short for the clock. */
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
    return this.#total >= LEAST_TICKS * this.#clock.tickNs;
  }

  get nanosecondsPerRun(): number {
    return this.#total / this.#runs;
  }
}
