// The mandate of arbitrageurs: as DiscretionaryMandate, but a base of a day, its peak or one of its hours stands for the whole
// package. It looks at the base at this wake-up, and at the base and all other contracts of the package at the next ones, so
// the legs of a package are traded soon after its base. A long list of contracts goes on at the next wake-up.

import type { SeededRandom } from "../random/seeded-random.ts";
import { DayPackage } from "./day-package.ts";
import { DiscretionaryMandate } from "./discretionary-mandate.ts";
import type { LiquidityProfile } from "./liquidity-profile.ts";
import type { Mandate, Situation, Terms } from "./mandate.ts";
import type { TradedContract } from "./traded-contract.ts";

interface ArbitrageMandateOptions {
  readonly random: SeededRandom;
  readonly profile: LiquidityProfile;
  /** Lots of a normal order. */
  readonly lots: number;
}

export class ArbitrageMandate implements Mandate {
  readonly #single: DiscretionaryMandate;
  /** Contracts of the package that are still to be looked at, the next one last. */
  #legs: TradedContract[] = [];
  /** Whether the legs have to wait for the next wake-up. */
  #hasPicked = false;

  constructor(private readonly options: ArbitrageMandateOptions) {
    const { lots, ...single } = options;
    this.#single = new DiscretionaryMandate({ ...single, leastLots: lots, mostLots: lots });
  }

  wake(): void {
    this.#hasPicked = false;
    this.#single.wake();
  }

  next(time: number): TradedContract | null {
    const { profile } = this.options;
    if (this.#hasPicked) return null;
    for (let leg = this.#legs.pop(); leg !== undefined; leg = this.#legs.pop()) {
      if (profile.isTraded(leg, time)) return leg;
    }
    const picked = this.#single.next(time);
    if (picked === null) return null;
    this.#hasPicked = true;
    const day = DayPackage.of(picked, profile);
    if (day === null) return picked;
    this.#legs = [...day.legs.toReversed(), day.base];
    return day.base;
  }

  review(contract: TradedContract, situation: Situation, terms: Terms): void {
    this.#single.review(contract, situation, terms);
  }

  forget(): void {}
}
