// GET /dashboard/credit: who can trade with whom, and why not, for all pairs that the acting user may see: those of their own
// entity, or all with Scope.Global. Needs a connection and Credit.View.

import type { CreditLimitType, DocumentationStatus } from "../../protocol/modules/registry.ts";

export type CreditReason =
  | "entity_documents"
  | "counterparty_documents"
  | "entity_no_limit"
  | "entity_limit"
  | "counterparty_limit"
  | "no_contract";

/** A limit and its use by open trades, in its unit: dollars for notional, after the margin; MW for mw; MWh for mwh. */
export interface CreditUse {
  readonly limitType: CreditLimitType;
  /** The contract that it covers; null: all of them together. */
  readonly contractId: string | null;
  readonly limit: number;
  readonly used: number;
  /** Limit less used; negative if the limit was lowered below what is used. */
  readonly available: number;
  /**
   * What the open orders of the acting user's entity would use, if the other entity of the pair filled all of them at their own
   * prices. Null if the acting user's entity is none of the pair.
   */
  readonly ownOrders: number | null;
}

/** The credit that one entity grants to another. */
export interface CreditPair {
  readonly entityId: string;
  readonly counterpartyId: string;
  /** Whether documents and limits of both let the two trade at least one lot of a listed contract. */
  readonly tradable: boolean;
  /** Why they can't; null if they can. */
  readonly reason: CreditReason | null;
  /** The same as a sentence for a person, with what to do next. */
  readonly sentence: string;
  /** Status that the entity, and that the counterparty has set. */
  readonly documentation: { readonly entity: DocumentationStatus; readonly counterparty: DocumentationStatus };
  /** The limits, at most five: those of which the greatest share is used, in this order. */
  readonly limits: readonly CreditUse[];
  /** Limits that are not sent, of each of which a smaller share is used. */
  readonly limitsLeftOut: number;
}

export interface CreditEntity {
  readonly id: string;
  readonly name: string;
  readonly code: string;
}

export interface CreditMatrix {
  /** As `creditRevision` of an update: the matrix is as new as that. */
  readonly revision: number;
  /** ISO market time. */
  readonly asOf: string | null;
  /** The entities of the pairs, in the market's order. */
  readonly entities: readonly CreditEntity[];
  readonly pairs: readonly CreditPair[];
  /** All pairs that the acting user may see. */
  readonly total: number;
  /** There are more pairs than could be sent: those of the last entities are left out. */
  readonly truncated: boolean;
}
