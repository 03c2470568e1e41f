// An agent outside the process as a trader of a headless run: its account and orders, what it has to be told since it last
// said `next`, and when it is due. It decides nothing itself: the session gives it one action at a time.
//
// Times are market time in milliseconds since the epoch, prices cents/MWh, quantities kW.

import type { PrivateForecasts } from "../../information/private-forecasts.ts";
import type { OutsideTrader } from "../../headless/outside-trader.ts";
import { NO_ECONOMICS } from "../../personas/economics.ts";
import type { EntityOrders } from "../../personas/entity-orders.ts";
import type { PersonaLimits } from "../../personas/limits.ts";
import type {
  ContractUpdate,
  MarketWindow,
  PersonaAction,
  PersonaCounts,
  PersonaView,
} from "../../personas/persona.ts";
import type { TradedContract } from "../../personas/traded-contract.ts";
import { TradingAccount } from "../../personas/trading-account.ts";
import type { Writable } from "../../strategies/strategy.ts";
import type { Hello, Next, Observe } from "./agent-messages.ts";
import { AgentNews, type NotedFill } from "./agent-news.ts";
import { AgentOrders } from "./agent-orders.ts";

/** How the market answered an action. */
type Response =
  | { readonly accepted: true; readonly fills: readonly NotedFill[] }
  | { readonly accepted: false; readonly code: string };

interface AgentIdentity {
  readonly id: string;
  readonly entityId: string;
  readonly userId: string;
  readonly limits: PersonaLimits;
  /** Shared with the personas of the same entity. */
  readonly entityOrders: EntityOrders;
  readonly forecasts: PrivateForecasts;
  readonly wishes: Pick<Hello, "products" | "contracts" | "depth" | "wakeMs">;
  readonly startTime: number;
}

export class AgentTrader implements OutsideTrader {
  readonly id: string;
  readonly strategy = "agent";
  readonly fault = null;
  readonly economics = NO_ECONOMICS;
  readonly entityId: string;
  readonly userId: string;
  readonly limits: PersonaLimits;
  readonly account = new TradingAccount();
  readonly orders: AgentOrders;
  readonly wishes: AgentIdentity["wishes"];
  readonly #forecasts: PrivateForecasts;
  readonly #counts: Writable<PersonaCounts> = { orders: 0, changes: 0, cancels: 0, rejected: 0 };
  #news = new AgentNews();
  #view: PersonaView | null = null;
  /** Of the latest market update, which precedes the fills that it caused. */
  #time: number;
  #nextTime: number;
  #reason: Observe["reason"] = "start";
  /** What wakes it before `#nextTime`; null while it decides. */
  #alarm: Pick<Next, "fill" | "trade" | "quote"> | null = null;
  /** The action that is carried out, and its response. */
  #action: PersonaAction | null = null;
  #response: Response | null = null;

  constructor(identity: AgentIdentity) {
    ({ id: this.id, entityId: this.entityId, userId: this.userId, limits: this.limits } = identity);
    this.wishes = identity.wishes;
    this.#forecasts = identity.forecasts;
    this.orders = new AgentOrders(identity.limits, identity.entityOrders);
    this.#time = this.#nextTime = identity.startTime;
  }

  get nextTime(): number {
    return this.#nextTime;
  }

  get reason(): Observe["reason"] {
    return this.#reason;
  }

  get counts(): PersonaCounts {
    return this.#counts;
  }

  get workingOrders(): number {
    return this.orders.size;
  }

