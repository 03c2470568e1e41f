// Spot prices in a headless run: a point every five minutes of simulated time, and the events that a preset brings about,
// each at the first point that is due after it.

import type { ScheduledSpotEvent } from "../personas/presets.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";

const POINT_MS = 5 * 60_000;
const MS_PER_HOUR = 3_600_000;

export class SpotSchedule {
  #nextTime: number;
  #triggered = 0;

  /** `events` in the order of their times. */
  constructor(
    private readonly spot: SpotPrices,
    private readonly events: readonly ScheduledSpotEvent[],
    private readonly startTime: number,
  ) {
    this.#nextTime = startTime;
  }

  /** Of the point that comes next, in milliseconds since the epoch. */
  get nextTime(): number {
    return this.#nextTime;
  }

  /** Lets the next point come, with the events that are due by then. */
  advance(): void {
    for (let event = this.#due(); event !== undefined; event = this.#due()) {
      const { type, node, size, durationHours } = event;
      this.spot.trigger({ type, size, durationHours, node: node === null ? null : this.spot.nodes[node] });
      this.#triggered += 1;
    }
    this.spot.advanceTo(this.#nextTime);
    this.#nextTime += POINT_MS;
  }

  #due(): ScheduledSpotEvent | undefined {
    const event = this.events[this.#triggered];
    return event !== undefined && this.startTime + event.afterHours * MS_PER_HOUR <= this.#nextTime ? event : undefined;
  }
}
