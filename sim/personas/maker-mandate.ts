// The mandate of a market maker: it quotes every traded contract, all the time, around its belief of the value.
//
// A wake-up reviews only the contracts that may need it: those that have traded or been listed since, those whose belief has
// moved, and always the next few in turn. A trade in a day's base moves the beliefs of its hours, so these are quoted anew as
// well. Single hours come after the others. A quote that is off by less than a part of the usual half spread stays, in wild
// times too.
//
// The half spread grows with the square root of the volatility that the maker sees: a spread in proportion to it would leave
// the book to those who quote inside, and the middle would jump with each of their orders. It also grows for some minutes each
// time the maker is filled: whoever trades with it may know more. And it grows in the last hours before delivery, when less
// time is left to trade a position away.

import { HOUR_MS } from "../../protocol/time-units.ts";
import type { PrivateForecasts } from "../information/private-forecasts.ts";
import { BUY } from "../../engine/market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import type { LiquidityProfile } from "./liquidity-profile.ts";
import { MakerBelief } from "./maker-belief.ts";
import { type Mandate, scaleOf, type Situation, type Terms, usualHalfSpread } from "./mandate.ts";
import type { ContractUpdate } from "./persona.ts";
import { DAILY_SD } from "../information/price-moves.ts";
import { middleOf } from "../strategies/quotes.ts";
import type { TradedContract } from "./traded-contract.ts";

interface MakerMandateOptions {
  readonly profile: LiquidityProfile;
  readonly forecasts: PrivateForecasts;
  /** Half a normal spread of a day's base, as a share of the price. */
  readonly halfSpread: number;
  /** Mean lots of its orders. */
  readonly lots: number;
  readonly random: SeededRandom;
}

interface Quoted {
  readonly contract: TradedContract;
  readonly belief: MakerBelief;
  /** Half a normal spread when the contract was first seen, in cents/MWh. */
  readonly firstHalfSpread: number;
  isQueued: boolean;
  position: number;
  /** Orders filled of late. */
  pressure: number;
  reviewTime: number;
  /** Lots of its next orders. */
  buyLots: number;
  sellLots: number;
  /** Of the last review. */
  reviewedValue: number;
  tolerance: number;
}

/** A quote closer than this to the wanted price stays, in usual half spreads: that of a single hour, and others. */
const HOUR_TOLERANCE = 0.5;
const TOLERANCE = 0.25;
/** Contracts looked at in turn, in addition, at each wake-up. */
const IN_TURN = 10;
/** Growth of the spread for one filled order, and the time in which it fades by a factor of e. */
const PRESSURE_GROWTH = 0.3;
const MOST_PRESSURE = 4;
const PRESSURE_MS = 180_000;
/** Growth of the spread at delivery, and the time before it in which that grows by a factor of e. */
const DELIVERY_GROWTH = 0.6;
const DELIVERY_MS = HOUR_MS;
/** Bounds of the growth with volatility. */
const LEAST_GROWTH = 0.5;
const MOST_GROWTH = 8;

export class MakerMandate implements Mandate {
  /** By the contract's index, in the order of listing. */
  readonly #quoted = new Map<number, Quoted>();
  #inTurn: Quoted[] = [];
  #nextInTurn = 0;
  readonly #queue = new ReviewQueue<Quoted>();
  /** Single hours come after everything else: they are many, and most of them trade seldom. */
  readonly #hours = new ReviewQueue<Quoted>();
  #listed: readonly TradedContract[] | null = null;
  #revision = -1;
  #announcements = 0;
  /** Whether beliefs have moved since the last wake-up. */
  #hasMoved = false;

  constructor(private readonly options: MakerMandateOptions) {}

