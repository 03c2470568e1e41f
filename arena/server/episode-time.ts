// The time of an episode, which is market time: until when it passes, and what the agent sees when it has passed.

import type { World } from "../world/world.ts";
import { MarketTimers } from "./market-timers.ts";

interface EpisodeTimeOptions {
  readonly world: World;
  /** Market time at which the episode ends, in milliseconds since the epoch. */
  readonly endTime: number;
  /** Shows the agent what has happened. */
  readonly onPassed: () => void;
}

export class EpisodeTime {
  readonly timers: MarketTimers;
  readonly endTime: number;
  #isEnded = false;

  constructor(private readonly options: EpisodeTimeOptions) {
    this.endTime = options.endTime;
    this.timers = new MarketTimers(() => options.world.now);
  }

  /** Market time, in milliseconds since the epoch. */
  get now(): number {
    return this.options.world.now;
  }

  get isOver(): boolean {
    return this.#isEnded || this.now >= this.endTime;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  end(): void {
    this.#isEnded = true;
  }

  /**
   * Lets market time pass up to `time`, but not beyond the end, or until somebody has acted and it `isEnough`. Null: what the
   * agent sees is only made at the end, which is faster.
   */
  passTo(time: number, isEnough: (() => boolean) | null): void {
    const { world, onPassed } = this.options;
    const looked = isEnough && (() => {
      onPassed();
      return isEnough();
    });
    world.advanceTo(Math.min(time, this.endTime), looked);
    onPassed();
  }

  /** Lets market time pass until the next timer ends, or until nobody waits for one any more. */
  passToTimer(): void {
    const { timers } = this;
    this.passTo(timers.next, () => timers.count === 0);
    timers.run(this.isOver ? Infinity : this.now);
  }
}
