// The spot events of an experiment, triggered as simulated time passes.

import { HOUR_MS } from "../../protocol/time-units.ts";
import type { SpotEvent, SpotPrices } from "../spot/spot-prices.ts";
import type { ScheduledSpotEvent } from "../personas/settings.ts";

export class SpotSchedule {
  #triggered = 0;

  readonly #events: readonly ScheduledSpotEvent[];

  /** `startTime` of the run in milliseconds since the epoch. */
  constructor(
    private readonly prices: SpotPrices,
    events: readonly ScheduledSpotEvent[],
    private readonly startTime: number,
  ) {
    this.#events = events.toSorted((first, second) => first.afterHours - second.afterHours);
  }

  /**
   * Triggers every event that is due by `time` and has not been triggered, and returns these events. Call it before prices
   * advance to `time`.
   */
  triggerDue(time: number): SpotEvent[] {
    const events: SpotEvent[] = [];
    for (const { afterHours, type, node, size, durationHours } of this.#events.slice(this.#triggered)) {
      if (this.startTime + afterHours * HOUR_MS > time) break;
      events.push(this.prices.trigger({ type, size, durationHours, node: nodeOf(node, this.prices) }));
      this.#triggered += 1;
    }
    return events;
  }
}

function nodeOf(node: ScheduledSpotEvent["node"], { nodes }: Pick<SpotPrices, "nodes">): string | null {
  if (node === 1 || node === 2) return nodes[node - 1] ?? null;
  return node;
}
