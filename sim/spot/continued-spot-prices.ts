// The spot prices of a run whose market had spot prices before: what was told of the past stays. A new run has a seed of its
// own, so its process has another past, which was never told and is not shown.
//
// An hour that the earlier prices have told is theirs. In the hour in which the new ones take over, the points before count as
// they were told, and the new ones from then on: the hour's price is the mean of both. Hours between the two, in which nobody
// had prices, and all later ones are of the new process. A point that was told stays until the next step, unless an event acts
// on it. Events and expected prices are always those of the new process.

import { HOUR_MS } from "../../protocol/time-units.ts";
import { STEPS } from "./hour-steps.ts";
import type {
  ActiveSpotEvent,
  DeliveryShape,
  SpotEvent,
  SpotEventRequest,
  SpotPoint,
  SpotPrices,
} from "./spot-prices.ts";

/** The hour of the change at one node: sums over its points in cents/MWh, and how many there are. */
interface SharedHour {
  readonly told: SpotPoint;
  readonly toldPoints: number;
  /** What the new process has of the hour from before the change: never told. */
  readonly untoldSum: number;
  readonly untoldPoints: number;
}

export class ContinuedSpotPrices implements SpotPrices {
  readonly nodes: readonly [string, string];
  readonly #told = new Map<string, SpotPoint>();
  readonly #shared = new Map<string, SharedHour>();
  /** The point of each node that was told for the step in progress. */
  readonly #present = new Map<string, SpotPoint>();

  /** `prices` begin where `earlier` end, or later. Both have the same nodes. The last `hours` of `earlier` stay. */
  constructor(private readonly prices: SpotPrices, earlier: SpotPrices, hours: number) {
    this.nodes = prices.nodes;
    for (const point of earlier.history(hours)) this.#told.set(keyOf(point), point);
    for (const node of this.nodes) this.#present.set(node, earlier.current(node));
    for (const hour of prices.history(1)) {
      const told = this.#told.get(keyOf(hour));
      if (told === undefined) continue;
      const { time, priceCents } = prices.current(hour.node);
      const points = pointsOf(prices, hour);
      // The newest point is told from now on, unless the earlier prices have told one for the same step.
      const isUntold = time === this.#present.get(hour.node)?.time;
      this.#shared.set(keyOf(hour), {
        told,
        toldPoints: pointsOf(earlier, told),
        untoldSum: hour.priceCents * points - (isUntold ? 0 : priceCents),
        untoldPoints: isUntold ? points : points - 1,
      });
    }
  }

  history(hours: number): SpotPoint[] {
    return this.prices.history(hours).map((point) => {
      const key = keyOf(point);
      const shared = this.#shared.get(key);
      return shared === undefined ? this.#told.get(key) ?? point : this.#joined(point, shared);
    });
  }

  #joined(point: SpotPoint, { told, toldPoints, untoldSum, untoldPoints }: SharedHour): SpotPoint {
    const points = pointsOf(this.prices, point);
    const newPoints = points - untoldPoints;
    const sum = told.priceCents * toldPoints + point.priceCents * points - untoldSum;
    const { regime, congested } = newPoints > toldPoints ? point : told;
    return { ...point, priceCents: Math.round(sum / (toldPoints + newPoints)), regime, congested };
  }

  advanceTo(time: number): SpotPoint[] {
    return this.prices.advanceTo(time);
  }

  current(node: string): SpotPoint {
    const point = this.prices.current(node);
    const told = this.#present.get(node);
    return told?.time === point.time ? told : point;
  }

  trigger(request: SpotEventRequest): SpotEvent {
    return this.prices.trigger(request);
  }

  reprice(): SpotPoint[] {
    this.#present.clear();
    return this.prices.reprice();
  }

  get activeEvents(): readonly ActiveSpotEvent[] {
    return this.prices.activeEvents;
  }

  fuelFactor(node: string): number {
    return this.prices.fuelFactor(node);
  }

  get vintage(): number {
    return this.prices.vintage;
  }

  expectedPrice(node: string, from: number, until: number, shape: DeliveryShape): number {
    return this.prices.expectedPrice(node, from, until, shape);
  }

  get announcements(): number {
    return this.prices.announcements;
  }

  priceBeforeAnnouncements(node: string, from: number, until: number, shape: DeliveryShape): number {
    return this.prices.priceBeforeAnnouncements(node, from, until, shape);
  }
}

function keyOf({ node, time }: SpotPoint): string {
  return `${time} ${node}`;
}

/** How many 5-minute points there are of an hour. */
function pointsOf(prices: SpotPrices, { node, time }: SpotPoint): number {
  const passed = prices.current(node).time - time;
  return Math.min(STEPS, Math.floor(passed / (HOUR_MS / STEPS)) + 1);
}
