// Times alternating blocks of operations of several players. A sample is a block, or as many as the clock needs.

import { type Clock, Lap } from "../stopwatch.ts";
import type { Player } from "./players.ts";

export class Race {
  readonly #clock: Clock;
  readonly #players: readonly Player[];
  /** For each player the finished samples, in nanoseconds a block, and the sample that is not long enough yet. */
  readonly #samples: readonly { readonly finished: number[]; lap: Lap }[];

  constructor(players: readonly Player[], clock: Clock) {
    this.#players = players;
    this.#clock = clock;
    this.#samples = players.map(() => ({ finished: [], lap: new Lap(clock) }));
  }

  /** Each player plays the block; who begins alternates. */
  run(from: number, to: number): void {
    const turns = this.#players.map((player, at) => ({ player, sample: this.#samples[at]! }));
    if (this.#samples[0]!.finished.length % 2 === 1) turns.reverse();
    for (const { player, sample } of turns) {
      player.prepare(from, to);
      sample.lap.time(() => player.play(from, to));
      if (!sample.lap.isLongEnough) continue;
      sample.finished.push(sample.lap.nanosecondsPerRun);
      sample.lap = new Lap(this.#clock);
    }
  }

  /** The median nanoseconds of a block, for each player. */
  get medians(): number[] {
    return this.#samples.map(({ finished, lap }) =>
      finished.length === 0 ? lap.nanosecondsPerRun : finished.toSorted((a, b) => a - b)[finished.length >> 1]!
    );
  }
}
