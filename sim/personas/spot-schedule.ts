// The spot events of a preset, triggered as simulated time passes.

import type { SpotEvent, SpotPrices } from "../spot/spot-prices.ts";
import type { ScheduledSpotEvent } from "./presets.ts";

const MS_PER_HOUR = 3_600_000;

export class SpotSchedule {
  #triggered = 0;

  /** `events` in order of their times; `startTime` of the run in milliseconds since the epoch. */
  constructor(
    private readonly prices: SpotPrices,
    private readonly events: readonly ScheduledSpotEvent[],
    private readonly startTime: number,
  ) {}

  /**
   * Triggers every event that is due by `time` and has not been triggered, and returns these events. Call it before prices
   * advance to `time`.
   */
  triggerDue(time: number): SpotEvent[] {
    const events: SpotEvent[] = [];
    for (const { afterHours, type, node, size, durationHours } of this.events.slice(this.#triggered)) {
      if (this.startTime + afterHours * MS_PER_HOUR > time) break;
      const place = node === null ? null : this.prices.nodes[node];
      events.push(this.prices.trigger({ type, size, durationHours, node: place }));
      this.#triggered += 1;
    }
    return events;
  }
}
