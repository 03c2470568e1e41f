// How busy traders are by the local hour: few at night, most in the morning and in the afternoon. The mean over a day is
// about 1. Traders who trade at nodes in several time zones are as busy as those of each on the mean, and then trade most where
// it is day.

import { HOUR_MS } from "../../protocol/time-units.ts";
import { BUSY_HOURS } from "../spot/busy-hours.ts";
import type { LocalCalendar } from "../spot/local-calendar.ts";
import type { NodeCalendars } from "../spot/node-calendars.ts";

export class Activity {
  readonly #calendars: NodeCalendars;
  /** One for each time zone. */
  readonly #zones: readonly LocalCalendar[];
  /** The hour for which the factor is known. */
  #from = Infinity;
  #factor = 1;

  /** `nodes`: where there are traders. */
  constructor(calendars: NodeCalendars, nodes: readonly string[]) {
    this.#calendars = calendars;
    this.#zones = [...new Set(nodes.map((node) => calendars.at(node)))];
  }

  /** How much more often things happen than on the mean. */
  at(time: number): number {
    if (!(time >= this.#from && time < this.#from + HOUR_MS)) {
      this.#from = Math.floor(time / HOUR_MS) * HOUR_MS;
      const sum = this.#zones.reduce((total, calendar) => total + busyness(calendar, time), 0);
      this.#factor = sum / this.#zones.length;
    }
    return this.#factor;
  }

  /** How much busier the traders of a node are than all traders on the mean; 1 if all nodes are in one time zone. */
  ratioAt(node: string, time: number): number {
    return this.#zones.length < 2 ? 1 : busyness(this.#calendars.at(node), time) / this.at(time);
  }
}

function busyness(calendar: LocalCalendar, time: number): number {
  calendar.moveTo(time);
  return BUSY_HOURS[calendar.hour] ?? 1;
}
