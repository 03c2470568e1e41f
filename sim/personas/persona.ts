// A persona: a strategy bound to an entity, to the contracts it trades, to limits and to a pace. It decides and nothing
// else: a driver, live or headless, wakes it, carries out what it asks for, and tells it what came of it.
//
// What a driver does: wakes it after each `nextDelayMs()`, hands what `act` returns to the market in that order, and
// reports for every action either `onAccepted` or `onRefused`; for an order also `onFill` for each fill, and `onClosed`
// once where it ends in any way but by being filled. Fills may come before the answer to the order that they belong to.
// A persona names its orders by a reference of its own: a number, never used twice, from which the driver finds the
// market's order and back. While an answer is out, the persona leaves that contract alone.
//
// Times are simulated, in milliseconds since the epoch; prices integer cents/MWh; quantities whole kW.

import type { Side } from "../market/order-book.ts";
import type { StrategyName } from "../strategies/registry.ts";
import type { MarketUpdate } from "../strategies/strategy.ts";
import type { Assignment } from "./assignments.ts";
import type { PersonaLimits } from "./limits.ts";
import type { TradedContract } from "./traded-contract.ts";
import type { TradingAccount } from "./trading-account.ts";

/** What a persona wants of the market. */
export type PersonaAction =
  | {
    readonly kind: "submit";
    readonly reference: number;
    readonly contract: TradedContract;
    readonly side: Side;
    readonly price: number;
    /** A multiple of the contract's lot. */
    readonly quantity: number;
  }
  | {
    readonly kind: "modify";
    readonly reference: number;
    readonly price: number;
    /** The whole ordered quantity, what is filled included. */
    readonly quantity: number;
  }
  | { readonly kind: "cancel"; readonly reference: number };

/** One contract's book as everyone sees it; null where there is nothing. */
export interface ContractBook {
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** Of the newest trade. */
  readonly lastPrice: number | null;
}

/** What a persona sees when it is woken. */
export interface PersonaView {
  readonly time: number;
  book(contract: TradedContract): ContractBook;
  /** Whether an order would be matched at once: the market is open and not halted. */
  isOpen(contract: TradedContract): boolean;
  /** What spot prices are expected to be over the contract's delivery, as of now: cents/MWh. */
  forecast(contract: TradedContract): number;
  /** Whether the entity's credit limits leave no room for any counterparty. */
  readonly creditExhausted: boolean;
}

/** A public quote or trade in a contract. */
export interface ContractUpdate extends MarketUpdate {
  readonly contract: TradedContract;
}

export interface PersonaCounts {
  /** Orders that the market took. */
  readonly orders: number;
  /** Changes of orders that it took. */
  readonly changes: number;
  /** Orders that the persona cancelled. */
  readonly cancels: number;
  /** Actions that the market refused. */
  readonly rejected: number;
}

export interface Persona {
  /** Unique in a run, for example `zip-3`. */
  readonly id: string;
  readonly strategy: StrategyName;
  readonly entityId: string;
  /** The user as whom it trades. */
  readonly userId: string;
  readonly limits: PersonaLimits;
  readonly counts: PersonaCounts;
  /** What its fills come to. */
  readonly account: TradingAccount;
  /** Orders that work or may work. */
  readonly workingOrders: number;
  /** What an order was sent for; null where its trader has no limit price. */
  assignmentOf(reference: number): Assignment | null;

  /** Simulated milliseconds until it is to be woken next; at least 1. Each call draws anew. */
  nextDelayMs(): number;
  /** Decides. At most a few actions, within its limits however the market answers. */
  act(view: PersonaView): readonly PersonaAction[];

  onAccepted(reference: number): void;
  /** The market refused an action; an order that was refused is gone, one whose change was refused works on. */
  onRefused(reference: number, kind: PersonaAction["kind"], code: string): void;
  onFill(reference: number, price: number, quantity: number): void;
  /** An order ended: cancelled, expired, flushed, by whomever. */
  onClosed(reference: number): void;
  /**
   * A public quote or trade, including its own, reported before the fills it caused. A quote that trades gives one update
   * for each trade. `view` is from before the update.
   */
  onMarketUpdate(update: ContractUpdate, view: PersonaView): void;
  /** Delivery has begun: it can't be traded any more, and positions in it take up no limit. */
  onDelivery(contract: TradedContract): void;
  /** The contract has left the market; what is held of it, if anything, is settled at `price`, in whole cents/MWh. */
  onRemoved(contract: TradedContract, price: () => number): void;
  /**
   * All its orders are gone, and answers that are out will not come. To be called when that is certain: until then what
   * was sent may still be filled, and counts as working.
   */
  onDisconnected(): void;
}
