// dev.reset: every ordered pair of entities gets one total notional limit and documents in place, so everyone can trade with
// everyone. The other limits of a pair are removed, since they could still prevent trades. Pairs that have these terms
// already are counted and not changed. Resting orders are matched after all pairs are set.

import { createHash, timingSafeEqual } from "node:crypto";
import type { ActionPayload } from "../../protocol/index.ts";
import type { LimitTerms } from "../market/credit-limit.ts";
import { done, type Outcome, rejected } from "../api/outcome.ts";
import { pairState } from "../state/engine-state.ts";
import type { EntityState, UserState } from "../state/party-state.ts";
import { matchRestingOrders } from "../trading/crossed-orders.ts";
import type { Transaction } from "../transaction/transaction.ts";
import type { CommandContext } from "./command-context.ts";
import { isSameLimit } from "./credit-commands.ts";

export function resetDevelopment(
  transaction: Transaction,
  payload: ActionPayload<"dev.reset">,
  { user, secret }: CommandContext,
): Outcome {
  if (secret === null) return rejected("not_configured", "The engine was started without STRESS_TEST_SECRET.");
  if (!sameSecret(payload.secret, secret)) {
    return rejected("wrong_secret", "That is not the engine's STRESS_TEST_SECRET.");
  }

  const { creditLimit, skipCredit, skipDocs } = payload;
  const { parties, contracts, engineId } = transaction.state;
  const pairs = parties.flatMap((entity) =>
    parties.filter((other) => other !== entity).map((other) => [entity, other] as const)
  );
  for (const [entity, counterparty] of pairs) {
    if (!skipCredit) resetLimit(transaction, user, entity, counterparty, creditLimit);
    if (!skipDocs) resetDocumentation(transaction, user, entity, counterparty);
  }
  const summary = {
    entities: parties.length,
    pairs: pairs.length,
    creditUpdates: skipCredit ? 0 : pairs.length,
    docsUpdates: skipDocs ? 0 : pairs.length,
  };
  const details = { creditLimit, skipCredit, skipDocs, ...summary };
  transaction.record("developmentReset", "SYSTEM", engineId, details);
  matchRestingOrders(transaction, contracts.values(), null);
  return done({ summary, errors: [] });
}

function resetLimit(
  transaction: Transaction,
  user: UserState,
  entity: EntityState,
  counterparty: EntityState,
  limit: number,
): void {
  const { ledger } = transaction.state;
  const terms: LimitTerms = { limitType: "notional", contract: null, limit, marginPercent: 100 };
  const [first, ...others] = ledger.limits(entity.party, counterparty.party);
  if (first !== undefined && others.length === 0 && isSameLimit(first, terms)) return;
  ledger.replaceLimits(entity.party, counterparty.party, [terms]);
  transaction.ownCreditChanged(entity, counterparty);
  transaction.publish("change.credit", {
    entityId: entity.definition.id,
    counterpartyId: counterparty.definition.id,
    limitType: terms.limitType,
    scope: "total",
    contractId: null,
    limit,
    marginPercent: terms.marginPercent,
    userId: user.id,
  });
}

function resetDocumentation(
  transaction: Transaction,
  user: UserState,
  entity: EntityState,
  counterparty: EntityState,
): void {
  const { ledger } = transaction.state;
  if (ledger.documentation(entity.party, counterparty.party) === "docs_in_place") return;
  ledger.setDocumentation(entity.party, counterparty.party, "docs_in_place");
  transaction.pairCreditChanged(entity, counterparty);
  transaction.publish("change.documentation", {
    entityId: entity.definition.id,
    counterpartyId: counterparty.definition.id,
    status: "docs_in_place",
    notes: pairState(transaction.state, entity, counterparty).notes,
    userId: user.id,
  });
}

/** Takes a time that does not depend on where the texts differ. */
function sameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(secret));
}

function digestOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
