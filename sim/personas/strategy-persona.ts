// The persona that trades by a strategy. It turns to one contract at a time, asks its mandate what it wants there and its
// strategy at which price, and brings its orders in that contract into line.
//
// Whatever the strategy answers, prices end up on the tick and within the collar, quantities are whole lots, and neither
// orders nor positions go beyond the limits. Quotes that would cross each other are dropped.
//
// A market that is not open is left alone. While its entity has no credit it withdraws its orders. A refusal makes it wait,
// twice as long each time: in that contract, or everywhere where the refusal is not about the contract.

import { BUY, SELL, type Side } from "../market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { Quotes } from "../strategies/quotes.ts";
import type { StrategyEntry, StrategyName } from "../strategies/registry.ts";
import { Desk } from "./desk.ts";
import { Exposure, Line } from "./exposure.ts";
import type { Assignment } from "./assignments.ts";
import type { PersonaLimits } from "./limits.ts";
import type { LiquidityProfile } from "./liquidity-profile.ts";
import { type Mandate, scaleOf } from "./mandate.ts";
import { drawDelayMs, type Pace } from "./pace.ts";
import type { MarketShout, Persona, PersonaAction, PersonaCounts, PersonaView } from "./persona.ts";
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
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 15 * 60_000;

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
  /** Of the last decision. */
  #time = -Infinity;
  #resumeTime = -Infinity;
  #refusals = 0;

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
    if (view.time < this.#resumeTime) return NOTHING;
    const contract = this.#options.profile.pick(view.time, this.#options.random);
    if (contract === null || !view.isOpen(contract)) return NOTHING;
    const desk = this.#deskFor(contract, view);
    if (desk.isWaiting || view.time < desk.resumeTime) return NOTHING;
    if (view.creditExhausted) return this.#orders.withdraw(desk);
    this.#show(desk, view);
    const quotes = this.#quotes;
    quotes.clear();
    desk.strategy?.quote(desk.market, desk.account, quotes);
    return this.#carryOut(desk, quotes);
  }

  onAccepted(reference: number): void {
    const order = this.#orders.onAccepted(reference);
    if (order === null) return;
    order.desk.refusals = 0;
    this.#refusals = 0;
  }

  onRefused(reference: number, kind: PersonaAction["kind"], code: string): void {
    const order = this.#orders.onRefused(reference, kind, code);
    if (OF_ORDER.has(code)) return;
    if (order !== null && OF_CONTRACT.has(code)) {
      order.desk.resumeTime = this.#time + waitAfter(order.desk.refusals++);
    } else this.#resumeTime = this.#time + waitAfter(this.#refusals++);
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

  onDisconnected(): void {
    this.#orders.onDisconnected();
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
    const { contract, terms, account, market, related } = desk;
    const forecast = view.forecast(contract);
    const position = desk.line.position;
    this.#options.mandate.review(contract, { time: view.time, forecast, position }, terms);
    desk.showMarket(view.time, view.book(contract));
    const collar = Math.max(this.limits.collarCents, this.limits.collarShare * Math.abs(terms.value));
    const { tick, minimumPrice, maximumPrice } = contract;
    market.lowestPrice = Math.max(onTick(minimumPrice, tick, SELL), onTick(terms.value - collar, tick, SELL));
    market.highestPrice = Math.min(onTick(maximumPrice, tick, BUY), onTick(terms.value + collar, tick, BUY));
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
  #allowed({ contract, line }: Desk, side: Side, wanted: number): number {
    const most = Math.min(wanted, this.limits.orderLots * contract.lot, this.#exposure.room(line, side));
    return Math.max(0, most - most % contract.lot);
  }

  #carryOut(desk: Desk, { bidPrice, bidQuantity, askPrice, askQuantity }: Quotes): readonly PersonaAction[] {
    const { buyQuantity, sellQuantity } = desk.account;
    const bid = cleanPrice(desk, bidPrice, BUY);
    const ask = cleanPrice(desk, askPrice, SELL);
    const buy = bid === null ? 0 : cleanQuantity(desk, bidQuantity, buyQuantity);
    const sell = ask === null ? 0 : cleanQuantity(desk, askQuantity, sellQuantity);
    const isCrossed = bid !== null && ask !== null && buy > 0 && sell > 0 && bid >= ask;
    const actions: PersonaAction[] = [];
    this.#orders.bringInLine(desk, BUY, bid ?? 0, isCrossed ? 0 : buy, actions);
    this.#orders.bringInLine(desk, SELL, ask ?? 0, isCrossed ? 0 : sell, actions);
    return actions;
  }
}

/** How long to wait after so many refusals in a row before this one. */
function waitAfter(refusals: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(refusals, 10));
}

/** The multiple of the tick at a price or next to it, that is no worse for a trader on that side. */
function onTick(price: number, tick: number, side: Side): number {
  return (side === BUY ? Math.floor(price / tick) : Math.ceil(price / tick)) * tick;
}

/** Null where a strategy's price is none, or out of bounds. */
function cleanPrice(desk: Desk, price: number, side: Side): number | null {
  const { market } = desk;
  const rounded = desk.behindBarrier(side, onTick(price, market.tick, side));
  return rounded >= market.lowestPrice && rounded <= market.highestPrice ? rounded : null;
}

function cleanQuantity({ contract }: Desk, quantity: number, allowed: number): number {
  const most = Math.min(quantity, allowed);
  return most >= contract.lot ? most - most % contract.lot : 0;
}
