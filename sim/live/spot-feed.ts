// Moves spot prices on as market time passes, and publishes each new point to the engine, which numbers it as an event.
//
// Market events come from the preset's schedule or from an operator. An operator's event acts at once: the present points are
// computed again, and published again under the same time.
//
// While the connection is down or the engine is slow, points are not published, and not made up for later. The simulator's
// own history has all points.

import type { Logger } from "../../common/logger.ts";
import type { EngineClient } from "../../protocol/client/engine-client.ts";
import type { Population } from "../population/population.ts";
import type { SpotEvent, SpotEventRequest, SpotPoint, SpotPrices } from "../spot/spot-prices.ts";
import type { FollowedClock } from "./followed-clock.ts";

interface SpotFeedOptions {
  readonly prices: SpotPrices;
  readonly clock: FollowedClock;
  /** Advances the prices. */
  readonly population: Pick<Population, "advanceSpotTo">;
  /** The price nodes that the engine knows. */
  readonly nodes: readonly string[];
  /** Connected as the publishing user; null: nobody may publish. */
  readonly client: EngineClient | null;
  /** What the ids of its requests begin with. */
  readonly idPrefix: string;
  readonly log: Logger;
  /** Called after prices have moved. */
  readonly onStep: () => void;
}

/** A wait that ends late covers several steps, whose points are published together. */
const STEP_MS = 300_000;
const MAX_PENDING = 4;
const MAX_POINTS_PER_REQUEST = 1_000;

export class SpotFeed {
  #endWait: () => void = () => {};
  #operations = 0;

  constructor(private readonly options: SpotFeedOptions) {}

  begin(): void {
    const { prices } = this.options;
    this.#publish(prices.nodes.map((node) => prices.current(node)));
    this.#step();
  }

  end(): void {
    this.#endWait();
  }

  /** Triggers a market event, which acts on the present prices at once. Throws what `SpotPrices.trigger` throws. */
  trigger(request: SpotEventRequest): SpotEvent {
    const { clock, prices } = this.options;
    this.#moveTo(clock.time());
    const event = prices.trigger(request);
    this.#publish(prices.reprice());
    return event;
  }

  #step(): void {
    const { clock, onStep } = this.options;
    const time = clock.time();
    this.#moveTo(time);
    onStep();
    this.#endWait = clock.after(STEP_MS - time % STEP_MS, () => this.#step());
  }

  #moveTo(time: number): void {
    this.#publish(this.options.population.advanceSpotTo(time).points);
  }

  #publish(points: readonly SpotPoint[]): void {
    const { client, nodes, idPrefix, log } = this.options;
    if (client === null || !client.isUp || client.pendingCount >= MAX_PENDING) return;
    const known = points.filter(({ node }) => nodes.includes(node)).slice(-MAX_POINTS_PER_REQUEST);
    if (known.length === 0) return;
    const prices = known.map(({ node, priceCents, regime, time }) => ({
      node,
      price: priceCents,
      regime,
      time: new Date(time).toISOString(),
    }));
    this.#operations += 1;
    client.send("spot.publish", { prices }, { operationId: `${idPrefix}s${this.#operations}` }, (outcome) => {
      if (outcome.kind === "rejected" || outcome.kind === "error") {
        log.warn("spot prices were refused: {reason}", { reason: outcome.message });
      }
    });
  }
}
