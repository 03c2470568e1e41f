// A persona that trades by a strategy. At each wake-up it acts in the contracts that its mandate names: it asks the mandate
// what it wants there and its strategy at which price, and updates its orders. Orders and positions stay within the limits
// for any answer of the strategy.
//
// It does nothing while the market is not open. While its entity has no available credit it withdraws its orders. After
// a refusal it waits, twice as long each time: in one contract if the refusal concerns that contract, otherwise in all.
// After a StrategyFault it withdraws its orders and trades nothing more.

import type { PrivateForecasts } from "../information/private-forecasts.ts";
import { Quotes, StrategyFault } from "../strategies/strategy.ts";
import type { Activity } from "./activity.ts";
import { RefusalPause } from "./refusal-pause.ts";
import { ContractTrader, type ContractTraderOptions } from "./contract-trader.ts";
import type { Economics } from "./economics.ts";
import { Exposure } from "./exposure.ts";
import type { Assignment } from "./assignments.ts";
import type { PersonaLimits } from "./limits.ts";
import type { Mandate } from "./mandate.ts";
import type { TradingSettings } from "./settings.ts";
import type { MarketListeners } from "./market-listeners.ts";
import type { ContractUpdate, MarketWindow, Persona, PersonaAction, PersonaCounts, PersonaView } from "./persona.ts";
import { boundQuotes } from "./quote-bounds.ts";
import type { TradedContract } from "./traded-contract.ts";
import { TradingAccount } from "./trading-account.ts";
import { TraderViews } from "./trader-views.ts";
import { Withdrawals } from "./withdrawals.ts";
import { WorkingOrders } from "./working-orders.ts";

export interface StrategyPersonaOptions extends ContractTraderOptions {
  readonly id: string;
  readonly strategy: string;
  readonly userId: string;
  readonly entityId: string;
  readonly limits: PersonaLimits;
  readonly pace: TradingSettings["pace"];
  /** How busy it is at a time; null: as busy at any time. */
  readonly activity: Activity | null;
  readonly mandate: Mandate;
  readonly forecasts: PrivateForecasts;
  readonly listeners: MarketListeners;
  readonly economics: Economics;
}

/** Most actions of a wake-up, or one more. */
const MAX_ACTIONS = 1_000;

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
  readonly #exposure: Exposure;
  readonly #orders: WorkingOrders;
  /** By the contract's index. */
  readonly #traders = new Map<number, ContractTrader>();
  readonly #views: TraderViews;
  readonly #withdrawals: Withdrawals;
  readonly #quotes = new Quotes();
  readonly #refusalPause = new RefusalPause();
  /** Time of the last decision. */
  #time = -Infinity;
  #fault: string | null = null;

  constructor(private readonly options: StrategyPersonaOptions) {
    ({ id: this.id, strategy: this.strategy, entityId: this.entityId } = options);
    ({ userId: this.userId, limits: this.limits } = options);
    this.#exposure = new Exposure(options.limits);
    this.#orders = new WorkingOrders(options.limits.workingOrders, this.#exposure);
    this.#views = new TraderViews(options, this.account, this.#exposure);
    this.#withdrawals = new Withdrawals(this.#traders, this.#orders, options.profile);
  }

  get counts(): PersonaCounts {
    return this.#orders.counts;
  }

  get workingOrders(): number {
    return this.#orders.size;
  }

  get economics(): Economics {
    return this.options.economics;
  }

  assignmentOf(reference: number): Assignment | null {
    return this.#orders.get(reference)?.assignment ?? null;
  }

  forecast(contract: TradedContract, time: number): number {
    const { forecasts } = this.options;
    forecasts.advanceTo(time);
    return forecasts.of(contract);
  }

  nextDelayMs(time: number): number {
    const { pace: { kind, meanMs }, random, activity } = this.options;
    const share = kind === "exponential" ? random.exponential() : 0.75 + random.next() / 2;
    return Math.max(1, Math.round(meanMs * share / (activity?.at(time) ?? 1)));
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
    if (this.#isStopped(view)) return this.#withdrawals.all(view);
    if (this.#refusalPause.isWaitingAt(view.time)) return NOTHING;
    const abandoned = this.#withdrawals.abandoned(view);
    if (abandoned !== null) return abandoned;
    const { mandate, forecasts } = this.options;
    forecasts.advanceTo(view.time);
    mandate.wake(view.time);
    const actions: PersonaAction[] = [];
    const { creditExhausted } = view;
    while (actions.length < MAX_ACTIONS) {
      const contract = mandate.next(view.time);
      if (contract === null) break;
      this.#actIn(contract, view, creditExhausted, actions);
    }
    return actions;
  }

  #actIn(contract: TradedContract, view: PersonaView, creditExhausted: boolean, actions: PersonaAction[]): void {
    if (!view.isOpen(contract)) return;
    const trader = this.#traderFor(contract);
    if (trader.isWaiting || trader.refusalPause.isWaitingAt(view.time)) return;
    if (creditExhausted) {
      actions.push(...this.#orders.withdraw(trader));
      return;
    }
    this.#views.show(trader, view);
    this.#listenTo(trader);
    const quotes = this.#quotes;
    quotes.clear();
    trader.strategy?.quote(trader.market, trader.account, quotes, this.#views.allQuotes);
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
    this.options.mandate.observe?.(update, window.time);
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
    this.options.mandate.forget(contract);
    const trader = this.#traders.get(contract.index);
    if (trader === undefined) return;
    this.#traders.delete(contract.index);
    this.#exposure.end(trader.exposure);
    this.options.entityOrders.forget(contract);
    this.options.listeners.ignore(contract, this);
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
    for (const trader of this.#traders.values()) this.options.listeners.ignore(trader.contract, this);
  }

  /** Whether losses stop it. */
  #isStopped(view: PersonaView): boolean {
    const isStopped = this.economics.isStoppedAt(
      view.time,
      () => this.account.profitAndLoss((contract) => this.#views.markOf(contract, view)),
    );
    this.#exposure.share = this.economics.sizeShare;
    return isStopped;
  }

  #traderFor(contract: TradedContract): ContractTrader {
    let trader = this.#traders.get(contract.index);
    if (trader === undefined) {
      trader = new ContractTrader(contract, this.options.forecasts.of(contract), this.options);
      this.#traders.set(contract.index, trader);
    }
    return trader;
  }

  /** Listens while an update can matter: a trader with assignments, only while it has one. */
  #listenTo(trader: ContractTrader): void {
    const { entry, mandate, listeners } = this.options;
    const hearing = mandate.observe === undefined ? trader.learnsFrom : trader.learnsFrom ?? "trades";
    const isNeeded = hearing !== null && (entry.sides === "both" || trader.terms.assignment !== null);
    if (isNeeded === trader.isListening) return;
    trader.isListening = isNeeded;
    if (isNeeded) listeners.listen(trader.contract, this, hearing);
    else listeners.ignore(trader.contract, this);
  }
}
