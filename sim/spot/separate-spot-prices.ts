// The spot prices of two nodes that are in different time zones, so in different grids: each node has prices of its own, by its
// own calendar, and no line joins the two. An event at both nodes acts on both. The model of each is SpotProcess, with a second
// node at which nothing is traded.

import { HOUR_MS } from "../../protocol/time-units.ts";
import { eventFault, remainingOf } from "./spot-events.ts";
import type {
  ActiveSpotEvent,
  DeliveryShape,
  SpotEvent,
  SpotEventRequest,
  SpotPoint,
  SpotPrices,
} from "./spot-prices.ts";

export class SeparateSpotPrices implements SpotPrices {
  readonly nodes: readonly [string, string];
  #events: SpotEvent[] = [];
  #eventCount = 0;

  /** The prices of each node, as of the same time. */
  constructor(private readonly first: SpotPrices, private readonly second: SpotPrices) {
    this.nodes = [first.nodes[0], second.nodes[0]];
  }

  advanceTo(time: number): SpotPoint[] {
    return this.#joined((prices) => prices.advanceTo(time));
  }

  current(node: string): SpotPoint {
    return { ...this.#of(node).current(node), congested: false };
  }

  history(hours: number): SpotPoint[] {
    return this.#joined((prices) => prices.history(hours));
  }

  trigger(request: SpotEventRequest): SpotEvent {
    const fault = eventFault(request, this.nodes, this.activeEvents.length);
    if (fault !== null) throw new RangeError(fault);
    const { node } = request;
    for (const prices of node === null ? [this.first, this.second] : [this.#of(node)]) prices.trigger(request);
    const startTime = this.#time;
    const endTime = startTime + request.durationHours * HOUR_MS;
    const event = { id: `event-${++this.#eventCount}`, ...request, startTime, endTime };
    this.#events = [...this.activeEvents, event];
    return event;
  }

  reprice(): SpotPoint[] {
    return this.#joined((prices) => prices.reprice());
  }

  get activeEvents(): readonly ActiveSpotEvent[] {
    return this.#events
      .map((event) => ({ ...event, remaining: remainingOf(event, this.#time) }))
      .filter(({ remaining }) => remaining > 0);
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

  get #time(): number {
    return this.first.current(this.nodes[0]).time;
  }

  #of(node: string): SpotPrices {
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
