// Everything that an engine holds. The parts of a market are in market-state.ts. Times are milliseconds since the epoch.
//
// Invariants: an order is in `openOrders` as long as it is open, and is then either in its contract's book or among its
// contract's held orders, never in both. Numbers that name orders, fills, trades and audit events are never used twice.
//
// Limits: open orders are kept as long as they are open; of closed orders (with their fills) and trades the newest
// (transaction/retention.ts).

import type { ClockSetting } from "../../protocol/index.ts";
import type { ProductListing } from "../definition/listed-contracts.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import type { CreditLedger } from "../market/credit-ledger.ts";
import type { SlotIndex } from "../market/slot-index.ts";
import type { ClosedOrders } from "./closed-orders.ts";
import type { ContractDeadlines } from "./contract-deadlines.ts";
import type { ContractState, MarketState, Trade } from "./market-state.ts";
import type { OpenOrders } from "./open-orders.ts";
import type { OrderTable } from "./order-table.ts";
import type { EntityState, UserState } from "./party-state.ts";
import type { Queue } from "./queue.ts";
import { required } from "./required.ts";

/** What an entity has noted about a counterparty, beside what the credit ledger holds. */
export interface PairState {
  readonly entity: EntityState;
  readonly counterparty: EntityState;
  notes: string | null;
  updatedAt: number;
  /** CreditLedger.mayTrade, as last sent to clients; the same in both directions. */
  tradable: boolean;
  /** Number of the transaction that last changed its CREDIT module. */
  changedIn: number;
}

/** The listing rule of a product. */
interface ListingState {
  readonly listing: ProductListing;
  /** When it lists further contracts. */
  next: number;
}

/** Rejected orders of one user that the audit trail has recorded on a UTC day. */
export interface RecordedRejections {
  day: string;
  count: number;
}

/** How many closed orders and how many trades are kept. */
export interface Retention {
  readonly closedOrders: number;
  readonly trades: number;
}

export interface EngineState {
  /** Of the whole engine, not of a contract's book. */
  readonly engineId: string;
  /** Changes only if history was lost. */
  epoch: number;
  /** Number of the newest event. */
  sequence: number;
  /** Market time of the latest call. */
  now: number;
  /** Real time of the latest call. */
  realNow: number;
  /** How market time follows real time from the latest call on. */
  clock: ClockSetting;
  /** Number of transactions in this process. It marks what a transaction has changed. */
  transactions: number;
  /** The first is the default market. */
  readonly markets: ReadonlyMap<string, MarketState>;
  readonly products: readonly MarketDefinition["products"][number][];
  /** In the order of listing. */
  readonly contracts: Map<string, ContractState>;
  /** By key; undefined if the contract has been removed. */
  readonly contractsByKey: (ContractState | undefined)[];
  readonly contractsByBook: Map<string, ContractState>;
  readonly entities: ReadonlyMap<string, EntityState>;
  /** By party. */
  readonly parties: readonly EntityState[];
  readonly users: ReadonlyMap<string, UserState>;
  readonly ledger: CreditLedger;
  /** By party x parties + counterparty. */
  readonly pairs: readonly PairState[];
  /** The open ones, and the closed ones that are not forgotten. */
  readonly orders: OrderTable;
  /** The index of all books. */
  readonly slots: SlotIndex;
  readonly openOrders: OpenOrders;
  readonly closedOrders: ClosedOrders;
  /** By user. */
  readonly rejections: Map<string, RecordedRejections>;
  readonly retention: Retention;
  /** Oldest first. */
  readonly trades: Queue<Trade>;
  /** The last number given of each kind. */
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
  /** The earliest `next` of the listings; Infinity if there is none. */
  nextListing: number;
}

export function pairState(state: EngineState, entity: EntityState, counterparty: EntityState): PairState {
  return required(state.pairs[entity.party * state.parties.length + counterparty.party], "pair");
}

/** Sets `tradable` of every pair and `creditStatus` of every entity. Cost: O(parties^2). */
export function updateCreditStatus(state: EngineState): void {
  for (const entity of state.parties) {
    entity.creditStatus = state.ledger.creditStatus(entity.party);
    for (const other of state.parties) {
      if (other === entity) break;
      const tradable = state.ledger.mayTrade(entity.party, other.party);
      pairState(state, entity, other).tradable = tradable;
      pairState(state, other, entity).tradable = tradable;
    }
  }
}

/** When the clock next changes something: a session, a delivery, or the list of contracts. Null if nothing is scheduled. */
export function nextDeadline(state: EngineState): number | null {
  const contractTime = state.deadlines.first?.time ?? Infinity;
  const sessionTime = nextMarketToChange(state)?.session?.nextChange ?? Infinity;
  const time = Math.min(contractTime, state.nextListing, sessionTime);
  return time === Infinity ? null : time;
}

/** The market whose session changes next; the first of the definition if several change at the same time. */
export function nextMarketToChange(state: EngineState): MarketState | undefined {
  let next: MarketState | undefined;
  for (const market of state.markets.values()) {
    if (market.session === null) continue;
    if (next?.session == null || market.session.nextChange < next.session.nextChange) next = market;
  }
  return next;
}
