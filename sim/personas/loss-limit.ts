// The loss limit of a persona, as risk managers give traders one. The persona values its positions now and then, at times of
// its own. If it has lost more than the limit since it began, or since it last came back, it is stopped: it withdraws its
// orders and trades nothing until the next local day of the market. From then on it trades with half its size.
//
// A stopped persona keeps its positions, so its loss may grow beyond the limit. Closing at any price in a stressed
// book is what loss limits are blamed for.
//
// Cost: one valuation each ten minutes or so of market time.

import type { SeededRandom } from "../random/seeded-random.ts";
import type { LocalCalendar } from "../spot/local-calendar.ts";

/** Mean time between two valuations. */
const REVIEW_MS = 10 * 60_000;
const SIZE_AFTER_STOP = 0.5;
/** Every time zone begins its days at a multiple of this. */
const QUARTER_MS = 15 * 60_000;

export interface LossLimitOptions {
  /** Dollars; null: no limit. */
  readonly dollars: number | null;
  /** Of the market; shared. */
  readonly calendar: LocalCalendar;
  readonly random: SeededRandom;
}

export class LossLimit {
  #nextReview = -Infinity;
  /** Result in dollars when it began or last came back. */
  #reference = 0;
  #stoppedUntil: number | null = null;
  #stops = 0;

  constructor(private readonly options: LossLimitOptions) {}

  /** Dollars; null: no limit. */
  get dollars(): number | null {
    return this.options.dollars;
  }

  /** Until when it is stopped; null if it is not. */
  get stoppedUntil(): number | null {
    return this.#stoppedUntil;
  }

  /** How often it was stopped. */
  get stops(): number {
    return this.#stops;
  }

  /** The share of its usual size with which it trades. */
  get sizeShare(): number {
    return this.#stops === 0 ? 1 : SIZE_AFTER_STOP;
  }

  /** Whether it is stopped at `time`. `result`: its result so far, dollars. */
  isStoppedAt(time: number, result: () => number): boolean {
    const { dollars, random } = this.options;
    if (dollars === null) return false;
    if (this.#stoppedUntil !== null) {
      if (time < this.#stoppedUntil) return true;
      this.#stoppedUntil = null;
      this.#reference = result();
    }
    if (time < this.#nextReview) return false;
    this.#nextReview = time + REVIEW_MS * random.exponential();
    if (this.#reference - result() <= dollars) return false;
    this.#stops += 1;
    this.#stoppedUntil = nextLocalDay(time, this.options.calendar);
    return true;
  }
}

/** When the local day after that of `time` begins. */
function nextLocalDay(time: number, calendar: LocalCalendar): number {
  calendar.moveTo(time);
  const { day } = calendar;
  let next = (Math.floor(time / QUARTER_MS) + 1) * QUARTER_MS;
  for (calendar.moveTo(next); calendar.day === day; calendar.moveTo(next)) next += QUARTER_MS;
  return next;
}