  wake(time: number): void {
    const { profile, forecasts } = this.options;
    const listed = profile.at(time);
    if (listed !== this.#listed) this.#list(listed, time);
    if (forecasts.revision !== this.#revision) {
      this.#revision = forecasts.revision;
      const isAnnounced = forecasts.announcements !== this.#announcements;
      this.#announcements = forecasts.announcements;
      for (const { belief, contract } of this.#inTurn) {
        if (isAnnounced) belief.announced(forecasts.of(contract));
        else belief.revised(forecasts.of(contract), time);
      }
      this.#hasMoved = true;
    }
    if (this.#hasMoved) {
      for (const quoted of this.#inTurn) {
        if (Math.abs(quoted.belief.value - quoted.reviewedValue) > quoted.tolerance) this.#enqueue(quoted);
      }
      this.#hasMoved = false;
    }
    for (let count = 0; count < IN_TURN && this.#inTurn.length > 0; count++) {
      this.#nextInTurn = (this.#nextInTurn + 1) % this.#inTurn.length;
      this.#enqueue(this.#inTurn[this.#nextInTurn]!);
    }
  }

  next(time: number): TradedContract | null {
    const { profile } = this.options;
    for (;;) {
      const quoted = this.#queue.take() ?? this.#hours.take();
      if (quoted === null) return null;
      quoted.isQueued = false;
      if (profile.isTraded(quoted.contract, time)) return quoted.contract;
    }
  }

  review(contract: TradedContract, { time, position, book }: Situation, terms: Terms): void {
    const quoted = this.#quoted.get(contract.index);
    if (quoted === undefined) throw new Error(`${contract.id} is reviewed before it is listed`);
    const { belief, firstHalfSpread } = quoted;
    const middle = middleOf(book);
    if (middle !== null) belief.saw(middle, time);
    const usual = usualHalfSpread(contract, this.options.halfSpread, belief.value);
    const halfSpread = usual * this.#spreadGrowth(quoted, position, time);
    terms.value = terms.limitPrice = belief.value;
    if (Math.abs(belief.value - quoted.reviewedValue) > quoted.tolerance) {
      quoted.buyLots = this.#drawLots();
      quoted.sellLots = this.#drawLots();
    }
    terms.buyQuantity = quoted.buyLots * contract.lot;
    terms.sellQuantity = quoted.sellLots * contract.lot;
    terms.assignment = null;
    terms.spreadFactor = halfSpread / firstHalfSpread;
    terms.tolerance = (contract.type === "hour" ? HOUR_TOLERANCE : TOLERANCE) * Math.min(usual, halfSpread);
    quoted.reviewedValue = terms.value;
    quoted.tolerance = terms.tolerance;
  }

  forget(contract: TradedContract): void {
    this.#quoted.delete(contract.index);
    this.#listed = null;
  }

  observe({ contract, side, quantity, isTrade }: ContractUpdate, time: number): void {
    const quoted = this.#quoted.get(contract.index);
    if (!isTrade || quoted === undefined) return;
    this.#hasMoved = true;
    quoted.belief.traded(side === BUY ? 1 : -1, quantity, time);
    this.#enqueue(quoted);
  }

  /** Sizes of its orders vary, so some levels of the book are thin. */
  #drawLots(): number {
    return Math.max(1, Math.round(this.options.lots * this.options.random.exponential()));
  }

  /** The half spread in usual ones. */
  #spreadGrowth(quoted: Quoted, position: number, time: number): number {
    const { contract, belief } = quoted;
    const filled = Math.abs(position - quoted.position) / (this.options.lots * contract.lot);
    quoted.pressure *= Math.exp(-(time - quoted.reviewTime) / PRESSURE_MS);
    quoted.pressure = Math.min(MOST_PRESSURE, quoted.pressure + filled);
    quoted.position = position;
    quoted.reviewTime = time;
    const volatility = belief.dailySd / (DAILY_SD[contract.type] * scaleOf(belief.value));
    const timeLeft = Math.max(0, contract.deliveryStart - time);
    return Math.min(MOST_GROWTH, Math.max(LEAST_GROWTH, Math.sqrt(volatility))) *
      (1 + PRESSURE_GROWTH * quoted.pressure) * (1 + DELIVERY_GROWTH * Math.exp(-timeLeft / DELIVERY_MS));
  }

  #enqueue(quoted: Quoted): void {
    if (quoted.isQueued) return;
    quoted.isQueued = true;
    (quoted.contract.type === "hour" ? this.#hours : this.#queue).add(quoted);
  }

  #list(listed: readonly TradedContract[], time: number): void {
    const { forecasts, halfSpread } = this.options;
    this.#listed = listed;
    for (const contract of listed) {
      if (this.#quoted.has(contract.index)) continue;
      const forecast = forecasts.of(contract);
      const quoted: Quoted = {
        contract,
        belief: new MakerBelief(contract, forecast, time),
        firstHalfSpread: usualHalfSpread(contract, halfSpread, forecast),
        isQueued: false,
        position: 0,
        pressure: 0,
        reviewTime: time,
        buyLots: this.#drawLots(),
        sellLots: this.#drawLots(),
        reviewedValue: forecast,
        tolerance: 0,
      };
      this.#quoted.set(contract.index, quoted);
      this.#enqueue(quoted);
    }
    this.#inTurn = [...this.#quoted.values()];
    for (const { contract, belief } of this.#inTurn) {
      if (contract.type === "base" || contract.type === "peak") belief.parts = this.#partsOf(contract);
    }
  }

  /** The hours that make up a contract's delivery; null unless all of them are quoted. */
  #partsOf({ node, deliveryStart, deliveryEnd, minutes, marketId }: TradedContract): MakerBelief[] | null {
    const parts = this.#inTurn.filter(({ contract }) =>
      contract.type === "hour" && contract.node === node && contract.marketId === marketId &&
      contract.deliveryStart >= deliveryStart && contract.deliveryEnd <= deliveryEnd
    );
    const covered = parts.reduce((sum, { contract }) => sum + contract.minutes, 0);
    return covered === minutes ? parts.map(({ belief }) => belief) : null;
  }
}

/** What waits for a review, oldest first. O(1) for each addition and removal; the space is freed once the queue is empty. */
class ReviewQueue<Item> {
  readonly #waiting: Item[] = [];
  #head = 0;

  add(item: Item): void {
    this.#waiting.push(item);
  }

  /** Removes and returns the oldest; null if nothing waits. */
  take(): Item | null {
    const first = this.#waiting[this.#head];
    if (first !== undefined) {
      this.#head += 1;
      return first;
    }
    this.#waiting.length = this.#head = 0;
    return null;
  }
}
