// The parts of a market as the engine holds them: markets, contracts, orders and trades. Plain data, and
// small functions over it that every part of the engine needs. Quantities are kW, prices cents/MWh, times milliseconds
// since the epoch.

import type { CloseReason, MarketStatus, OrderStatus } from "../../protocol/modules/registry.ts";
import type { Side } from "../../protocol/sides.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import type { ExactInteger } from "../market/exact-integer.ts";
import type { PartyIndexedBook } from "../market/party-indexed-book.ts";
import type { PositionAccount } from "../market/position-account.ts";
import type { Session } from "../market/session-schedule.ts";
import { ContractTexts } from "./contract-texts.ts";
import { orderIdOf } from "./ids.ts";
import type { EntityState, UserState } from "./party-state.ts";

/** What `changedIn` is before the first transaction. */
export const UNCHANGED = 0;
export const NO_TEXT = -1;

export interface MarketState {
  readonly definition: MarketDefinition["markets"][number];
  readonly contracts: ContractState[];
  /** Null if the market trades around the clock. */
  session: Session | null;
  halted: boolean;
  haltReason: string | null;
}

export interface ContractState {
  /** Its number in the credit ledger. A later contract may get it once this one is removed. */
  readonly key: number;
  /** Grows with every contract that is listed; never used twice. */
  readonly serial: number;
  readonly id: string;
  /** Of its book, which the protocol calls an engine: the id of the ENGINE module, and `engineId` in messages. */
  readonly bookId: string;
  readonly queueId: string;
  readonly definition: MarketDefinition["contracts"][number];
  readonly product: MarketDefinition["products"][number];
  readonly market: MarketState;
  readonly deliveryStart: number;
  readonly deliveryEnd: number;
  /** Length of delivery. */
  readonly minutes: number;
  /** kW. */
  readonly lot: number;
  readonly book: PartyIndexedBook;
  /** By order key, in the order of release. */
  readonly heldOrders: Map<number, Order>;
  /** Whether its delivery has begun. */
  expired: boolean;
  /** Whether its delivery has ended. */
  delivered: boolean;
  lastPrice: number | null;
  /** kW. */
  tradedQuantity: number;
  /** A user without open orders and with a net position of 0 has no entry. */
  readonly userPositions: Map<UserState, UserPosition>;
  /** By party. A party that has never traded the contract has no entry. */
  readonly entityPositions: Map<number, PositionAccount>;
  readonly spotPrices: SpotPrices;
  bookUpdatedAt: number;
  queueUpdatedAt: number;
  /** Numbers of the transactions that last changed its book, its held orders, and its ENGINE module. */
  bookChangedIn: number;
  queueChangedIn: number;
  /** Null until it is first needed. */
  texts: ContractTexts | null;
}

/** The spot prices that were published for the contract's node during its delivery, in cents/MWh. */
export interface SpotPrices {
  sum: ExactInteger;
  count: number;
}

/** One user's position in one contract, in kW. It bounds what the user may trade. */
export interface UserPosition {
  /** Bought less sold. */
  net: number;
  /** Remaining quantity of the user's open orders of each side. */
  openBuys: number;
  openSells: number;
}

/**
 * A trade, with its two fills: one of the buying order, one of the selling order. It never changes. It names the orders by
 * their numbers, so it keeps no order that is otherwise forgotten.
 */
export interface Trade {
  readonly key: number;
  readonly contract: ContractState;
  /** Cents/MWh. */
  readonly price: number;
  /** kW. */
  readonly quantity: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly aggressorSide: Side;
  readonly buyOrder: number;
  readonly sellOrder: number;
  readonly buyer: EntityState;
  readonly seller: EntityState;
  /** Number of the resting order's fill. The aggressor's has the next one. */
  readonly restingFill: number;
}

/** What a new order says of itself. */
export type OrderTerms = Pick<
  Order,
  "clientOrderId" | "contract" | "entity" | "user" | "side" | "timeInForce" | "price" | "quantity" | "maxNotional"
>;

const NO_TRADES: readonly Trade[] = [];

export class Order {
  readonly clientOrderId: string;
  readonly contract: ContractState;
  readonly entity: EntityState;
  readonly user: UserState;
  readonly side: Side;
  readonly timeInForce: "day" | "gtc";
  price: number;
  /** kW ordered. */
  quantity: number;
  /** Limit on the notional of its fills and of its remaining quantity at its limit price; unit as below. Null: no limit. */
  maxNotional: ExactInteger | null;
  /** kW filled so far. */
  filledQuantity = 0;
  /** Sum of price x quantity over its fills. */
  filledValue: ExactInteger = 0;
  /** Sum of |price| x energy over its fills, in cents/MWh x kW x min. */
  filledNotional: ExactInteger = 0;
  /** Those that filled it, oldest first. */
  trades: readonly Trade[] = NO_TRADES;
  /** Time priority. A new number is given at acceptance, at release, and at every change that costs the order its place. */
  priority = 0;
  /** Null as long as the order is open. */
  closeReason: CloseReason | null = null;
  updatedAt: number;
  /** Number of the transaction that last changed it. */
  changedIn = UNCHANGED;
  /** Its module as JSON text up to the price; empty until it is first needed. */
  fixedText = "";
  /** Where the text of the current call has its module; NO_TEXT if the call has not written the order as it is now. */
  textStart = NO_TEXT;
  textEnd = NO_TEXT;

  /** `key`: its number in the book. Numbers are given in the order of acceptance. */
  constructor(readonly key: number, terms: OrderTerms, public status: OrderStatus, readonly createdAt: number) {
    this.clientOrderId = terms.clientOrderId;
    this.contract = terms.contract;
    this.entity = terms.entity;
    this.user = terms.user;
    this.side = terms.side;
    this.timeInForce = terms.timeInForce;
    this.price = terms.price;
    this.quantity = terms.quantity;
    this.maxNotional = terms.maxNotional;
    this.updatedAt = createdAt;
  }

  get id(): string {
    return orderIdOf(this.key);
  }

  get userId(): string {
    return this.user.id;
  }

  addTrade(trade: Trade): void {
    if (this.trades === NO_TRADES) this.trades = [trade];
    else (this.trades as Trade[]).push(trade);
  }

  forgetTrades(): void {
    this.trades = NO_TRADES;
  }
}

export function textsOf(contract: ContractState): ContractTexts {
  return contract.texts ??= new ContractTexts(contract, contract.product);
}

export function marketStatusOf(market: Pick<MarketState, "halted" | "session">): MarketStatus {
  return market.halted ? "halted" : scheduledStatusOf(market);
}

/** The status that the schedule gives, whether or not the market is halted. */
export function scheduledStatusOf(market: Pick<MarketState, "session">): Session["status"] {
  return market.session?.status ?? "open";
}

/** Whether orders of a contract trade now. */
export function isMatching(
  contract: Pick<ContractState, "expired"> & { readonly market: Pick<MarketState, "halted" | "session"> },
): boolean {
  return marketStatusOf(contract.market) === "open" && !contract.expired;
}

/** How many orders of a contract are open, held ones included. */
export function openOrderCountOf({ book, heldOrders }: ContractState): number {
  return book.orderCount + heldOrders.size;
}

/** kW of an order that are not filled. */
export function remainingOf(order: Pick<Order, "quantity" | "filledQuantity">): number {
  return order.quantity - order.filledQuantity;
}

/** Puts the remaining quantity of an order into its book, last at its price. */
export function restInBook(order: Order): void {
  const { contract, key, side, price, entity, priority } = order;
  contract.book.add(key, side, price, remainingOf(order), entity.party, priority);
}
