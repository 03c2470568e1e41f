// Which contracts personas trade, and how often they choose each. Of each product the nearest deliveries are traded,
// each half as often as the one before it, so orders meet in the front contracts. When a delivery starts, the next
// contract moves up. Single hours are traded until 12 hours before delivery, a day's peak until 6 hours before: after
// that their forecasts move with every spot price, faster than personas trade.
//
// Only contracts at a node with a spot price are traded, because the others have no forecast.

import type { SeededRandom } from "../random/seeded-random.ts";
import type { ProductType, TradedContract } from "./traded-contract.ts";

/** Relative frequency of each product type. There are many single hours, so each is rare. */
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
/** Trading ends this long before delivery. */
const LEAD_MS: Readonly<Partial<Record<ProductType, number>>> = { hour: 12 * HOUR_MS, peak: 6 * HOUR_MS };

export class LiquidityProfile {
  /** By delivery start, then by index. */
  readonly #contracts: TradedContract[] = [];
  readonly #nodes: readonly string[];
  readonly #perProduct: number;
  /** Contracts traded from `#validFrom` until `#validUntil`, with the cumulative sums of their weights. */
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

  /** Does nothing for an unknown contract. */
  remove(contract: TradedContract): void {
    const at = this.#contracts.indexOf(contract);
    if (at < 0) return;
    this.#contracts.splice(at, 1);
    this.#validUntil = -Infinity;
  }

  /** The contracts traded at a time, nearest delivery first. */
  at(time: number): readonly TradedContract[] {
    if (time < this.#validFrom || time >= this.#validUntil) this.#list(time);
    return this.#traded;
  }

  isTraded(contract: TradedContract, time: number): boolean {
    this.at(time);
    return this.#isTraded.has(contract);
  }

  /** One of the traded contracts, drawn by weight; null if there are none. */
  pick(time: number, random: SeededRandom): TradedContract | null {
    const contracts = this.at(time);
    const sums = this.#sums;
    const at = random.next() * (sums.at(-1) ?? 0);
    let index = 0;
    while (index < sums.length && at >= sums[index]!) index += 1;
    return contracts[index] ?? null;
  }

  /** The contract for the same delivery at the other node; null if it is not traded. */
  related(contract: TradedContract): TradedContract | null {
    return this.#contracts.find((other) => isRelated(other, contract)) ?? null;
  }

  /** The contracts that are not in delivery and match, nearest delivery first. */
  matching(isWanted: (contract: TradedContract) => boolean): TradedContract[] {
    return this.#contracts.filter(isWanted);
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
