// A mandate by assignments: parent orders that the trader is told to work. Each is for one contract: a side, a quantity, a
// limit price, and a life. They come at exponentially distributed times, more often in busy hours. Quantities have a heavy
// tail: a Pareto distribution, as Gabaix et al. find for trades ("A theory of power-law distributions in financial market
// fluctuations", Nature 423, 2003). The trader works a parent order in child orders, so the signs of trades have a memory
// (Lillo, Mike & Farmer, "Theory for long memory in supply and demand", Physical Review E 71, 2005).
//
// The limit price is the trader's valuation and a private need: buyers pay more than the value, sellers take less,
// both with the same distribution. A trader that finds the market cheap is likelier to buy, and the larger the position, the
// likelier is an order to reduce it. Otherwise traders would reach their position limits and stay there.

import { opinionFactor } from "../information/price-moves.ts";
import { BUY, SELL } from "../../engine/market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import type { Activity } from "./activity.ts";
import { type Assignment, type Assignments, MAX_LIFE_MS } from "./assignments.ts";
import type { LiquidityProfile } from "./liquidity-profile.ts";
import { type Mandate, scaleOf, type Situation, type Terms } from "./mandate.ts";
import type { ParentOrderSettings } from "./settings.ts";
import { middleOf } from "../strategies/quotes.ts";
import type { TradedContract } from "./traded-contract.ts";

interface AssignmentMandateOptions {
  readonly random: SeededRandom;
  readonly profile: LiquidityProfile;
  readonly activity: Activity;
  readonly assignments: Assignments;
  readonly parentOrders: ParentOrderSettings;
  /** kW. At this position nearly every assignment reduces the position. */
  readonly fullPosition: number;
}

interface ParentOrder {
  readonly contract: TradedContract;
  readonly assignment: Assignment;
  readonly endTime: number;
  /** kW of one child order. */
  readonly clip: number;
}

/** Exponent of the Pareto distribution of quantities. */
const TAIL_EXPONENT = 1.5;
/** Mean number of child orders is one more. */
const MEAN_FURTHER_CHILDREN = 15;
/** Log odds of buying, for a market that is cheap by a usual need, and for a full position. */
const GAIN_WEIGHT = 0.7;
const POSITION_WEIGHT = 4;

/** Weight of the trader's own forecast against the middle of the book. */
const OWN_OPINION = 0.2;

export class AssignmentMandate implements Mandate {
  /** By the contract's index. */
  readonly #parents = new Map<number, ParentOrder>();
  /** The contract of a parent order that is about to be drawn. */
  #starting: TradedContract | null = null;
  #nextStart = NaN;
  #hasChosen = false;

  constructor(private readonly options: AssignmentMandateOptions) {}

  wake(time: number): void {
    this.#hasChosen = false;
    if (Number.isNaN(this.#nextStart)) this.#nextStart = time + this.#interval(time);
  }

  next(time: number): TradedContract | null {
    if (this.#hasChosen) return null;
    this.#hasChosen = true;
    const { profile, random } = this.options;
    if (this.#nextStart <= time) {
      this.#nextStart = time + this.#interval(time);
      const picked = profile.pick(time, random);
      if (picked !== null && !this.#parents.has(picked.index)) return this.#starting = picked;
    }
    return this.#oneOfTheParents(time);
  }

  review(contract: TradedContract, situation: Situation, terms: Terms): void {
    if (this.#starting === contract) {
      this.#starting = null;
      this.#parents.set(contract.index, this.#draw(contract, situation));
    }
    const parent = this.#parents.get(contract.index);
    terms.value = situation.forecast;
    terms.limitPrice = parent?.assignment.limitPrice ?? situation.forecast;
    terms.buyQuantity = 0;
    terms.sellQuantity = 0;
    terms.assignment = null;
    if (parent === undefined) return;
    const { assignment, endTime, clip } = parent;
    if (situation.time >= endTime || assignment.remaining < contract.lot) {
      this.#parents.delete(contract.index);
      return;
    }
    terms.assignment = assignment;
    if (assignment.side === BUY) terms.buyQuantity = Math.min(clip, assignment.remaining);
    else terms.sellQuantity = Math.min(clip, assignment.remaining);
  }

  forget(contract: TradedContract): void {
    this.#parents.delete(contract.index);
    if (this.#starting === contract) this.#starting = null;
  }

  #oneOfTheParents(time: number): TradedContract | null {
    const { profile, random } = this.options;
    const count = this.#parents.size;
    let left = count > 1 ? random.integer(0, count - 1) : 0;
    for (const { contract } of this.#parents.values()) {
      if (left-- > 0) continue;
      if (profile.isTraded(contract, time)) return contract;
      this.#parents.delete(contract.index);
      return null;
    }
    return null;
  }

  #interval(time: number): number {
    const { random, activity, parentOrders } = this.options;
    return parentOrders.intervalMs * random.exponential() / activity.at(time);
  }

  /** What it thinks the contract is worth: mostly what the book says, because the book knows what others know. */
  #valueOf({ forecast, book }: Situation): number {
    const middle = middleOf(book);
    return middle === null ? forecast : middle + OWN_OPINION * (forecast - middle);
  }

  #chanceOfBuying({ type }: TradedContract, situation: Situation, value: number): number {
    const { position, book } = situation;
    const gain = (value - (middleOf(book) ?? value)) /
      (this.options.parentOrders.need * opinionFactor(type) * scaleOf(value) + 1);
    return 1 / (1 + Math.exp(POSITION_WEIGHT * position / this.options.fullPosition - GAIN_WEIGHT * gain));
  }

  #draw(contract: TradedContract, situation: Situation): ParentOrder {
    const { time } = situation;
    const { random, activity, assignments, parentOrders } = this.options;
    const { need, leastLots, mostLots, lifeMs } = parentOrders;
    const value = this.#valueOf(situation);
    const side = random.next() < this.#chanceOfBuying(contract, situation, value) ? BUY : SELL;
    const scale = need * opinionFactor(contract.type) * scaleOf(value);
    const limitPrice = Math.round(value + (side === BUY ? scale : -scale) * Math.abs(random.normal()));
    const lots = Math.min(mostLots, Math.floor(leastLots * (1 - random.next()) ** (-1 / TAIL_EXPONENT)));
    const children = 1 + MEAN_FURTHER_CHILDREN * random.exponential();
    return {
      contract,
      assignment: assignments.issue(contract, time, side, limitPrice, lots * contract.lot),
      endTime: time + Math.min(MAX_LIFE_MS, lifeMs * random.exponential() / activity.at(time)),
      clip: Math.max(1, Math.round(lots / children)) * contract.lot,
    };
  }
}
