// Whether two entities can trade now, and if not why, from the CREDIT module of one of them. The module does not show the
// other side's limits, so they are taken as the reason if no other is found.

import type { CreditLimit, ModuleData } from "../../protocol/modules/registry.ts";

/** `entity` is the module's entity. The names are those in `blockedBy` of an order. */
type CreditReason =
  | "entity_documents"
  | "counterparty_documents"
  | "entity_no_limit"
  | "entity_limit"
  | "counterparty_limit";

type Credit = ModuleData<"CREDIT">;

/** Why the two can't trade any contract; null if they can. */
export function creditReason(credit: Credit): CreditReason | null {
  if (credit.tradable) return null;
  if (credit.documentation !== "docs_in_place") return "entity_documents";
  if (credit.counterpartyDocumentation !== "docs_in_place") return "counterparty_documents";
  if (credit.limits.length === 0) return "entity_no_limit";
  return leaveCredit(credit.limits) ? "counterparty_limit" : "entity_limit";
}

export function haveDocuments({ documentation, counterpartyDocumentation }: Credit): boolean {
  return documentation === "docs_in_place" && counterpartyDocumentation === "docs_in_place";
}

/** Whether the limits leave credit for some contract: all total limits, or without those all limits of one contract. */
function leaveCredit(limits: readonly CreditLimit[]): boolean {
  const exhausted = new Set(limits.filter(({ available }) => available <= 0).map(({ contractId }) => contractId));
  const total = limits.filter(({ contractId }) => contractId === null);
  return total.length > 0 ? !exhausted.has(null) : limits.some(({ contractId }) => !exhausted.has(contractId));
}

/** A sentence: whether the two can trade, else why not and what to do next. */
export function tradableSentence(credit: Credit): string {
  const { entityId, counterpartyId } = credit;
  const cannot = `${entityId} and ${counterpartyId} can't trade:`;
  const byCounterparty = (tool: string) => `a user of ${counterpartyId} with Credit.Manage calls ${tool}`;
  switch (creditReason(credit)) {
    case null:
      return `${entityId} and ${counterpartyId} can trade; their crossed orders trade by themselves, at once in an open market.`;
    case "entity_documents":
      return `${cannot} set docs_in_place for ${counterpartyId} with mkt_set_documentation_status.`;
    case "counterparty_documents":
      return `${cannot} ${counterpartyId} has not set docs_in_place; ${
        byCounterparty("mkt_set_documentation_status")
      }.`;
    case "entity_no_limit":
      return `${cannot} ${entityId} has set no limit for ${counterpartyId}; set one with mkt_set_credit_limit.`;
    case "entity_limit":
      return `${cannot} ${entityId}'s limits for ${counterpartyId} leave no credit; raise them with mkt_set_credit_limit.`;
    case "counterparty_limit":
      return `${cannot} ${counterpartyId}'s limits for ${entityId} are missing or leave no credit; ${
        byCounterparty("mkt_set_credit_limit")
      }.`;
  }
}
