// How the news of a 5-minute step becomes public: not all at once, but on a Brownian bridge over the five minutes after the
// model knows it. With d the change of a step, the public forecast after a share s of the five minutes has moved by
// d (s + B(s)), where B is a standard bridge. So its changes are uncorrelated, as those of a martingale, and all contracts
// share the path: what fits together before and after fits together in between.
//
// The path of a step depends on the run's random numbers and the number of the step alone: whoever could know it would know
// where prices go within the step. Cost: twenty normal numbers for each step.

import type { SeededRandom } from "../random/seeded-random.ts";

const PARTS = 20;

export class NewsPath {
  readonly #numbers: Float64Array;
  /** Of each kept step, by its number modulo the number kept. */
  readonly #paths: Float64Array;

  /** `kept`: how many steps are remembered; older ones are computed again. */
  constructor(private readonly kept: number, private readonly random: SeededRandom) {
    this.#numbers = new Float64Array(kept).fill(NaN);
    this.#paths = new Float64Array(kept * PARTS);
  }

  /** The part of a step's change that is public after a share of the five minutes, 0 to 1; may be below 0 or above 1. */
  publicPart(step: number, share: number): number {
    const place = step % this.kept;
    if (this.#numbers[place] !== step) this.#draw(step, place);
    return this.#paths[place * PARTS + Math.min(PARTS - 1, Math.floor(share * PARTS))]!;
  }

  #draw(step: number, place: number): void {
    const random = this.random.fork(`step ${step}`);
    const scale = Math.sqrt(1 / PARTS);
    const from = place * PARTS;
    let sum = 0;
    for (let part = 0; part < PARTS; part++) {
      this.#paths[from + part] = sum;
      sum += scale * random.normal();
    }
    // The walk becomes a bridge from 0 to 1.
    for (let part = 0; part < PARTS; part++) this.#paths[from + part]! += (1 - sum) * part / PARTS;
    this.#numbers[place] = step;
  }
}
