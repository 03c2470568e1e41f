// How busy traders are by the local hour: few at night, most in the morning and in the afternoon. The mean over a day is
// about 1.

import { LocalCalendar } from "../spot/local-calendar.ts";

const BY_HOUR: readonly number[] = [
  0.3,
  0.25,
  0.2,
  0.2,
  0.25,
  0.4,
  0.8,
  1.4,
  1.9,
  2.1,
  2,
  1.7,
  1.4,
  1.5,
  1.8,
  1.9,
  1.6,
  1.2,
  0.9,
  0.7,
  0.6,
  0.5,
  0.4,
  0.35,
];
const HOUR_MS = 3_600_000;

export class Activity {
  readonly #calendar: LocalCalendar;
  /** The hour for which the factor is known. */
  #from = Infinity;
  #factor = 1;

  constructor(timezone: string) {
    this.#calendar = new LocalCalendar(timezone);
  }

  /** How much more often things happen than on the mean. */
  at(time: number): number {
    if (!(time >= this.#from && time < this.#from + HOUR_MS)) {
      this.#calendar.moveTo(time);
      this.#from = Math.floor(time / HOUR_MS) * HOUR_MS;
      this.#factor = BY_HOUR[this.#calendar.hour] ?? 1;
    }
    return this.#factor;
  }
}
