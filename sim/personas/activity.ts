// How busy traders are by the local hour: few at night, most in the morning and in the afternoon. The mean over a day is
// about 1.

import { HOUR_MS } from "../../protocol/time-units.ts";
import { BUSY_HOURS } from "../spot/busy-hours.ts";
import { LocalCalendar } from "../spot/local-calendar.ts";

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
      this.#factor = BUSY_HOURS[this.#calendar.hour] ?? 1;
    }
    return this.#factor;
  }
}
