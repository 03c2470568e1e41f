// Tells the engine of an episode the simulated spot prices, which it publishes as numbered events.

import type { EmbeddedEngine } from "../../engine/embedded/embedded-engine.ts";
import type { SpotPoint } from "../../sim/spot/spot-prices.ts";
import type { RunObserver } from "../../sim/tape/run-observer.ts";
import { isoTime } from "../../common/iso-time.ts";

interface SpotPublisherOptions {
  readonly engine: EmbeddedEngine;
  /** The user who publishes. */
  readonly userId: string;
  /** The price nodes of the market. */
  readonly nodes: readonly string[];
}

export class SpotPublisher implements Partial<RunObserver> {
  #published = 0;

  constructor(private readonly options: SpotPublisherOptions) {}

  onSpot(points: readonly SpotPoint[]): void {
    const { engine, userId, nodes } = this.options;
    const prices = points.filter(({ node }) => nodes.includes(node)).map(({ node, priceCents, regime, time }) => ({
      node,
      price: priceCents,
      regime,
      time: isoTime(time),
    }));
    if (prices.length === 0) return;
    const operationId = `spot-${this.#published += 1}`;
    const { response } = engine.execute({ userId, operationId, action: "spot.publish", payload: { prices } });
    engine.takeFacts();
    if (response?.status !== "ok") throw new Error(`the engine refused spot prices: ${response?.message}`);
  }
}
