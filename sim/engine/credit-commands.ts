// credit.setLimit, credit.setDocumentation. What a change allows to trade, and rests in a market that is open, trades at
// once; in another market it waits until matching begins. Setting what is set already changes nothing.

import type { ActionPayload, EventData } from "../../protocol/index.ts";
import type { LimitTerms } from "../market/credit-limit.ts";
import { type EngineState, type EntityState, pairNotes, required, type UserState } from "./engine-state.ts";
import { matchResting } from "./order-life.ts";
import { done, lacking, type Outcome, rejected, type Rejection, unknown } from "./outcome.ts";
import { creditId, creditModule } from "./projections.ts";
import type { Turn } from "./transaction.ts";

interface Pair {
  readonly entity: EntityState;
  readonly counterparty: EntityState;
}

export function setCreditLimit(turn: Turn, user: UserState, payload: ActionPayload<"credit.setLimit">): Outcome {
  const pair = checkPair(turn.state, user, payload);
  if ("code" in pair) return pair;
  const { limitType, scope, contractId, limit, marginPercent } = payload;
  if (scope === "per_contract" && contractId === undefined) {
    return rejected("invalid_payload", "contractId is required where scope is per_contract.");
  }
  if (scope === "total" && contractId !== undefined) {
    return rejected("invalid_payload", `contractId ${contractId} goes with scope per_contract, and scope is total.`);
  }
  const contract = contractId === undefined ? null : turn.state.contracts.get(contractId);
  if (contract === undefined) return unknown("contract", contractId ?? "");

  applyLimit(turn, pair, { limitType, contract: contract?.key ?? null, limit, marginPercent }, {
    entityId: payload.entityId,
    counterpartyId: payload.counterpartyId,
    limitType,
    scope,
    contractId: contractId ?? null,
    limit,
    marginPercent,
    userId: user.id,
  });
  return done({ credit: creditModule(turn.state, pair.entity, pair.counterparty) });
}

export function setDocumentation(
  turn: Turn,
  user: UserState,
  payload: ActionPayload<"credit.setDocumentation">,
): Outcome {
  const pair = checkPair(turn.state, user, payload);
  if ("code" in pair) return pair;
  const { entityId, counterpartyId, status, notes = null } = payload;

  applyDocumentation(turn, pair, { entityId, counterpartyId, status, notes, userId: user.id });
  return done({ credit: creditModule(turn.state, pair.entity, pair.counterparty) });
}

function applyLimit(turn: Turn, pair: Pair, terms: LimitTerms, change: EventData<"change.credit">): void {
  const { entity, counterparty } = pair;
  const { ledger } = turn.state;
  const isSet = ledger.limits(entity.party, counterparty.party).some((limit) =>
    limit.limitType === terms.limitType && limit.contract === terms.contract && limit.limit === terms.limit &&
    limit.marginPercent === terms.marginPercent
  );
  if (isSet) return;
  ledger.setLimit(entity.party, counterparty.party, terms);
  turn.ownCreditChanged(entity, counterparty);
  turn.publish("change.credit", change);
  recordPair(turn, "creditLimitSet", pair, change);
  matchPair(turn, pair);
}

function applyDocumentation(turn: Turn, pair: Pair, change: EventData<"change.documentation">): void {
  const { entity, counterparty } = pair;
  const { ledger } = turn.state;
  const said = pairNotes(turn.state, entity, counterparty);
  const isStatusSet = ledger.documentation(entity.party, counterparty.party) === change.status;
  if (isStatusSet && said.notes === change.notes) return;
  ledger.setDocumentation(entity.party, counterparty.party, change.status);
  said.notes = change.notes;
  if (isStatusSet) turn.ownCreditChanged(entity, counterparty);
  else turn.pairCreditChanged(entity, counterparty);
  turn.publish("change.documentation", change);
  recordPair(turn, "documentationStatusSet", pair, change);
  matchPair(turn, pair);
}

function checkPair(
  state: EngineState,
  user: UserState,
  { entityId, counterpartyId }: { entityId: string; counterpartyId: string },
): Pair | Rejection {
  const refusal = lacking(user, "Credit.Manage");
  if (refusal !== null) return refusal;
  if (user.entityId !== entityId) {
    return rejected("forbidden", `User ${user.id} does not belong to entity ${entityId}.`);
  }
  const entity = required(state.entities.get(entityId), `entity ${entityId}`);
  const counterparty = state.entities.get(counterpartyId);
  if (counterparty === undefined) return unknown("entity", counterpartyId);
  if (entity === counterparty) {
    return rejected("invalid_payload", `An entity is not its own counterparty: ${counterpartyId}.`);
  }
  return { entity, counterparty };
}

function recordPair(
  turn: Turn,
  event: "creditLimitSet" | "documentationStatusSet",
  { entity, counterparty }: Pair,
  details: Record<string, unknown>,
): void {
  turn.record({
    event,
    moduleType: "CREDIT",
    moduleId: creditId(entity, counterparty),
    entityId: entity.definition.id,
    details,
  });
}

function matchPair(turn: Turn, { entity, counterparty }: Pair): void {
  matchResting(turn, turn.state.contracts.values(), new Set([entity, counterparty]));
}
