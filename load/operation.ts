// What a load run sends, to which target (an engine, or an MCP server), and what comes of it.

import type { Side } from "../protocol/sides.ts";

/** A contract that is traded. Prices in cents/MWh, quantities in MW. */
export interface TradedContract {
  readonly id: string;
  readonly lot: number;
  readonly tick: number;
  readonly minimumPrice: number;
  readonly maximumPrice: number;
  /** The mid of the book, else the last price, when the run began; null if there was neither. */
  readonly referencePrice: number | null;
}

export const OPERATION_KINDS = ["submit", "cancel", "modify"] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

export type Operation =
  | {
    readonly kind: "submit";
    readonly contractId: string;
    readonly side: Side;
    readonly price: number;
    readonly quantity: number;
  }
  | { readonly kind: "cancel"; readonly orderId: string }
  | { readonly kind: "modify"; readonly orderId: string; readonly price: number };

/** An order as its confirmation shows it. */
export interface ConfirmedOrder {
  readonly id: string;
  readonly isOpen: boolean;
  /** Of its trades so far, cents/MWh; null before the first. */
  readonly averagePrice: number | null;
}

export type Outcome =
  | { readonly kind: "confirmed"; readonly order: ConfirmedOrder }
  /** Nothing changed. */
  | { readonly kind: "refused"; readonly code: string }
  /** The target failed on it. */
  | { readonly kind: "failed"; readonly code: string }
  /** No answer in time: whether it took effect is unknown. */
  | { readonly kind: "unknown" }
  /** There was no connection when it was due. */
  | { readonly kind: "not_sent" };

/** What a load run drives. */
export interface Target {
  /** Opens all connections. Throws if one of them fails, and says why. */
  open(): Promise<void>;
  /** Contracts that can be traded until then (milliseconds since the epoch), those whose delivery begins first coming first. */
  contracts(until: number): Promise<readonly TradedContract[]>;
  /** `settle` is called once, at once or later. */
  send(connection: number, operation: Operation, settle: (outcome: Outcome) => void): void;
  /** Connections that were lost and came back. */
  readonly reconnects: number;
  close(): Promise<void>;
}

/** How long a request waits for its answer, after which its outcome is unknown. */
export const ANSWER_LIMIT_MS = 15_000;
