// A persona that trades by a strategy. At each wake-up it acts in the contracts that its mandate names: it asks the mandate
// what it wants there and its strategy at which price, and updates its orders. Orders and positions stay within the limits
// for any answer of the strategy.
//
// It does nothing while the market is not open. While its entity has no available credit it withdraws its orders. After
// a refusal it waits, twice as long each time: in one contract if the refusal concerns that contract, otherwise in all.
// After a StrategyFault it withdraws its orders and trades nothing more.

import type { PrivateForecasts } from "../information/private-forecasts.ts";
import { BUY, SELL, type Side } from "../market/order-book.ts";
import { StrategyFault } from "../strategies/strategy-fault.ts";
import { Quotes } from "../strategies/strategy.ts";
import type { Activity } from "./activity.ts";
import { RefusalPause } from "./refusal-pause.ts";
import { ContractTrader, type ContractTraderOptions } from "./contract-trader.ts";
import type { Economics } from "./economics.ts";
import { Exposure } from "./exposure.ts";
import type { Assignment } from "./assignments.ts";
import type { PersonaLimits } from "./limits.ts";
import type { Mandate } from "./mandate.ts";
import { drawDelayMs, type Pace } from "./pace.ts";
import type { MarketListeners } from "./market-listeners.ts";
import type { ContractUpdate, MarketWindow, Persona, PersonaAction, PersonaCounts, PersonaView } from "./persona.ts";
import { boundQuotes, setPriceBounds, wholeLots } from "./quote-bounds.ts";
import type { TradedContract } from "./traded-contract.ts";
import { TradingAccount } from "./trading-account.ts";
import { markPrice } from "./run-metrics.ts";
import { WorkingOrders } from "./working-orders.ts";

export interface StrategyPersonaOptions extends ContractTraderOptions {
  readonly id: string;
  readonly strategy: string;
  readonly userId: string;
  readonly entityId: string;
  readonly limits: PersonaLimits;
  readonly pace: Pace;
  /** How busy it is at a time; null: as busy at any time. */
  readonly activity: Activity | null;
  readonly mandate: Mandate;
  readonly forecasts: PrivateForecasts;
  readonly listeners: MarketListeners;
  readonly economics: Economics;
}

/** Most cancels of a wake-up while losses stop it, or one more. */
const MAX_WITHDRAWALS = 8;

/** Most actions of a wake-up, or one more. */
const MAX_ACTIONS = 7;

const NOTHING: readonly PersonaAction[] = [];
/** Refusals that concern one contract. */
const OF_CONTRACT: ReadonlySet<string> = new Set([
  "contract_expired",
  "invalid_price",
  "invalid_quantity",
  "not_found",
]);
/** Refusals that only mean the order has ended meanwhile. */
const OF_ORDER: ReadonlySet<string> = new Set(["not_cancellable", "not_modifiable"]);

export class StrategyPersona implements Persona {
  readonly id: string;
  readonly strategy: string;
  readonly entityId: string;
  readonly userId: string;
  readonly limits: PersonaLimits;
  readonly account = new TradingAccount();
  readonly #options: StrategyPersonaOptions;
  readonly #exposure: Exposure;
  readonly #orders: WorkingOrders;
  /** By the contract's index. */
  readonly #traders = new Map<number, ContractTrader>();
  readonly #quotes = new Quotes();
  readonly #refusalPause = new RefusalPause();
  /** Time of the last decision. */
  #time = -Infinity;
  /** The list of traded contracts among which all its orders were. */
  #listed: readonly TradedContract[] | null = null;
  #fault: string | null = null;

  constructor(options: StrategyPersonaOptions) {
    ({ id: this.id, strategy: this.strategy, entityId: this.entityId } = options);
    ({ userId: this.userId, limits: this.limits } = options);
    this.#options = options;
    this.#exposure = new Exposure(options.limits);
    this.#orders = new WorkingOrders(options.limits.workingOrders, this.#exposure);
  }

  get counts(): PersonaCounts {
    return this.#orders.counts;
  }

  get workingOrders(): number {
    return this.#orders.size;
  }

  get economics(): Economics {
    return this.#options.economics;
  }

  assignmentOf(reference: number): Assignment | null {
    return this.#orders.get(reference)?.assignment ?? null;
  }

  forecast(contract: TradedContract, time: number): number {
    const { forecasts } = this.#options;
    forecasts.advanceTo(time);
    return forecasts.of(contract);
  }

