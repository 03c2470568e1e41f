// The ENTITY, USER and CREDIT modules as clients see them: dollars, MW, MWh, ISO times.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { LimitUsage } from "../market/credit-limit.ts";
import { roundedNumber } from "../market/exact-integer.ts";
import { dollarsOf, KILOWATTS_PER_MEGAWATT, megawattHoursOf } from "../market/units.ts";
import { type EngineState, pairState } from "../state/engine-state.ts";
import type { EntityState, UserState } from "../state/party-state.ts";
import { required } from "../state/required.ts";
import { isoTime } from "../../common/iso-time.ts";

export function entityModule({ definition, userIds, creditStatus }: EntityState): ModuleData<"ENTITY"> {
  const { id, name, code } = definition;
  return { id, name, code, userIds: [...userIds], creditStatus };
}

export function userModule(user: UserState): ModuleData<"USER"> {
  const { id, name, entityId, permissions, connected } = user;
  return { id, name, entityId, permissions: [...permissions], connected };
}

/** One for each ordered pair of entities. `ofEntity`: only those that this entity grants; null: all. */
export function* creditModules(
  state: EngineState,
  ofEntity: string | null,
): Generator<ModuleData<"CREDIT">, void, undefined> {
  for (const entity of state.parties) {
    if (ofEntity !== null && entity.definition.id !== ofEntity) continue;
    for (const counterparty of state.parties) {
      if (entity !== counterparty) yield creditModule(state, entity, counterparty);
    }
  }
}

export function creditId(entity: EntityState, counterparty: EntityState): string {
  return `${entity.definition.id}:${counterparty.definition.id}`;
}

export function creditModule(
  state: EngineState,
  entity: EntityState,
  counterparty: EntityState,
): ModuleData<"CREDIT"> {
  const { ledger } = state;
  const { notes, tradable, updatedAt } = pairState(state, entity, counterparty);
  const usage = ledger.usage(entity.party, counterparty.party);
  return {
    id: creditId(entity, counterparty),
    entityId: entity.definition.id,
    counterpartyId: counterparty.definition.id,
    limits: ledger.limitUsage(entity.party, counterparty.party).map((limit) => limitShown(state, limit)),
    usedNotional: dollarsOf(usage.notional),
    usedMw: roundedNumber(usage.quantity, KILOWATTS_PER_MEGAWATT, 3),
    usedMwh: megawattHoursOf(usage.energy),
    documentation: ledger.documentation(entity.party, counterparty.party),
    counterpartyDocumentation: ledger.documentation(counterparty.party, entity.party),
    tradable,
    notes,
    updatedAt: isoTime(updatedAt),
  };
}

function limitShown(
  state: EngineState,
  { terms, used, available }: LimitUsage,
): ModuleData<"CREDIT">["limits"][number] {
  return {
    limitType: terms.limitType,
    scope: terms.contract === null ? "total" : "per_contract",
    contractId: terms.contract === null ? null : contractIdOf(state, terms.contract),
    limit: terms.limit,
    marginPercent: terms.marginPercent,
    used,
    available,
  };
}

function contractIdOf(state: EngineState, key: number): string {
  return required(state.contractsByKey[key], "contract").id;
}
