// credit.setLimit and credit.setDocumentation. Either may let resting orders trade: at once in an open market,
// otherwise when matching begins. Setting what is already set changes nothing.

import type { ActionPayload, EventData } from "../../protocol/index.ts";
import type { LimitTerms } from "../market/credit-limit.ts";
import { done, notFound, type Outcome, rejected, type Rejection } from "../api/outcome.ts";
import { creditId, creditModule } from "../modules/credit-modules.ts";
import { type EngineState, pairState } from "../state/engine-state.ts";
import type { EntityState, UserState } from "../state/party-state.ts";
import { required } from "../state/required.ts";
import { matchRestingOrders } from "../trading/crossed-orders.ts";
import type { Transaction } from "../transaction/transaction.ts";
import type { CommandContext } from "./command-context.ts";
import { notOwnEntity, unknownEntity } from "./refusals.ts";

interface Pair {
  readonly entity: EntityState;
  readonly counterparty: EntityState;
}

export function setCreditLimit(
  transaction: Transaction,
  payload: ActionPayload<"credit.setLimit">,
  { user }: CommandContext,
): Outcome {
  const pair = checkPair(transaction.state, user, payload);
  if ("code" in pair) return pair;
  const { limitType, scope, contractId, limit, marginPercent } = payload;
  if (scope === "per_contract" && contractId === undefined) {
    return rejected("invalid_payload", "contractId is required if scope is per_contract.");
  }
  if (scope === "total" && contractId !== undefined) {
    return rejected("invalid_payload", `contractId ${contractId} goes with scope per_contract, and scope is total.`);
  }
  const contract = contractId === undefined ? null : transaction.state.contracts.get(contractId);
  if (contract === undefined) return notFound("contract", contractId ?? "");

  applyLimit(transaction, pair, { limitType, contract: contract?.key ?? null, limit, marginPercent }, {
    entityId: payload.entityId,
    counterpartyId: payload.counterpartyId,
    limitType,
    scope,
    contractId: contractId ?? null,
    limit,
    marginPercent,
    userId: user.id,
  });
  return done({ credit: creditModule(transaction.state, pair.entity, pair.counterparty) });
}

export function setDocumentation(
  transaction: Transaction,
  payload: ActionPayload<"credit.setDocumentation">,
  { user }: CommandContext,
): Outcome {
  const pair = checkPair(transaction.state, user, payload);
  if ("code" in pair) return pair;
  const { entityId, counterpartyId, status, notes = null } = payload;

  applyDocumentation(transaction, pair, { entityId, counterpartyId, status, notes, userId: user.id });
  return done({ credit: creditModule(transaction.state, pair.entity, pair.counterparty) });
}

function applyLimit(transaction: Transaction, pair: Pair, terms: LimitTerms, change: EventData<"change.credit">): void {
  const { entity, counterparty } = pair;
  const { ledger } = transaction.state;
  if (ledger.limits(entity.party, counterparty.party).some((limit) => isSameLimit(limit, terms))) return;
  ledger.setLimit(entity.party, counterparty.party, terms);
  transaction.ownCreditChanged(entity, counterparty);
  transaction.publish("change.credit", change);
  recordAndMatch(transaction, "creditLimitSet", pair, change);
}

export function isSameLimit(one: LimitTerms, other: LimitTerms): boolean {
  return one.limitType === other.limitType && one.contract === other.contract && one.limit === other.limit &&
    one.marginPercent === other.marginPercent;
}

function applyDocumentation(transaction: Transaction, pair: Pair, change: EventData<"change.documentation">): void {
  const { entity, counterparty } = pair;
  const { ledger } = transaction.state;
  const current = pairState(transaction.state, entity, counterparty);
  const isStatusSet = ledger.documentation(entity.party, counterparty.party) === change.status;
  if (isStatusSet && current.notes === change.notes) return;
  ledger.setDocumentation(entity.party, counterparty.party, change.status);
  current.notes = change.notes;
  if (isStatusSet) transaction.ownCreditChanged(entity, counterparty);
  else transaction.pairCreditChanged(entity, counterparty);
  transaction.publish("change.documentation", change);
  recordAndMatch(transaction, "documentationStatusSet", pair, change);
}

function checkPair(
  state: EngineState,
  user: UserState,
  { entityId, counterpartyId }: { entityId: string; counterpartyId: string },
): Pair | Rejection {
  if (user.entityId !== entityId) {
    return notOwnEntity(state, user, entityId);
  }
  const entity = required(state.entities.get(entityId), `entity ${entityId}`);
  const counterparty = state.entities.get(counterpartyId);
  if (counterparty === undefined) return unknownEntity(state, user, counterpartyId);
  if (entity === counterparty) {
    return rejected("invalid_payload", `An entity is not its own counterparty: ${counterpartyId}.`);
  }
  return { entity, counterparty };
}

/** Records a change between two entities, then matches the resting orders that it lets trade. */
function recordAndMatch(
  transaction: Transaction,
  event: "creditLimitSet" | "documentationStatusSet",
  { entity, counterparty }: Pair,
  details: Record<string, unknown>,
): void {
  transaction.record(event, "CREDIT", creditId(entity, counterparty), details, { entityId: entity.definition.id });
  matchRestingOrders(transaction, transaction.state.contracts.values(), new Set([entity, counterparty]));
}