  nextDelayMs(time: number): number {
    const { pace, random, activity } = this.#options;
    return drawDelayMs(pace, random, activity === null ? 1 : activity.at(time));
  }

  get fault(): string | null {
    return this.#fault;
  }

  act(view: PersonaView): readonly PersonaAction[] {
    if (this.#fault === null) {
      try {
        return this.#decide(view);
      } catch (error) {
        this.#stop(error);
      }
    }
    return [...this.#traders.values()].filter(({ isWaiting }) => !isWaiting)
      .flatMap((trader) => this.#orders.withdraw(trader));
  }

  #decide(view: PersonaView): readonly PersonaAction[] {
    this.#time = view.time;
    if (this.#isStopped(view)) return this.#withdrawAll(view);
    if (this.#refusalPause.isWaitingAt(view.time)) return NOTHING;
    const left = this.#abandonedTrader(view);
    if (left !== undefined) return this.#orders.withdraw(left);
    const { mandate, forecasts } = this.#options;
    forecasts.advanceTo(view.time);
    mandate.wake(view.time);
    const actions: PersonaAction[] = [];
    while (actions.length < MAX_ACTIONS) {
      const contract = mandate.next(view.time);
      if (contract === null) break;
      this.#actIn(contract, view, actions);
    }
    return actions;
  }

  #actIn(contract: TradedContract, view: PersonaView, actions: PersonaAction[]): void {
    if (!view.isOpen(contract)) return;
    const trader = this.#traderFor(contract);
    if (trader.isWaiting || trader.refusalPause.isWaitingAt(view.time)) return;
    if (view.creditExhausted) {
      actions.push(...this.#orders.withdraw(trader));
      return;
    }
    this.#show(trader, view);
    this.#listenTo(trader);
    const quotes = this.#quotes;
    quotes.clear();
    trader.strategy?.quote(trader.market, trader.account, quotes);
    boundQuotes(trader, quotes);
    this.#orders.bringBothInLine(trader, quotes, actions);
  }

  onAccepted(reference: number): void {
    const order = this.#orders.onAccepted(reference);
    if (order === null) return;
    order.trader.refusalPause.accepted();
    this.#refusalPause.accepted();
  }

  onRefused(reference: number, kind: PersonaAction["kind"], code: string): void {
    const order = this.#orders.onRefused(reference, kind, code);
    if (OF_ORDER.has(code)) return;
    const refusalPause = order !== null && OF_CONTRACT.has(code) ? order.trader.refusalPause : this.#refusalPause;
    refusalPause.refusedAt(this.#time);
  }

  onFill(reference: number, price: number, quantity: number): void {
    const { trader, side, assignment } = this.#orders.onFill(reference, quantity);
    this.account.fill(trader.contract, side, price, quantity);
    if (assignment !== null) this.economics.filled(assignment, price, quantity);
  }

  onClosed(reference: number): void {
    this.#orders.onClosed(reference);
  }

  onMarketUpdate(update: ContractUpdate, window: MarketWindow): void {
    this.#options.mandate.observe?.(update, window.time);
    const trader = this.#traders.get(update.contract.index);
    if (trader === undefined || trader.learnsFrom === null || this.#fault !== null) return;
    trader.showMarket(window.time, window.book(update.contract));
    try {
      for (const strategy of trader.strategies) {
        if (update.isTrade || strategy.observesTradesOnly !== true) {
          strategy.observe?.(update, trader.market, trader.account);
        }
      }
    } catch (error) {
      this.#stop(error);
    }
  }

  onDelivery(contract: TradedContract): void {
    // A mandate may know contracts in which the persona has never acted.
    this.#options.mandate.forget(contract);
    const trader = this.#traders.get(contract.index);
    if (trader === undefined) return;
    this.#traders.delete(contract.index);
    this.#exposure.end(trader.exposure);
    this.#options.entityOrders.forget(contract);
    this.#options.listeners.ignore(contract, this);
  }

  onRemoved(contract: TradedContract, price: () => number): void {
    this.onDelivery(contract);
    this.account.settle(contract, price);
  }

  onDisconnected(): void {
    this.#orders.onDisconnected();
  }

  /** Throws the error again if it is not a StrategyFault. */
  #stop(error: unknown): void {
    if (!(error instanceof StrategyFault)) throw error;
    this.#fault = error.message;
    for (const trader of this.#traders.values()) this.#options.listeners.ignore(trader.contract, this);
  }

  /** Whether losses stop it. */
  #isStopped(view: PersonaView): boolean {
    const isStopped = this.economics.isStoppedAt(
      view.time,
      () => this.account.profitAndLoss((contract) => this.#markOf(contract, view)),
    );
    this.#exposure.share = this.economics.sizeShare;
    return isStopped;
  }

  /** Cancels open orders, those of a few contracts at each wake-up. */
  #withdrawAll({ isOpen }: PersonaView): readonly PersonaAction[] {
    const actions: PersonaAction[] = [];
    for (const trader of this.#traders.values()) {
      if (actions.length >= MAX_WITHDRAWALS) break;
      if (trader.hasOrders && !trader.isWaiting && isOpen(trader.contract)) {
        actions.push(...this.#orders.withdraw(trader));
      }
    }
    return actions;
  }

  /** A trader with orders in a contract that is no longer traded. */
  #abandonedTrader({ time, isOpen }: PersonaView): ContractTrader | undefined {
    const { profile } = this.#options;
    const listed = profile.at(time);
    // Orders are sent only to traded contracts, so a list that had all of them has all of them still.
    if (listed === this.#listed) return undefined;
    let areAllTraded = true;
    for (const trader of this.#traders.values()) {
      if (!trader.hasOrders || profile.isTraded(trader.contract, time)) continue;
      if (!trader.isWaiting && isOpen(trader.contract)) return trader;
      areAllTraded = false;
    }
    if (areAllTraded) this.#listed = listed;
    return undefined;
  }

  #traderFor(contract: TradedContract): ContractTrader {
    let trader = this.#traders.get(contract.index);
    if (trader === undefined) {
      trader = new ContractTrader(contract, this.#options.forecasts.of(contract), this.#options);
      this.#traders.set(contract.index, trader);
    }
    return trader;
  }

  /** Listens while an update can matter: a trader with assignments, only while it has one. */
  #listenTo(trader: ContractTrader): void {
    const { entry, mandate, listeners } = this.#options;
    const hearing = mandate.observe === undefined ? trader.learnsFrom : trader.learnsFrom ?? "trades";
    const isNeeded = hearing !== null && (entry.sides === "both" || trader.terms.assignment !== null);
    if (isNeeded === trader.isListening) return;
    trader.isListening = isNeeded;
    if (isNeeded) listeners.listen(trader.contract, this, hearing);
    else listeners.ignore(trader.contract, this);
  }

  /** Updates a trader's views: the market, what the mandate wants, and the quantities that the limits allow. */
  #show(trader: ContractTrader, view: PersonaView): void {
    const { contract, terms, account, related } = trader;
    const { mandate, forecasts } = this.#options;
    const position = trader.exposure.position;
    const book = view.book(contract);
    mandate.review(contract, { time: view.time, forecast: forecasts.of(contract), position, book }, terms);
    trader.showMarket(view.time, book);
    setPriceBounds(trader, this.limits);
    account.limitPrice = terms.limitPrice;
    account.fundamentalValue = terms.value;
    account.spreadFactor = terms.spreadFactor;
    account.position = position;
    account.averagePrice = this.account.averagePrice(contract);
    account.dayPackage = trader.dayPackage?.view((each) => view.book(each), (each) => this.account.position(each)) ??
      null;
    account.physical = this.economics.physicalTerms(contract, view.time);
    account.buyQuantity = this.#allowed(trader, BUY, terms.buyQuantity);
    account.sellQuantity = this.#allowed(trader, SELL, terms.sellQuantity);
    if (related !== null) {
      trader.showRelated(view.book(related), forecasts.of(related), this.account.position(related));
    }
  }

  /** The part of a wanted quantity that one order may have: whole lots within the limits. */
  #allowed(trader: ContractTrader, side: Side, wanted: number): number {
    const { lot } = trader.contract;
    const most = this.limits.orderLots * lot;
    const sized = Math.max(wanted * this.economics.sizeShare, Math.min(wanted, lot));
    return wholeLots(trader, Math.min(sized, most, this.#exposure.headroom(trader.exposure, side)));
  }
  /** The price at which it values its position in a contract. */
  #markOf(contract: TradedContract, view: PersonaView): number {
    const forecast = this.#options.forecasts.of(contract);
    return markPrice(view.book(contract), forecast, contract.deliveryStart <= view.time);
  }
}
