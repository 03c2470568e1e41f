// A persona: a strategy bound to a user, limits and a pace. A persona only decides. A driver, live or headless, wakes
// it up, carries out its actions, and reports the results to it.
//
// The driver wakes the persona after each `nextDelayMs` and sends the actions that `act` returns, in order. For every
// action it reports either `onAccepted` or `onRefused`. For an order it also reports `onFill` for each fill, and
// `onClosed` once if the order ends without being filled. Fills may be reported before the answer to their order. The
// persona names its orders by references: numbers that are never reused, which the driver maps to the market's orders.
// While an action is unanswered, the persona sends nothing else in that contract.
//
// Times are simulated, in milliseconds since the epoch; prices are integer cents/MWh; quantities are whole kW.

import type { Side } from "../../engine/market/order-book.ts";
import type { MarketUpdate } from "../strategies/strategy.ts";
import type { Assignment } from "./assignments.ts";
import type { PersonaEconomics } from "./economics.ts";
import type { PersonaLimits } from "./limits.ts";
import type { TradedContract } from "./traded-contract.ts";
import type { TradingAccount } from "./trading-account.ts";

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
    /** The new ordered quantity, including the filled part. */
    readonly quantity: number;
  }
  | { readonly kind: "cancel"; readonly reference: number };

/** A contract's public book; null for a side without orders. */
export interface ContractBook {
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** Price of the latest trade; null before the first. */
  readonly lastPrice: number | null;
}

/** The public market as it is shown with an update. */
export interface MarketWindow {
  readonly time: number;
  book(contract: TradedContract): ContractBook;
}

/** The market as the persona sees it at a wake-up. */
export interface PersonaView extends MarketWindow {
  /** Whether an order would be matched at once: the market is open and not halted. */
  isOpen(contract: TradedContract): boolean;
  /** Whether the entity's credit limits exclude trades with every counterparty. */
  readonly creditExhausted: boolean;
}

/** A public quote or trade in a contract. */
export interface ContractUpdate extends MarketUpdate {
  readonly contract: TradedContract;
}

export interface PersonaCounts {
  /** Orders accepted by the market. */
  readonly orders: number;
  /** Modifications accepted by the market. */
  readonly changes: number;
  /** Orders cancelled by the persona. */
  readonly cancels: number;
  /** Actions refused by the market. */
  readonly rejected: number;
}

/** Whose orders meet those of personas. */
export type Trader = Pick<Persona, "id" | "assignmentOf" | "onFill" | "onClosed">;

export interface Persona {
  /** Unique in a run, for example `zip-3`. */
  readonly id: string;
  /** Its name; `agent` for an agent outside the process. */
  readonly strategy: string;
  readonly entityId: string;
  /** Why its strategy can't go on: it trades nothing more; null if it can. */
  readonly fault: string | null;
  /** The user that it trades as. */
  readonly userId: string;
  readonly limits: PersonaLimits;
  readonly counts: PersonaCounts;
  /** Positions and cash from its fills. */
  readonly account: TradingAccount;
  /** Surplus, physical result and loss limit. */
  readonly economics: PersonaEconomics;
  /** Number of orders that are open, or sent and not yet answered. */
  readonly workingOrders: number;
  /** The assignment that an order was sent for; null without one. */
  assignmentOf(reference: number): Assignment | null;

  /** Its own forecast of a contract's value at a time, in cents/MWh, not rounded. Times must not go back. */
  forecast(contract: TradedContract, time: number): number;

  /** Simulated milliseconds from `time` until the next wake-up, at least 1. Each call draws a new value. */
  nextDelayMs(time: number): number;
  /** Decides on actions, within its limits however the market answers. */
  act(view: PersonaView): readonly PersonaAction[];

  onAccepted(reference: number): void;
  /** The market refused an action. A refused order is gone; after a refused change the order stays open. */
  onRefused(reference: number, kind: PersonaAction["kind"], code: string): void;
  onFill(reference: number, price: number, quantity: number): void;
  /** An order ended without being filled: cancelled, expired or flushed, by anyone. */
  onClosed(reference: number): void;
  /**
   * A public quote or trade, including its own, reported before the fills it caused. A quote that trades gives one update
   * for each trade. `window` is from before the update. Only called for contracts in which it listens (MarketListeners).
   */
  onMarketUpdate(update: ContractUpdate, window: MarketWindow): void;
  /** Delivery has begun: the contract can't be traded any more, and its position no longer counts against limits. */
  onDelivery(contract: TradedContract): void;
  /** The contract was removed from the market. A position in it, if any, is settled at `price`, in whole cents/MWh. */
  onRemoved(contract: TradedContract, price: () => number): void;
  /**
   * All its orders are gone, and no outstanding answers will come. The driver must be certain of that: until then sent
   * orders may still be filled and count as open.
   */
  onDisconnected(): void;
}
