// The persona that trades by a strategy. It turns to one contract at a time, asks its mandate what it wants there and its
// strategy at which price, and brings its orders in that contract into line.
//
// Whatever the strategy answers, neither orders nor positions go beyond the limits.
//
// A market that is not open is left alone. While its entity has no credit it withdraws its orders. A refusal makes it wait,
// twice as long each time: in that contract, or everywhere where the refusal is not about the contract.

import { BUY, SELL, type Side } from "../market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { Quotes } from "../strategies/quotes.ts";
import type { StrategyEntry, StrategyName } from "../strategies/registry.ts";
import { Backoff } from "./backoff.ts";
import { Desk } from "./desk.ts";
import { Exposure, Line } from "./exposure.ts";
import type { Assignment } from "./assignments.ts";
import type { PersonaLimits } from "./limits.ts";
import type { LiquidityProfile } from "./liquidity-profile.ts";
import { type Mandate, scaleOf } from "./mandate.ts";
import { drawDelayMs, type Pace } from "./pace.ts";
import type { MarketShout, Persona, PersonaAction, PersonaCounts, PersonaView } from "./persona.ts";
import { boundQuotes, setPriceBounds, wholeLots } from "./quote-bounds.ts";
import type { TradedContract } from "./traded-contract.ts";
import { TradingAccount } from "./trading-account.ts";
import { WorkingOrders } from "./working-orders.ts";

export interface StrategyPersonaOptions {
  readonly id: string;
  readonly strategy: StrategyName;
  readonly entry: StrategyEntry;
  readonly userId: string;
  readonly entityId: string;
  readonly limits: PersonaLimits;
  readonly pace: Pace;
  readonly mandate: Mandate;
  readonly profile: LiquidityProfile;
  readonly random: SeededRandom;
  /** Half a usual spread, as a share of the price. */
  readonly halfSpread: number;
  /** Of a usual order. */
  readonly usualLots: number;
}

const NOTHING: readonly PersonaAction[] = [];
/** Refusals that tell of one contract alone. */
const OF_CONTRACT: ReadonlySet<string> = new Set([
  "contract_expired",
  "invalid_price",
  "invalid_quantity",
  "not_found",
]);
/** Refusals that only say that the order has ended meanwhile. */
const OF_ORDER: ReadonlySet<string> = new Set(["not_cancellable", "not_modifiable"]);

export class StrategyPersona implements Persona {
  readonly id: string;
  readonly strategy: StrategyName;
  readonly entityId: string;
  readonly userId: string;
  readonly limits: PersonaLimits;
  readonly account = new TradingAccount();
  readonly #options: StrategyPersonaOptions;
  readonly #exposure: Exposure;
  readonly #orders: WorkingOrders;
  /** By the contract's index. */
  readonly #desks = new Map<number, Desk>();
  readonly #quotes = new Quotes();
  readonly #backoff = new Backoff();
  /** Of the last decision. */
  #time = -Infinity;

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

  assignmentOf(reference: number): Assignment | null {
    return this.#orders.get(reference)?.assignment ?? null;
  }