  /** The market as it saw it when it last acted. Throws before that. */
  get view(): PersonaView {
    if (this.#view === null) throw new Error(`agent ${this.id} has not seen the market`);
    return this.#view;
  }

  /** Its own forecast of a contract's value, in cents/MWh. */
  forecast(contract: TradedContract, time: number): number {
    this.#forecasts.advanceTo(time);
    return this.#forecasts.of(contract);
  }

  watches({ id, productId }: TradedContract): boolean {
    const { products, contracts } = this.wishes;
    if (products === undefined && contracts === undefined) return true;
    return products?.includes(productId) === true || contracts?.includes(id) === true;
  }

  /** What has happened since the last call. */
  takeNews(): AgentNews {
    const news = this.#news;
    news.trim();
    this.#news = new AgentNews();
    return news;
  }

  /** The next call of `act` gives this action. */
  prepare(action: PersonaAction): void {
    this.#action = action;
    this.#response = null;
  }

  /** The response to the action that was carried out. */
  takeResponse(): Response {
    const response = this.#response;
    if (response === null) throw new Error("the action was not answered");
    this.#response = null;
    return response;
  }

  /** It has decided, and sleeps. */
  sleep(now: number, { inMs, fill, trade, quote }: Omit<Next, "type">): void {
    this.#nextTime = now + (inMs ?? this.wishes.wakeMs);
    this.#reason = "time";
    this.#alarm = { fill, trade, quote };
  }

  leave(): void {
    this.#nextTime = Infinity;
    this.#alarm = null;
  }

  /** It decides: nothing wakes it until it sleeps again. */
  awake(): void {
    this.#alarm = null;
  }

  onListed(contract: TradedContract): void {
    if (this.watches(contract)) this.#news.listed.push(contract);
  }

  assignmentOf(): null {
    return null;
  }

  /** Unused: it says itself when it is due. */
  nextDelayMs(): number {
    return 1;
  }

  act(view: PersonaView): readonly PersonaAction[] {
    this.#view = view;
    this.#time = view.time;
    const action = this.#action;
    this.#action = null;
    return action === null ? [] : [action];
  }

  onAccepted(reference: number): void {
    const order = this.orders.get(reference);
    if (order !== undefined) {
      if (order.pending === "submit") this.#counts.orders += 1;
      if (order.pending === "modify") this.#counts.changes += 1;
      this.orders.accepted(order);
    }
    this.#response = { accepted: true, fills: this.#response?.accepted ? this.#response.fills : [] };
  }

  onRefused(reference: number, _kind: PersonaAction["kind"], code: string): void {
    this.#counts.rejected += 1;
    const order = this.orders.get(reference);
    if (order !== undefined) this.orders.refused(order);
    this.#response = { accepted: false, code };
  }

  onFill(reference: number, price: number, quantity: number): void {
    const order = this.orders.get(reference);
    if (order === undefined) throw new Error(`fill of unknown order ${reference}`);
    const fill = { time: this.#time, order, price, quantity };
    this.account.fill(order.contract, order.side, price, quantity);
    // Fills of the order that is being placed are part of the answer.
    if (order.pending !== null) {
      this.#response = { accepted: true, fills: [...(this.#response?.accepted ? this.#response.fills : []), fill] };
    }
    this.#news.fills.push(fill);
    this.orders.filled(order, quantity);
    if (this.#alarm?.fill) this.#wake("fill");
  }

  onClosed(reference: number): void {
    const order = this.orders.get(reference);
    if (order === undefined) return;
    if (order.pending === "cancel") this.#counts.cancels += 1;
    else this.#news.closed.push(reference);
    this.orders.remove(order);
  }

  onMarketUpdate({ contract, side, price, quantity, isTrade }: ContractUpdate, { time }: MarketWindow): void {
    this.#time = time;
    if (!this.watches(contract)) return;
    if (isTrade) this.#news.trade({ time, contract, price, quantity, aggressorSide: side });
    const alarm = this.#alarm;
    if (alarm === null) return;
    if (isTrade && alarm.trade.includes(contract.id)) this.#wake("trade");
    else if (!isTrade && alarm.quote.includes(contract.id)) this.#wake("quote");
  }

  onDelivery(contract: TradedContract): void {
    if (this.watches(contract)) this.#news.delivered.push(contract);
    this.orders.end(contract);
  }

  onRemoved(contract: TradedContract, price: () => number): void {
    this.orders.end(contract);
    this.account.settle(contract, price);
  }

  onDisconnected(): void {
    for (const order of [...this.orders.all]) this.orders.remove(order);
  }

  /** A millisecond later, so agents that wake one another up don't stop market time. */
  #wake(reason: Observe["reason"]): void {
    if (this.#time + 1 >= this.#nextTime) return;
    this.#nextTime = this.#time + 1;
    this.#reason = reason;
  }
}
