// The time of an episode, which is market time: until when it passes, and what the agent sees when it has passed.

import type { World } from "../world/world.ts";
import { MarketTimers } from "./market-timers.ts";

/** Null: it goes on. */
export type EpisodeEnd = "agent" | "time" | "calls" | null;

interface EpisodeTimeOptions {
  readonly world: World;
  /** Market time at which the episode ends, in milliseconds since the epoch. */
  readonly endTime: number;
  /** The most that the agent may make. */
  readonly calls: number;
  /** Shows the agent what has happened. */
  readonly onPassed: () => void;
}

export class EpisodeTime {
  readonly timers: MarketTimers;
  readonly endTime: number;
  #ended: EpisodeEnd = null;
  #calls = 0;

  constructor(private readonly options: EpisodeTimeOptions) {
    this.endTime = options.endTime;
    this.timers = new MarketTimers(() => options.world.now);
  }

  /** Market time, in milliseconds since the epoch. */
  get now(): number {
    return this.options.world.now;
  }

  get isOver(): boolean {
    return this.ended !== null;
  }

  /** What has ended it. */
  get ended(): EpisodeEnd {
    if (this.#ended !== null) return this.#ended;
    if (this.now >= this.endTime) return "time";
    return this.callsLeft === 0 ? "calls" : null;
  }

  get callsLeft(): number {
    return this.options.calls - this.#calls;
  }

  /** A call has been answered. */
  countCall(): void {
    this.#calls += 1;
  }

  end(): void {
    this.#ended ??= this.now >= this.endTime ? "time" : "agent";
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