  nextDelayMs(): number {
    return drawDelayMs(this.#options.pace, this.#options.random);
  }

  act(view: PersonaView): readonly PersonaAction[] {
    this.#time = view.time;
    if (this.#backoff.isWaitingAt(view.time)) return NOTHING;
    const left = this.#deskLeftBehind(view);
    if (left !== undefined) return this.#orders.withdraw(left);
    const contract = this.#options.profile.pick(view.time, this.#options.random);
    if (contract === null || !view.isOpen(contract)) return NOTHING;
    const desk = this.#deskFor(contract, view);
    if (desk.isWaiting || desk.backoff.isWaitingAt(view.time)) return NOTHING;
    if (view.creditExhausted) return this.#orders.withdraw(desk);
    this.#show(desk, view);
    const quotes = this.#quotes;
    quotes.clear();
    desk.strategy?.quote(desk.market, desk.account, quotes);
    boundQuotes(desk, quotes);
    const actions: PersonaAction[] = [];
    this.#orders.bringInLine(desk, BUY, quotes.bidPrice, quotes.bidQuantity, actions);
    this.#orders.bringInLine(desk, SELL, quotes.askPrice, quotes.askQuantity, actions);
    return actions;
  }

  onAccepted(reference: number): void {
    const order = this.#orders.onAccepted(reference);
    if (order === null) return;
    order.desk.backoff.accepted();
    this.#backoff.accepted();
  }

  onRefused(reference: number, kind: PersonaAction["kind"], code: string): void {
    const order = this.#orders.onRefused(reference, kind, code);
    if (OF_ORDER.has(code)) return;
    const backoff = order !== null && OF_CONTRACT.has(code) ? order.desk.backoff : this.#backoff;
    backoff.refusedAt(this.#time);
  }

  onFill(reference: number, price: number, quantity: number): void {
    const { desk, side } = this.#orders.onFill(reference, quantity);
    this.account.fill(desk.contract, side, price, quantity);
  }

  onClosed(reference: number): void {
    this.#orders.onClosed(reference);
  }

  onShout(shout: MarketShout, view: PersonaView): void {
    const desk = this.#desks.get(shout.contract.index);
    if (desk === undefined || !desk.listens) return;
    desk.showMarket(view.time, view.book(shout.contract));
    for (const strategy of desk.strategies) strategy.observe?.(shout, desk.market, desk.account);
  }

  onDelivery(contract: TradedContract): void {
    const desk = this.#desks.get(contract.index);
    if (desk === undefined) return;
    this.#desks.delete(contract.index);
    this.#exposure.end(desk.line);
    this.#options.mandate.forget(contract);
  }

  onRemoved(contract: TradedContract, price: () => number): void {
    this.onDelivery(contract);
    this.account.settle(contract, price);
  }

  onDisconnected(): void {
    this.#orders.onDisconnected();
  }

  /** One with orders in a contract that is not traded any more. */
  #deskLeftBehind({ time, isOpen }: PersonaView): Desk | undefined {
    const { profile } = this.#options;
    return this.#desks.values().find((desk) =>
      desk.hasOrders && !desk.isWaiting && !profile.isTraded(desk.contract, time) && isOpen(desk.contract)
    );
  }

  #deskFor(contract: TradedContract, view: PersonaView): Desk {
    let desk = this.#desks.get(contract.index);
    if (desk === undefined) this.#desks.set(contract.index, desk = this.#openDesk(contract, view.forecast(contract)));
    return desk;
  }

  #openDesk(contract: TradedContract, forecast: number): Desk {
    const { entry, random, halfSpread, usualLots, profile } = this.#options;
    const priceScale = Math.max(contract.tick, halfSpread * scaleOf(forecast));
    const quantityScale = usualLots * contract.lot;
    const sides: readonly Side[] = entry.sides === "one" ? [BUY, SELL] : [BUY];
    const strategies = sides.map((side) =>
      entry.make({ side, random: random.fork(`${contract.id} ${side}`), priceScale, quantityScale })
    );
    return new Desk(contract, profile.related(contract), strategies, new Line());
  }

  /** Brings a desk's views up to date: what the market is, what the persona wants, and how much it may. */
  #show(desk: Desk, view: PersonaView): void {
    const { contract, terms, account, related } = desk;
    const forecast = view.forecast(contract);
    const position = desk.line.position;
    this.#options.mandate.review(contract, { time: view.time, forecast, position }, terms);
    desk.showMarket(view.time, view.book(contract));
    setPriceBounds(desk, this.limits);
    account.limitPrice = terms.limitPrice;
    account.fundamentalValue = terms.value;
    account.position = position;
    account.averagePrice = this.account.averagePrice(contract);
    account.buyQuantity = this.#allowed(desk, BUY, terms.buyQuantity);
    account.sellQuantity = this.#allowed(desk, SELL, terms.sellQuantity);
    if (related !== null) {
      desk.showRelated(view.book(related), view.forecast(related), this.account.position(related));
    }
  }

  /** How much of a wanted quantity one order may be: whole lots within the limits. */
  #allowed(desk: Desk, side: Side, wanted: number): number {
    const most = this.limits.orderLots * desk.contract.lot;
    return wholeLots(desk, Math.min(wanted, most, this.#exposure.room(desk.line, side)));
  }
}
