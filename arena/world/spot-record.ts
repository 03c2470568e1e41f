// The spot prices of a world, from which the price of each delivery follows.

import type { SpotPoint } from "../../sim/spot/spot-prices.ts";
import type { RunObserver } from "../../sim/tape/run-observer.ts";

export class SpotRecord implements Partial<RunObserver> {
  readonly #points = new Map<string, SpotPoint[]>();

  onSpot(points: readonly SpotPoint[]): void {
    for (const point of points) {
      const known = this.#points.get(point.node);
      if (known === undefined) this.#points.set(point.node, [point]);
      else known.push(point);
    }
  }

  /**
   * The mean of the prices from `from` until before `until`, in cents/MWh, as an engine marks a delivery. Null if the record
   * does not reach back to `from`, or has none.
   */
  mean(node: string, from: number, until: number): number | null {
    const points = this.#points.get(node) ?? [];
    if (points[0] === undefined || points[0].time > from) return null;
    const during = points.filter(({ time }) => time >= from && time < until);
    if (during.length === 0) return null;
    return during.reduce((sum, { priceCents }) => sum + priceCents, 0) / during.length;
  }
}
