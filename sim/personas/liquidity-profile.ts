// Which contracts personas turn to: the nearest deliveries of each product, the first twice as often as the second, and so
// on, so that orders meet and the front contracts have two sides. When a delivery starts, the next contracts move up.
//
// Only contracts at a node with a spot price are traded: for others there is no forecast.

import type { SeededRandom } from "../random/seeded-random.ts";
import type { ProductType, TradedContract } from "./traded-contract.ts";

/** How often each kind of product is turned to. Of single hours there are many. */
const WEIGHTS: Readonly<Record<ProductType, number>> = { hour: 0.5, base: 2, peak: 1, week: 1, month: 1, quarter: 0.5 };

export class LiquidityProfile {
  readonly #contracts: readonly TradedContract[];
  readonly #perProduct: number;
  /** Traded until `#validUntil`, with the sums of their weights up to each. */
  #traded: readonly TradedContract[] = [];
  #sums: readonly number[] = [];
  #validFrom = Infinity;
  #validUntil = -Infinity;

  constructor(contracts: readonly TradedContract[], nodes: readonly string[], contractsPerProduct: number) {
    this.#contracts = contracts.filter(({ node }) => nodes.includes(node))
      .sort((a, b) => a.deliveryStart - b.deliveryStart || a.index - b.index);
    this.#perProduct = contractsPerProduct;
  }

  /** The contracts that are traded at a time, the nearest delivery first. */
  at(time: number): readonly TradedContract[] {
    if (time < this.#validFrom || time >= this.#validUntil) this.#list(time);
    return this.#traded;
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
    const waiting = this.#contracts.filter(({ deliveryStart }) => deliveryStart > time);
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
    this.#validUntil = waiting[0]?.deliveryStart ?? Infinity;
  }
}

function isRelated(other: TradedContract, contract: TradedContract): boolean {
  return other.node !== contract.node && other.marketId === contract.marketId && other.type === contract.type &&
    other.shape === contract.shape && other.deliveryStart === contract.deliveryStart &&
    other.deliveryEnd === contract.deliveryEnd;
}
