// Random choices from a seed. The choices of one message depend on the seed and the message's number alone, so a failing
// message can be made again without those before it.

import { SeededRandom } from "../../../../sim/random/seeded-random.ts";

export class Draw {
  readonly #random: SeededRandom;

  constructor(seed: number, number: number) {
    this.#random = new SeededRandom(seed).fork(String(number));
  }

  chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  /** Both ends included. */
  integer(low: number, high: number): number {
    return this.#random.integer(low, high);
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.integer(0, values.length - 1)] as Value;
  }

  /** One of the values; each pair has its weight first. */
  weighted<Value>(choices: readonly (readonly [weight: number, value: Value])[]): Value {
    const total = choices.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.#random.next() * total;
    for (const [weight, value] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    return this.of(choices)[1];
  }

  shuffled<Value>(values: readonly Value[]): Value[] {
    return values.map((value) => [this.#random.next(), value] as const).sort(([one], [other]) => one - other)
      .map(([, value]) => value);
  }
}
