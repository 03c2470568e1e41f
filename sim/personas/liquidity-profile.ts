// Which contracts personas turn to: the nearest deliveries of each product, the first twice as often as the second, and so
// on, so that orders meet and the front contracts have two sides. When a delivery starts, the next contracts move up.
// Contracts are added as they are listed, and removed when their delivery starts. Single hours are left alone from half a
// day before it, and a day's peak from six hours before it: by then their forecasts move with every spot price, and nobody
// here trades that fast.
//
// Only contracts at a node with a spot price are traded: for others there is no forecast.

import type { SeededRandom } from "../random/seeded-random.ts";
import type { ProductType, TradedContract } from "./traded-contract.ts";

/** How often each kind of product is turned to. Of single hours there are many. */
const WEIGHTS: Readonly<Record<ProductType, number>> = {
  hour: 0.5,
  base: 2,
  peak: 1,
  weekend: 0.5,
  week: 1,
  month: 1,
  quarter: 1,
  year: 1,
};

const HOUR_MS = 3_600_000;
/** How long before delivery contracts are traded at the latest. */
const LEAD_MS: Readonly<Partial<Record<ProductType, number>>> = { hour: 12 * HOUR_MS, peak: 6 * HOUR_MS };

export class LiquidityProfile {
  /** By delivery start, then by index. */
  readonly #contracts: TradedContract[] = [];
  readonly #nodes: readonly string[];
  readonly #perProduct: number;
  /** Traded until `#validUntil`, with the sums of their weights up to each. */
  #traded: readonly TradedContract[] = [];
  #isTraded: ReadonlySet<TradedContract> = new Set();
  #sums: readonly number[] = [];
  #validFrom = Infinity;
  #validUntil = -Infinity;

  constructor(nodes: readonly string[], contractsPerProduct: number) {
    this.#nodes = nodes;
    this.#perProduct = contractsPerProduct;
  }

  add(contract: TradedContract): void {
    if (!this.#nodes.includes(contract.node)) return;
    const { deliveryStart, index } = contract;
    const at = this.#contracts.findIndex((other) =>
      other.deliveryStart > deliveryStart || (other.deliveryStart === deliveryStart && other.index > index)
    );
    this.#contracts.splice(at < 0 ? this.#contracts.length : at, 0, contract);
    this.#validUntil = -Infinity;
  }

  /** Does nothing for one that is not there. */
  remove(contract: TradedContract): void {
    const at = this.#contracts.indexOf(contract);
    if (at < 0) return;
    this.#contracts.splice(at, 1);
    this.#validUntil = -Infinity;
  }

  /** The contracts that are traded at a time, the nearest delivery first. */
  at(time: number): readonly TradedContract[] {
    if (time < this.#validFrom || time >= this.#validUntil) this.#list(time);
    return this.#traded;
  }

  isTraded(contract: TradedContract, time: number): boolean {
    this.at(time);
    return this.#isTraded.has(contract);
  }

  /** One of them, by weight; null where all deliveries have started. */
  pick(time: number, random: SeededRandom): TradedContract | null {
    const contracts = this.at(time);
    const at = random.next() * (this.#sums.at(-1) ?? 0);
    const index = this.#sums.findIndex((sum) => at < sum);
    return contracts[index] ?? null;
  }

  /** The same delivery at another node; null where none is traded. */
  related(contract: TradedContract): TradedContract | null {
    return this.#contracts.find((other) => isRelated(other, contract)) ?? null;
  }

  #list(time: number): void {
    const waiting = this.#contracts.filter((contract) => lastTimeOf(contract) > time);
    const ranks = new Map<string, number>();
    const traded: TradedContract[] = [];
    const sums: number[] = [];
    let sum = 0;
    for (const contract of waiting) {
      const rank = ranks.get(contract.productId) ?? 0;
      ranks.set(contract.productId, rank + 1);
      if (rank >= this.#perProduct) continue;
      sum += WEIGHTS[contract.type] / 2 ** rank;
      traded.push(contract);
      sums.push(sum);
    }
    this.#traded = traded;
    this.#sums = sums;
    this.#validFrom = time;
    this.#validUntil = waiting.reduce((least, contract) => Math.min(least, lastTimeOf(contract)), Infinity);
    this.#isTraded = new Set(traded);
  }
}

function lastTimeOf({ deliveryStart, type }: TradedContract): number {
  return deliveryStart - (LEAD_MS[type] ?? 0);
}

function isRelated(other: TradedContract, contract: TradedContract): boolean {
  return other.node !== contract.node && other.marketId === contract.marketId && other.type === contract.type &&
    other.shape === contract.shape && other.deliveryStart === contract.deliveryStart &&
    other.deliveryEnd === contract.deliveryEnd;
}
