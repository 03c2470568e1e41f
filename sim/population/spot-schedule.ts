// The spot events of an experiment, triggered as simulated time passes.

import { HOUR_MS } from "../../protocol/time-units.ts";
import type { ScheduledSpotEvent } from "../personas/settings.ts";
import type { SpotEvent, SpotPrices } from "../spot/spot-prices.ts";
import { STEP_MS } from "../spot/spot-process.ts";

export class SpotSchedule {
  #triggered = 0;
  readonly #events: readonly ScheduledSpotEvent[];

  /** `startTime` of the run in milliseconds since the epoch. */
  constructor(
    private readonly prices: SpotPrices,
    events: readonly ScheduledSpotEvent[],
    private readonly startTime: number,
  ) {
    this.#events = events.toSorted((first, second) => announcedHours(first) - announcedHours(second));
  }

  /**
   * Triggers every event that is announced by `time` and has not been triggered, each for the first step that is not before it,
   * and returns these events. Call it before prices advance to `time`.
   */
  triggerDue(time: number): SpotEvent[] {
    const events: SpotEvent[] = [];
    for (const scheduled of this.#events.slice(this.#triggered)) {
      const announcedTime = this.#stepAfter(announcedHours(scheduled));
      if (announcedTime > time) break;
      const { afterHours, aheadHours: _, node, ...event } = scheduled;
      const startTime = this.#stepAfter(afterHours);
      events.push(this.prices.trigger({ ...event, node: nodeOf(node, this.prices), startTime, announcedTime }));
      this.#triggered += 1;
    }
    return events;
  }

  /** The first step that is not before this time of the run. */
  #stepAfter(hours: number): number {
    return Math.ceil((this.startTime + hours * HOUR_MS) / STEP_MS) * STEP_MS;
  }
}

/** When the market learns of an event, hours after the start; below 0 if it knew before. */
function announcedHours({ afterHours, aheadHours }: ScheduledSpotEvent): number {
  return afterHours - aheadHours;
}

function nodeOf(node: ScheduledSpotEvent["node"], { nodes }: Pick<SpotPrices, "nodes">): string | null {
  if (node === 1 || node === 2) return nodes[node - 1] ?? null;
  return node;
}
