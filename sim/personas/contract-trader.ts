// A persona's trading in one contract: its strategies, its open orders, and the views that it shows to the strategies.
// The views are changed in place.
//
// Invariants: at most one order a side, and beside it one that it replaces, until the market has confirmed its cancel. Nothing
// is sent while a wake-up's actions are unanswered. While a change of an order is unanswered, its open quantity counts as
// the larger of both.

import { BUY, crosses, opposite, SELL, type Side } from "../../engine/market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import type { StrategyMaker } from "../strategies/registry.ts";
import {
  type Account,
  type ContractFacts,
  EMPTY_ACCOUNT,
  EMPTY_MARKET,
  type MarketView,
  type RelatedContract,
  type Strategy,
  type Writable,
} from "../strategies/strategy.ts";
import { DayPackage } from "./day-package.ts";
import { RefusalPause } from "./refusal-pause.ts";
import type { Assignment } from "./assignments.ts";
import type { EntityBook, EntityOrders } from "./entity-orders.ts";
import { ContractExposure } from "./exposure.ts";
import type { LiquidityProfile } from "./liquidity-profile.ts";
import { emptyTerms, type Terms, usualHalfSpread } from "./mandate.ts";
import type { Hearing } from "./market-listeners.ts";
import type { ContractBook, PersonaAction } from "./persona.ts";
import type { TradedContract } from "./traded-contract.ts";

export interface WorkingOrder {
  readonly reference: number;
  readonly trader: ContractTrader;
  readonly side: Side;
  readonly price: number;
  /** The same: its price never changes. */
  readonly nextPrice: number;
  /** kW ordered, including the filled part. */
  quantity: number;
  filled: number;
  assignment: Assignment | null;
  /** The unanswered action; null if there is none. */
  pending: PersonaAction["kind"] | null;
  /** Quantity after an unanswered change. */
  nextQuantity: number;
}

export interface ContractTraderOptions {
  readonly entry: StrategyMaker;
  readonly profile: LiquidityProfile;
  readonly random: SeededRandom;
  /** The orders of its entity's personas. */
  readonly entityOrders: EntityOrders;
  /** Half a normal spread, as a share of the price. */
  readonly halfSpread: number;
  /** Lots of a normal order. */
  readonly usualLots: number;
}

export class ContractTrader {
  /** The contract for the same delivery at the other node; null if it is not traded. */
  readonly related: TradedContract | null;
  /** One for each side, or a single one that trades on both sides. */
  readonly strategies: readonly Strategy[];
  readonly exposure = new ContractExposure();
  readonly market: Writable<MarketView>;
  readonly account: Writable<Account> = { ...EMPTY_ACCOUNT };
  readonly terms: Terms = emptyTerms();
  readonly #related: Writable<RelatedContract> = { bestBid: null, bestAsk: null, fundamentalValue: 0, position: 0 };
  readonly #orders: [WorkingOrder | null, WorkingOrder | null] = [null, null];
  readonly #replaced: [WorkingOrder | null, WorkingOrder | null] = [null, null];
  /** By side, the opposite best price that the persona's orders can't trade with; NaN if there is none. */
  readonly #blockingPrices: [number, number] = [NaN, NaN];
  readonly refusalPause = new RefusalPause();
  /** Null unless its strategy trades packages and the contract is part of one. */
  readonly dayPackage: DayPackage | null;
  /** The orders of its entity's personas in this contract. */
  readonly entityBook: EntityBook;

  /** Whether a strategy here learns from market updates, and from which. */
  readonly learnsFrom: Hearing | null;
  /** Whether the persona is told of market updates in this contract. */
  isListening = false;

  constructor(readonly contract: TradedContract, forecast: number, options: ContractTraderOptions) {
    this.related = options.profile.related(contract);
    this.entityBook = options.entityOrders.of(contract);
    this.strategies = createStrategies(contract, forecast, options);
    const tradesPackages = this.strategies.some((strategy) => strategy.tradesPackages === true);
    this.dayPackage = tradesPackages ? DayPackage.of(contract, options.profile) : null;
    this.learnsFrom = learnsFrom(this.strategies);
    const { minimumPrice, maximumPrice, tick } = contract;
    this.market = { ...EMPTY_MARKET, lowestPrice: minimumPrice, highestPrice: maximumPrice, tick };
  }

