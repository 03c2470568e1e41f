// The spot prices of two nodes that are in different time zones, so in different grids: each node has prices of its own, by its
// own calendar, and no line joins the two. An event at both nodes acts on both. The model of each is SpotProcess, with a second
// node at which nothing is traded.

import type { SeededRandom } from "../random/seeded-random.ts";
import { MarketEvents } from "./market-events.ts";
import type {
  ActiveSpotEvent,
  DeliveryShape,
  SpotEvent,
  SpotEventRequest,
  SpotPoint,
  SpotPrices,
} from "./spot-prices.ts";
import type { SpotProcess } from "./spot-process.ts";

export class SeparateSpotPrices implements SpotPrices {
  readonly nodes: readonly [string, string];
  readonly #events: MarketEvents;

  /** The prices of each node, as of the same time. `random` decides how events go. */
  constructor(private readonly first: SpotProcess, private readonly second: SpotProcess, random: SeededRandom) {
    this.nodes = [first.nodes[0], second.nodes[0]];
    this.#events = new MarketEvents(this.nodes, random);
  }

  advanceTo(time: number): SpotPoint[] {
    const points = this.#joined((prices) => prices.advanceTo(time));
    this.#events.forget(this.#time);
    return points;
  }

  current(node: string): SpotPoint {
    return { ...this.#of(node).current(node), congested: false };
  }

  history(hours: number): SpotPoint[] {
    return this.#joined((prices) => prices.history(hours));
  }

  trigger(request: SpotEventRequest): SpotEvent {
    const course = this.#events.trigger(request, this.#time);
    const { node } = request;
    for (const prices of node === null ? [this.first, this.second] : [this.#of(node)]) prices.join(course);
    return course.announced;
  }

  reprice(): SpotPoint[] {
    return this.#joined((prices) => prices.reprice());
  }

  get activeEvents(): readonly ActiveSpotEvent[] {
    return this.#events.activeAt(this.#time);
  }

  get announcements(): number {
    return this.first.announcements + this.second.announcements;
  }

  fuelFactor(node: string): number {
    return this.#of(node).fuelFactor(node);
  }

  get vintage(): number {
    return this.first.vintage + this.second.vintage;
  }

  expectedPrice(node: string, from: number, until: number, shape: DeliveryShape): number {
    return this.#of(node).expectedPrice(node, from, until, shape);
  }

  priceBeforeAnnouncements(node: string, from: number, until: number, shape: DeliveryShape): number {
    return this.#of(node).priceBeforeAnnouncements(node, from, until, shape);
  }

  get #time(): number {
    return this.first.current(this.nodes[0]).time;
  }

  #of(node: string): SpotProcess {
    if (node === this.nodes[0]) return this.first;
    if (node === this.nodes[1]) return this.second;
    throw new RangeError(`unknown node ${node}`);
  }

  /** The points of both nodes in the order of their times. */
  #joined(pointsOf: (prices: SpotPrices) => readonly SpotPoint[]): SpotPoint[] {
    const [first, second] = [this.first, this.second].map((prices, place) =>
      pointsOf(prices).filter(({ node }) => node === this.nodes[place]).map((point) => ({ ...point, congested: false }))
    );
    return first!.flatMap((point, at) => [point, second![at]!]);
  }
}
