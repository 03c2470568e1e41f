// Which contracts personas trade, and how often they choose each. All listed single hours are traded, and of each other
// product the nearest deliveries, each half as often as the one before it. When a delivery starts, the next contract moves
// up. A day's contracts are chosen more often the nearer their delivery is, single hours above all in their last three hours,
// and those at a node more often in its busy hours. Personas leave a single hour, and a day's peak, at the gate: five
// minutes before delivery, as within a German control zone (docs/simulator.md has the sources).
//
// What is traded, and how often, depends on the hour and the contracts alone, not on when anybody asks: so an observer who
// asks changes nothing.
//
// Only contracts at a node with a spot price are traded, because the others have no forecast.
//
// Cost: a choice is a binary search. The list is made anew every hour, and when contracts come and go.

import { HOUR_MS, MINUTE_MS } from "../../protocol/time-units.ts";
import type { Activity } from "./activity.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import type { ProductType, TradedContract } from "./traded-contract.ts";

interface Choice {
  /** Relative frequency long before delivery. */
  readonly weight: number;
  /** At delivery a contract is chosen this much more often, besides once. */
  readonly growth: number;
  /** For how long before delivery that grows, in hours. */
  readonly growthHours: number;
}

const CHOICE: Readonly<Record<ProductType, Choice>> = {
  hour: { weight: 0.03, growth: 30, growthHours: 2 },
  base: { weight: 2, growth: 2, growthHours: 8 },
  peak: { weight: 1, growth: 2, growthHours: 8 },
  weekend: { weight: 0.4, growth: 2, growthHours: 24 },
  week: { weight: 0.6, growth: 2, growthHours: 24 },
  month: { weight: 0.4, growth: 2, growthHours: 24 },
  quarter: { weight: 0.2, growth: 2, growthHours: 24 },
  year: { weight: 0.2, growth: 2, growthHours: 24 },
};

/** Personas leave a contract of a part of a day so long before its delivery. */
export const GATE_MS = 5 * MINUTE_MS;
const HAS_GATE: ReadonlySet<ProductType> = new Set(["hour", "peak"]);

export class LiquidityProfile {
  /** By delivery start, then by index. */
  readonly #contracts: TradedContract[] = [];
  /** Contracts traded from `#validFrom` until `#validUntil`, with the cumulative sums of their weights. */
  #traded: readonly TradedContract[] = [];
  #isTraded: ReadonlySet<TradedContract> = new Set();
  #sums: readonly number[] = [];
  #validFrom = Infinity;
  #validUntil = -Infinity;

  constructor(
    private readonly nodes: readonly string[],
    private readonly contractsPerProduct: number,
    private readonly activity: Pick<Activity, "ratioAt">,
  ) {}

  add(contract: TradedContract): void {
    if (!this.nodes.includes(contract.node)) return;
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
    let least = 0;
    let most = sums.length - 1;
    while (least < most) {
      const middle = (least + most) >> 1;
      if (at >= sums[middle]!) least = middle + 1;
      else most = middle;
    }
    return contracts[least] ?? null;
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
    const hour = Math.floor(time / HOUR_MS) * HOUR_MS;
    for (const contract of waiting) {
      const rank = ranks.get(contract.productId) ?? 0;
      ranks.set(contract.productId, rank + 1);
      if (contract.type !== "hour" && rank >= this.contractsPerProduct) continue;
      const busy = this.activity.ratioAt(contract.node, hour);
      sum += busy * weightOf(contract, hour) / (contract.type === "hour" ? 1 : 2 ** rank);
      traded.push(contract);
      sums.push(sum);
    }
    this.#traded = traded;
    this.#sums = sums;
    this.#validFrom = time;
    this.#validUntil = waiting.reduce((least, contract) => Math.min(least, lastTimeOf(contract)), hour + HOUR_MS);
    this.#isTraded = new Set(traded);
  }
}

function weightOf({ type, deliveryStart }: TradedContract, time: number): number {
  const { weight, growth, growthHours } = CHOICE[type];
  return weight * (1 + growth * Math.exp((time - deliveryStart) / (growthHours * HOUR_MS)));
}

function lastTimeOf({ deliveryStart, type }: TradedContract): number {
  return HAS_GATE.has(type) ? deliveryStart - GATE_MS : deliveryStart;
}

function isRelated(other: TradedContract, contract: TradedContract): boolean {
  return other.node !== contract.node && other.marketId === contract.marketId && other.type === contract.type &&
    other.shape === contract.shape && other.deliveryStart === contract.deliveryStart &&
    other.deliveryEnd === contract.deliveryEnd;
}
