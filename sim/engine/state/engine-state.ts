// What an engine holds. Quantities are kW, prices cents/MWh, times
// milliseconds since the epoch. Only the command handlers and order-life.ts change it.
//
// Invariants: `openOrders` are the orders that work, are partly filled or held, by key; each is either in its contract's
// book or in its queue of held orders, never in both. Numbers that name orders, fills, trades and audit events are never
// used twice. Fills and trades never change, so they are kept as the module data that clients see.
//
// Limits: open orders stay as long as they are open; of closed orders, their fills and trades the newest (retention.ts).

import type { CloseReason, MarketStatus, ModuleData, OrderStatus, Side } from "../../../protocol/modules/registry.ts";
import type { Permission } from "../../../protocol/index.ts";
import type { ProductListing } from "../../definition/listed-contracts.ts";
import type { MarketDefinition } from "../../definition/market-definition.ts";
import type { CreditLedger } from "../../market/credit-ledger.ts";
import type { PartyIndexedBook } from "../../market/party-indexed-book.ts";
import type { Session } from "../../market/session-schedule.ts";
import type { ClosedOrders } from "./closed-orders.ts";
import type { ContractDeadlines } from "./contract-deadlines.ts";
import type { EngineUser } from "../api/market-engine.ts";
import type { Position, UserExposure } from "./open-orders.ts";
import type { RecordedRefusals } from "../commands/refused-orders.ts";
import type { Retention } from "../transaction/retention.ts";

export interface MarketState {
  readonly definition: MarketDefinition["markets"][number];
  readonly contracts: ContractState[];
  /** Null where it trades around the clock. */
  session: Session | null;
  halted: boolean;
  haltReason: string | null;
}

export interface ContractState {
  /** Its number in the credit ledger, which another contract has once this one is removed. */
  readonly key: number;
  /** Grows with every contract that is listed. */
  readonly serial: number;
  readonly id: string;
  readonly engineId: string;
  readonly queueId: string;
  readonly definition: MarketDefinition["contracts"][number];
  readonly product: MarketDefinition["products"][number];
  readonly market: MarketState;
  readonly deliveryStart: number;
  readonly deliveryEnd: number;
  /** Of delivery. */
  readonly minutes: number;
  /** kW. */
  readonly lot: number;
  readonly book: PartyIndexedBook;
  /** By key, in the order of release. */
  readonly heldOrders: Map<number, Order>;
  /** Whether its delivery has begun. */
  expired: boolean;
  /** Whether its delivery has ended. */
  delivered: boolean;
  lastPrice: number | null;
  /** kW. */
  tradedQuantity: number;
  /** By user, of whoever has one. */
  readonly positions: Map<string, Position>;
  bookUpdatedAt: number;
  queueUpdatedAt: number;
}

export interface EntityState {
  /** Its number in the credit ledger and in the books. */
  readonly party: number;
  readonly definition: MarketDefinition["entities"][number];
  readonly userIds: readonly string[];
  creditStatus: ModuleData<"ENTITY">["creditStatus"];
}

export interface UserState extends EngineUser {
  readonly name: string;
  readonly permissions: ReadonlySet<Permission>;
  connected: boolean;
}

export interface Order {
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
  /** Sum of price x quantity of its fills. */
  filledValue: bigint;
  /** Sum of |price| x energy of its fills, in cents/MWh x kW x min. */
  filledNotional: bigint;
  /** What its fills and the rest at its limit price may come to, as above; null: anything. */
  maxNotional: bigint | null;
  /** Of its fills, oldest first. */
  readonly fillIds: string[];
  /** Grows with the time from which the order counts: its acceptance, or the last change that cost it its place. */
  priority: number;
  status: OrderStatus;
  closeReason: CloseReason | null;
  updatedAt: number;
}

/** What an entity has said of a counterparty, beside what the credit ledger holds. */
export interface PairNotes {
  notes: string | null;
  updatedAt: number;
}

/** A product's listing rule at work. */
export interface ListingState {
  readonly listing: ProductListing;
  /** When it lists further contracts. */
  next: number;
}

export interface EngineState {
  readonly engineId: string;
  /** Changes only if history was lost. */
  epoch: number;
  /** Number of the newest event. */
  sequence: number;
  /** The latest time that a call has brought. */
  now: number;
  /** The first is the default market. */
  readonly markets: ReadonlyMap<string, MarketState>;
  readonly products: readonly MarketDefinition["products"][number][];
  /** In the order of their listing. */
  readonly contracts: Map<string, ContractState>;
  /** By key; undefined if the contract has been removed. */
  readonly contractList: (ContractState | undefined)[];
  readonly contractsByEngine: Map<string, ContractState>;
  readonly entities: ReadonlyMap<string, EntityState>;
  /** By party. */
  readonly parties: readonly EntityState[];
  readonly users: ReadonlyMap<string, UserState>;
  readonly ledger: CreditLedger;
  /** By party x parties + counterparty. */
  readonly pairs: readonly PairNotes[];
  readonly orders: Map<string, Order>;
  readonly openOrders: Map<number, Order>;
  readonly closedOrders: ClosedOrders;
  /** By user, of whoever has open orders. */
  readonly exposures: Map<string, UserExposure>;
  /** By user. */
  readonly refusals: Map<string, RecordedRefusals>;
  readonly retention: Retention;
  readonly fills: Map<string, ModuleData<"FILL">>;
  readonly trades: Map<string, ModuleData<"TRADE">>;
  /** Last numbers given. */
  readonly counters: {
    order: number;
    priority: number;
    fill: number;
    trade: number;
    audit: number;
    contract: number;
  };
  readonly deadlines: ContractDeadlines;
  readonly listings: readonly ListingState[];
  /** The earliest of the listings' next times; Infinity if there is none. */
  nextListing: number;
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

export function pairNotes(state: EngineState, entity: EntityState, counterparty: EntityState): PairNotes {
  return required(state.pairs[entity.party * state.parties.length + counterparty.party], "pair");
}

/** kW that an order has still open. */
export function remainingOf(order: Order): number {
  return order.quantity - order.filledQuantity;
}

/** The value, where an invariant says that there is one. */
export function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`the engine lacks a ${what} that must be there`);
  return value;
}
