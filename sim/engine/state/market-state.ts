// The parts of a market as the engine holds them: markets, contracts, entities, users, and orders. Plain data, and
// small functions over it that every part of the engine needs. Quantities are kW, prices cents/MWh, times milliseconds
// since the epoch.

import type { CloseReason, MarketStatus, ModuleData, OrderStatus, Side } from "../../../protocol/modules/registry.ts";
import type { Permission } from "../../../protocol/index.ts";
import type { MarketDefinition } from "../../definition/market-definition.ts";
import type { ExactInteger } from "../../market/exact-integer.ts";
import type { PartyIndexedBook } from "../../market/party-indexed-book.ts";
import type { PositionAccount } from "../../market/position-account.ts";
import type { Session } from "../../market/session-schedule.ts";
import type { EngineUser } from "../api/market-engine.ts";
import type { EntityAudiences } from "../api/visibility.ts";
import { ContractTexts } from "./contract-texts.ts";

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
  readonly engineId: string;
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
  /** By user. A user without open orders and with a net position of 0 has no entry. */
  readonly userPositions: Map<string, UserPosition>;
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
  /** Remaining quantity of the user's open orders, by side. */
  readonly open: [buy: number, sell: number];
}

export interface EntityState {
  /** Its number in the credit ledger and in the books. */
  readonly party: number;
  readonly definition: MarketDefinition["entities"][number];
  readonly userIds: readonly string[];
  creditStatus: ModuleData<"ENTITY">["creditStatus"];
  readonly settled: SettledResults;
  /** Its id, quoted. */
  readonly idText: string;
  readonly audiences: EntityAudiences;
  /** Number of the transaction that last changed its credit. */
  creditChangedIn: number;
}

/** Sums of an entity over the contracts that it traded and that have left the market. */
export interface SettledResults {
  contracts: number;
  /** Received less paid in trades, in cents/MWh x kW x min. */
  cash: ExactInteger;
  /** In millionths of the unit of `cash`. */
  profit: bigint;
}

export interface UserState extends EngineUser {
  readonly name: string;
  readonly permissions: ReadonlySet<Permission>;
  connected: boolean;
}

export interface Order {
  /** Its number in the book. Numbers are given in the order of acceptance. */
  readonly key: number;
  readonly id: string;
  readonly clientOrderId: string;
  readonly contract: ContractState;
  readonly entity: EntityState;
  readonly userId: string;
  readonly side: Side;
  readonly timeInForce: "day" | "gtc";
  readonly createdAt: number;
  price: number;
  /** kW ordered. */
  quantity: number;
  /** kW filled so far. */
  filledQuantity: number;
  /** Sum of price x quantity over its fills. */
  filledValue: ExactInteger;
  /** Sum of |price| x energy over its fills, in cents/MWh x kW x min. */
  filledNotional: ExactInteger;
  /** Limit on the notional of its fills and of its remaining quantity at its limit price; unit as above. Null: no limit. */
  maxNotional: ExactInteger | null;
  /** Oldest first. */
  readonly fillIds: string[];
  /** Time priority. A new number is given at acceptance, at release, and at every change that costs the order its place. */
  priority: number;
  status: OrderStatus;
  /** Null as long as the order is open. */
  closeReason: CloseReason | null;
  updatedAt: number;
  /** Number of the transaction that last changed it. */
  changedIn: number;
  /** Its module as JSON text up to the price; empty until it is first needed. */
  fixedText: string;
  /** Its whole module as JSON text; empty if it must be written anew. */
  text: string;
}

/** What `changedIn` is before the first transaction. */
export const UNCHANGED = 0;

export function textsOf(contract: ContractState): ContractTexts {
  return contract.texts ??= new ContractTexts(contract, contract.product);
}

export function marketStatusOf(market: MarketState): MarketStatus {
  return market.halted ? "halted" : scheduledStatusOf(market);
}

/** The status that the schedule gives, whether or not the market is halted. */
export function scheduledStatusOf(market: MarketState): Session["status"] {
  return market.session?.status ?? "open";
}

export function isMatching(contract: ContractState): boolean {
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
