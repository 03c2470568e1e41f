// One persona's own forecasts of contract values. They are late, wrong, and revised at times of the persona's own.
//
// Revisions come at exponentially distributed times. A revision shows the best forecast as it was public a while ago, an
// exponentially distributed delay, and never an older version than the revision before. To it comes the persona's error: a
// part that all contracts of one delivery day or period share, and a smaller part of each contract. Both are
// autoregressions in time, with normal innovations, as a share of the price, and larger for products that move more.
//
// Forecasts depend on the seed and on the times of listings alone, not on how often they are read. Cost of a revision: one
// normal number for each contract before delivery and each group. No allocation.

import { HOUR_MS } from "../../protocol/time-units.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { opinionFactor, sharedOpinionFactor } from "./price-moves.ts";
import type { ForecastSkill } from "./settings.ts";
import type { ForecastContract, ForecastEntry, ForecastSource } from "./forecast-source.ts";

/** Time after which an error has fallen to 1/e. */
const ERROR_MEMORY_MS = 4 * HOUR_MS;
/** Shares of the two parts in the standard deviation of the error; their squares sum to 1. */
const SHARED_PART = 0.95;
const OWN_PART = Math.sqrt(1 - SHARED_PART ** 2);
/** Lower bound of the price that errors are a share of, in cents/MWh, so errors of prices near 0 don't vanish. */
const LEAST_SCALE = 500;

export class PrivateForecasts {
  /** Number of revisions so far. */
  revision = 0;
  /** How often something was announced to everybody. */
  announcements = 0;
  /** By slot. */
  #values = new Float64Array(64);
  #errors = new Float64Array(64);
  /** By group. */
  #groupErrors = new Float64Array(16);
  #nextRevision: number;
  #lastRevision: number;
  /** The version of the best forecast that it has seen. */
  #seenTime: number;
  /** Groups advanced in the current revision. */
  readonly #advanced = new Set<number>();

  constructor(
    private readonly source: ForecastSource,
    private readonly skill: ForecastSkill,
    private readonly random: SeededRandom,
    startTime: number,
  ) {
    this.#lastRevision = this.#seenTime = startTime;
    this.#nextRevision = startTime + skill.revisionMeanMs * random.exponential();
  }

  /** Makes the revisions that are due. Times must not go back. */
  advanceTo(time: number): void {
    while (this.#nextRevision <= time) {
      this.#revise(this.#nextRevision);
      this.#nextRevision += Math.max(1, this.skill.revisionMeanMs * this.random.exponential());
    }
  }

  /**
   * Cents/MWh, not rounded, as of the last revision. In delivery it is the best forecast: most of its prices are known.
   * Throws for an unknown contract.
   */
  of(contract: ForecastContract): number {
    const entry = this.source.entry(contract);
    return entry.isTraded ? this.#values[entry.slot]! : this.source.best(contract);
  }

  /** A contract is listed. `isNewGroup`: it is the first of its group. */
  listed(entry: ForecastEntry, { isNewGroup }: { readonly isNewGroup: boolean }): void {
    const { slot, group } = entry;
    if (slot >= this.#values.length) {
      this.#values = grown(this.#values, slot);
      this.#errors = grown(this.#errors, slot);
    }
    if (group >= this.#groupErrors.length) this.#groupErrors = grown(this.#groupErrors, group);
    if (isNewGroup) this.#groupErrors[group] = this.random.normal();
    this.#errors[slot] = this.random.normal();
    this.#setValue(entry);
  }

  /** Something was announced, which all versions of the best forecasts include from now on. */
  announced(): void {
    this.revision += 1;
    this.announcements += 1;
    for (const entry of this.source.traded) this.#setValue(entry);
  }

  #revise(time: number): void {
    this.revision += 1;
    this.#seenTime = Math.max(this.#seenTime, time - this.skill.delayMs * this.random.exponential());
    const memory = Math.exp(-(time - this.#lastRevision) / ERROR_MEMORY_MS);
    const noise = Math.sqrt(1 - memory ** 2);
    this.#lastRevision = time;
    this.#advanced.clear();
    for (const entry of this.source.traded) {
      const { slot, group } = entry;
      if (!this.#advanced.has(group)) {
        this.#advanced.add(group);
        this.#groupErrors[group] = memory * this.#groupErrors[group]! + noise * this.random.normal();
      }
      this.#errors[slot] = memory * this.#errors[slot]! + noise * this.random.normal();
      this.#setValue(entry);
    }
  }

  #setValue(entry: ForecastEntry): void {
    const { slot, group } = entry;
    const best = this.source.publicAt(entry, this.#seenTime);
    const { type } = entry.contract;
    const error = SHARED_PART * sharedOpinionFactor(type) * this.#groupErrors[group]! +
      OWN_PART * opinionFactor(type) * this.#errors[slot]!;
    this.#values[slot] = best + Math.max(Math.abs(best), LEAST_SCALE) * this.skill.errorShare * error;
  }
}

function grown(values: Float64Array, place: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * place + 2);
  larger.set(values);
  return larger;
}
