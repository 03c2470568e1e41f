// The twelve 5-minute prices of an hour, whose mean is the hour's price to the cent: an autoregression around the
// hour's price, with its mean over the hour removed. Both nodes use the same path, scaled separately, so equal hourly
// prices give equal steps.

import type { SeededRandom } from "../random/seeded-random.ts";
import { noiseOf } from "./innovations.ts";
import type { SpotParameters } from "./spot-parameters.ts";

export const STEPS = 12;

export class HourSteps {
  /** Deviations within this hour; their mean is 0. */
  readonly #path = new Float64Array(STEPS);
  #widest = 0;
  #last = 0;

  constructor(private readonly parameters: SpotParameters, private readonly random: SeededRandom) {}

  /** Draws the path of the next hour. */
  draw(): void {
    const { memory } = this.parameters.withinHour;
    let sum = 0;
    for (let step = 0; step < STEPS; step++) {
      this.#last = memory * this.#last + noiseOf(memory) * this.random.normal();
      this.#path[step] = this.#last;
      sum += this.#last;
    }
    this.#widest = 0;
    for (let step = 0; step < STEPS; step++) {
      this.#path[step]! -= sum / STEPS;
      this.#widest = Math.max(this.#widest, Math.abs(this.#path[step]!));
    }
  }

  /** Writes a node's steps into `steps`: whole cents, within the market's price limits. */
  spread(hourCents: number, normalCents: number, steps: Float64Array): void {
    const { withinHour, minimumPriceCents, maximumPriceCents } = this.parameters;
    const wanted = withinHour.sd * normalCents + withinHour.extremeSd * Math.abs(hourCents - normalCents);
    const range = Math.min(maximumPriceCents - hourCents, hourCents - minimumPriceCents);
    const width = Math.min(wanted, Math.max(0, range - 1) / this.#widest);
    let exact = 0;
    let given = 0;
    for (let step = 0; step < STEPS; step++) {
      exact += hourCents + width * this.#path[step]!;
      // The last step takes the rounding remainder, so the sum is exact.
      steps[step] = (step === STEPS - 1 ? hourCents * STEPS : Math.round(exact)) - given;
      given += steps[step]!;
    }
  }
}
