// GET /dashboard/credit: who can trade with whom, and why not, for all pairs that the acting user may see: those of their own
// entity, or all with Scope.Global. Needs a connection and Credit.View.

import type { DocumentationStatus } from "../../protocol/modules/registry.ts";

export type CreditReason =
  | "entity_documents"
  | "counterparty_documents"
  | "entity_no_limit"
  | "entity_limit"
  | "counterparty_limit"
  | "no_contract";

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
  /** Least left of the limits for all contracts together; null without such a limit. */
  readonly available: {
    /** Dollars. */
    readonly notional: number | null;
    readonly mw: number | null;
    readonly mwh: number | null;
  };
  /** Dollars: the limit for all contracts together, and its use; the limit is null without one. */
  readonly creditLimit: number | null;
  readonly usedCredit: number;
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
