// Spot prices as simulated time passes: moved on at every step of the model, events brought about when a preset has them
// due or an operator triggers one, and every new point published to the engine, which numbers it as an event. What an
// operator triggers acts at once: the points of the present are made anew, and published again under the same time.
//
// Without a connection, or where the engine is slow, points are not published, and what comes later is. Whoever asks the
// simulator gets all of them.

import type { Logger } from "../../common/logger.ts";
import type { SpotSchedule } from "../personas/spot-schedule.ts";
import { SYSTEM_TIMERS } from "../../common/timers.ts";
import type { SpotEvent, SpotEventRequest, SpotPoint, SpotPrices } from "../spot/spot-prices.ts";
import type { EngineConnection } from "./engine-connection.ts";
import type { SimulatedClock } from "./simulated-clock.ts";

export interface SpotFeedOptions {
  readonly prices: SpotPrices;
  readonly clock: SimulatedClock;
  /** Events that the run brings about by itself. */
  readonly schedule: SpotSchedule;
  /** The nodes that the engine knows. */
  readonly nodes: readonly string[];
  /** Of the publishing user; null: nobody may publish. */
  readonly connection: EngineConnection | null;
  /** What the ids of its requests begin with. */
  readonly mark: string;
  readonly log: Logger;
  /** Prices have moved. */
  readonly onStep: () => void;
}

const STEP_MS = 300_000;
/** At high speeds several points are published at once. */
const SHORTEST_WAIT_MS = 100;
const OUTSTANDING = 4;
const LARGEST_REQUEST = 1_000;

export class SpotFeed {
  readonly #options: SpotFeedOptions;
  #endWait: () => void = () => {};
  #operations = 0;

  constructor(options: SpotFeedOptions) {
    this.#options = options;
  }

  begin(): void {
    const { prices } = this.#options;
    this.#publish(prices.nodes.map((node) => prices.current(node)));
    this.#step();
  }

  end(): void {
    this.#endWait();
  }

  /** Brings an event about, and has acted on the present prices when it returns. Throws what `SpotPrices.trigger` throws. */
  trigger(request: SpotEventRequest): SpotEvent {
    const { clock, prices } = this.#options;
    this.#moveTo(clock.time());
    const event = prices.trigger(request);
    this.#publish(prices.reprice());
    return event;
  }

  #step(): void {
    const { clock, onStep } = this.#options;
    const time = clock.time();
    this.#moveTo(time);
    onStep();
    const waitMs = clock.waitMs(STEP_MS - time % STEP_MS);
    this.#endWait = SYSTEM_TIMERS.after(Math.max(SHORTEST_WAIT_MS, waitMs), () => this.#step());
  }

  #moveTo(time: number): void {
    const { prices, schedule } = this.#options;
    schedule.triggerDue(time);
    this.#publish(prices.advanceTo(time));
  }

  #publish(points: readonly SpotPoint[]): void {
    const { connection, nodes, mark, log } = this.#options;
    if (connection === null || !connection.isUp || connection.outstanding >= OUTSTANDING) return;
    const known = points.filter(({ node }) => nodes.includes(node)).slice(-LARGEST_REQUEST);
    if (known.length === 0) return;
    const prices = known.map(({ node, priceCents, regime, time }) => ({
      node,
      price: priceCents,
      regime,
      time: new Date(time).toISOString(),
    }));
    this.#operations += 1;
    connection.send("spot.publish", { prices }, `${mark}s${this.#operations}`, (outcome) => {
      if (outcome.kind === "refused") log.warn("spot prices were refused: {reason}", { reason: outcome.message });
    });
  }
}
