// A persona's business in one contract: its strategies there, the orders that it has out, and the views that it shows to
// the strategies, which it keeps and changes in place.
//
// Invariants: at most one order a side; while an answer is out, no further action. An order's open quantity counts as what
// it may be at most, also while a change of it is out.

import { BUY, crosses, SELL, type Side } from "../market/order-book.ts";
import type { Account, MarketView, RelatedContract, Strategy } from "../strategies/strategy.ts";
import { Backoff } from "./backoff.ts";
import type { Assignment } from "./assignments.ts";
import type { ContractExposure } from "./exposure.ts";
import type { Terms } from "./mandate.ts";
import type { ContractBook, PersonaAction } from "./persona.ts";
import type { TradedContract } from "./traded-contract.ts";

export interface WorkingOrder {
  readonly reference: number;
  readonly trader: ContractTrader;
  readonly side: Side;
  price: number;
  /** Ordered, in kW, what is filled included. */
  quantity: number;
  filled: number;
  assignment: Assignment | null;
  /** The action that is not yet answered. */
  pending: PersonaAction["kind"] | null;
  /** What a change that is out would make of it. */
  nextPrice: number;
  nextQuantity: number;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

export class ContractTrader {
  readonly market: Writable<MarketView>;
  readonly account: Writable<Account>;
  readonly terms: Terms = { limitPrice: 0, value: 0, buyQuantity: 0, sellQuantity: 0, assignment: null };
  readonly #related: Writable<RelatedContract> = { bestBid: null, bestAsk: null, fundamentalValue: 0, position: 0 };
  readonly #orders: [WorkingOrder | null, WorkingOrder | null] = [null, null];
  /** By side, the price of the quote that its orders may not trade with. */
  readonly #barriers: [number, number] = [NaN, NaN];
  readonly backoff = new Backoff();

  /** Whether a strategy here learns from market updates. */
  readonly learns: boolean;

  /**
   * `related`: the same delivery at another node, if it is traded. `strategies` by the side on which they trade; one that
   * trades on both is there once.
   */
  constructor(
    readonly contract: TradedContract,
    readonly related: TradedContract | null,
    readonly strategies: readonly Strategy[],
    readonly exposure: ContractExposure,
  ) {
    this.learns = strategies.some(({ observe }) => observe !== undefined);
    const { minimumPrice, maximumPrice, tick } = contract;
    this.market = {
      time: 0,
      timeLeftMs: 0,
      bestBid: null,
      bestAsk: null,
      lastPrice: null,
      lowestPrice: minimumPrice,
      highestPrice: maximumPrice,
      tick,
    };
    this.account = {
      limitPrice: 0,
      fundamentalValue: 0,
      position: 0,
      averagePrice: null,
      buyQuantity: 0,
      sellQuantity: 0,
      workingBid: null,
      workingAsk: null,
      related: null,
    };
  }

  get isWaiting(): boolean {
    const [bid, ask] = this.#orders;
    return (bid !== null && bid.pending !== null) || (ask !== null && ask.pending !== null);
  }

  get hasOrders(): boolean {
    return this.#orders[BUY] !== null || this.#orders[SELL] !== null;
  }

  orderOn(side: Side): WorkingOrder | null {
    return this.#orders[side];
  }

  setOrder(side: Side, order: WorkingOrder | null): void {
    this.#orders[side] = order;
    if (side === BUY) this.account.workingBid = order?.price ?? null;
    else this.account.workingAsk = order?.price ?? null;
  }

  /**
   * The price at which an order may be that is wanted at `price`. One of its own that has been resting across the best
   * quote of the other side met somebody whom it may not trade with; as long as that quote stands, orders stay a tick
   * behind it, so that the book does not look crossed for no gain.
   */
  behindBarrier(side: Side, price: number): number {
    const { bestBid, bestAsk, tick } = this.market;
    const facing = side === BUY ? bestAsk : bestBid;
    const resting = this.#orders[side];
    if (facing === null) return price;
    if (resting !== null && crosses(side, resting.price, facing)) this.#barriers[side] = facing;
    if (this.#barriers[side] !== facing || !crosses(side, price, facing)) return price;
    return side === BUY ? facing - tick : facing + tick;
  }

  /** The strategy that trades now: that of the side where there is something to trade, or the only one. */
  get strategy(): Strategy | undefined {
    return this.strategies.length === 1 || this.terms.sellQuantity === 0 ? this.strategies[BUY] : this.strategies[SELL];
  }

  showMarket(time: number, { bestBid, bestAsk, lastPrice }: ContractBook): void {
    const { market } = this;
    market.time = time;
    market.timeLeftMs = Math.max(0, this.contract.deliveryStart - time);
    market.bestBid = bestBid;
    market.bestAsk = bestAsk;
    market.lastPrice = lastPrice;
  }

  showRelated({ bestBid, bestAsk }: ContractBook, fundamentalValue: number, position: number): void {
    const shown = this.#related;
    shown.bestBid = bestBid;
    shown.bestAsk = bestAsk;
    shown.fundamentalValue = fundamentalValue;
    shown.position = position;
    this.account.related = shown;
  }
}

/** kW that may still be filled, whatever the market answers. */
export function mostOpen({ quantity, nextQuantity, filled, pending }: WorkingOrder): number {
  return (pending === "modify" ? Math.max(quantity, nextQuantity) : quantity) - filled;
}