  /** Whether an action is unanswered. */
  get isWaiting(): boolean {
    const [bid, ask] = this.#orders;
    const [oldBid, oldAsk] = this.#replaced;
    return isPending(bid) || isPending(ask) || isPending(oldBid) || isPending(oldAsk);
  }

  /** Its orders: those that it wants, and those that they replace. */
  get orders(): WorkingOrder[] {
    return [...this.#orders, ...this.#replaced].filter((order) => order !== null);
  }

  orderOn(side: Side): WorkingOrder | null {
    return this.#orders[side];
  }

  /** The order that another one replaces, until it has ended. */
  replacedOn(side: Side): WorkingOrder | null {
    return this.#replaced[side];
  }

  /** The most that may still be filled on a side, in kW, however the market answers. */
  openOn(side: Side): number {
    return mostOpen(this.#orders[side]) + mostOpen(this.#replaced[side]);
  }

  /** A new order, in place of the one on its side. */
  addOrder(order: WorkingOrder): void {
    const { side } = order;
    this.#replaced[side] = this.#orders[side];
    this.#orders[side] = order;
    this.#showWorking(side);
  }

  /** The order has ended. */
  removeOrder(order: WorkingOrder): void {
    const { side } = order;
    if (this.#orders[side] === order) this.#orders[side] = null;
    if (this.#replaced[side] === order) this.#replaced[side] = null;
    this.#showWorking(side);
  }

  #showWorking(side: Side): void {
    const price = this.#orders[side]?.price ?? null;
    if (side === BUY) this.account.workingBid = price;
    else this.account.workingAsk = price;
  }

  /**
   * The price to use for an order wanted at `price`. If an order of ours rests across the opposite best quote, the two
   * may not trade with each other. While that quote remains, orders stay one tick behind it, so the book doesn't look
   * crossed.
   */
  behindBlockingPrice(side: Side, price: number): number {
    const { bestBid, bestAsk, tick } = this.market;
    const facing = side === BUY ? bestAsk : bestBid;
    const resting = this.#orders[side];
    if (facing === null) return price;
    if (resting !== null && crosses(side, resting.price, facing)) this.#blockingPrices[side] = facing;
    if (this.#blockingPrices[side] !== facing || !crosses(side, price, facing)) return price;
    return side === BUY ? facing - tick : facing + tick;
  }

  /** The price to use for an order wanted at `price`, so that it neither locks nor crosses an order of its entity. */
  behindOwnEntity(side: Side, price: number): number {
    return this.entityBook.behind(side, price, this.market.tick, this.#orders[opposite(side)]);
  }

  /** The strategy for the side that the terms ask to trade, or the only strategy. */
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

function createStrategies(
  contract: TradedContract,
  forecast: number,
  { entry, random, halfSpread, usualLots }: ContractTraderOptions,
): Strategy[] {
  const { id, lot } = contract;
  const facts = factsOf(contract);
  const priceScale = usualHalfSpread(contract, halfSpread, forecast);
  const sides: readonly Side[] = entry.sides === "one" ? [BUY, SELL] : [BUY];
  return sides.map((side) =>
    entry.make({
      side,
      random: random.fork(`${id} ${side}`),
      priceScale,
      quantityScale: usualLots * lot,
      contract: facts,
    })
  );
}

/** What strategies from files are told of a contract: a copy, so they can't change it. */
export function factsOf(contract: TradedContract): ContractFacts {
  const { id, productId, marketId, node, type, shape, deliveryStart, deliveryEnd, minutes, lot } = contract;
  return { id, productId, marketId, node, type, shape, deliveryStart, deliveryEnd, minutes, lot };
}

function learnsFrom(strategies: readonly Strategy[]): Hearing | null {
  const learning = strategies.filter(({ observe }) => observe !== undefined);
  if (learning.length === 0) return null;
  return learning.every(({ observesTradesOnly }) => observesTradesOnly === true) ? "trades" : "quotes";
}

/** The most that may still be filled, in kW, however the market answers. */
function mostOpen(order: WorkingOrder | null): number {
  if (order === null) return 0;
  const { quantity, nextQuantity, filled, pending } = order;
  return (pending === "modify" ? Math.max(quantity, nextQuantity) : quantity) - filled;
}

function isPending(order: WorkingOrder | null): boolean {
  return order !== null && order.pending !== null;
}
