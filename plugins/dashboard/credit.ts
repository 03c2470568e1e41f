// Who can trade with whom, and how much of each limit is used (web/contract/credit.ts), from the CREDIT modules of the
// snapshot. A user sees the credit that their own entity grants, or all with Scope.Global: the rule of the tools
// (toolkit/entity-scope.ts).

import type { RouteContext } from "../../core/routes/route.ts";
import type { CreditLimit, ModuleData } from "../../protocol/modules/registry.ts";
import type { CreditEntity, CreditMatrix, CreditPair, CreditUse } from "../../web/contract/credit.ts";
import { counterpartyCreditOf, listedContracts, tradableSentence } from "../toolkit/credit-view.ts";
import { jsonAnswer } from "./json-answer.ts";
import { OwnOrders } from "./own-orders.ts";

/** 50 entities with each other. */
const MAX_PAIRS = 2_500;
/** Of a pair, which may have one for each contract. */
const MAX_LIMITS = 5;

export function credit(context: RouteContext): Response {
  const { snapshot } = context;
  const credits = creditsSeen(context);
  const listed = listedContracts(snapshot);
  const own = OwnOrders.of(context);
  const pairs = credits.slice(0, MAX_PAIRS).map((one) => pairOf(one, listed, own));
  const answer: CreditMatrix = {
    revision: snapshot.revision("CREDIT"),
    asOf: snapshot.asOf,
    entities: entitiesOf(pairs, context),
    pairs,
    total: credits.length,
    truncated: credits.length > pairs.length,
  };
  return jsonAnswer(answer);
}

function creditsSeen({ snapshot, pubsub: { session } }: RouteContext): ModuleData<"CREDIT">[] {
  if (session === null) return [];
  if (session.capabilities.includes("Scope.Global")) return snapshot.find("CREDIT", { limit: Infinity }).modules;
  const { entityId } = session;
  return entityId === null ? [] : snapshot.find("CREDIT", { equals: { entityId }, limit: Infinity }).modules;
}

function pairOf(
  credit: ModuleData<"CREDIT">,
  listed: readonly ModuleData<"CONTRACT">[],
  own: OwnOrders | null,
): CreditPair {
  const { counterpartyId, tradable, reason, documentation } = counterpartyCreditOf(credit, listed);
  const { entityId } = credit;
  const isOwn = own !== null && [entityId, counterpartyId].includes(own.entityId);
  const limits = credit.limits.toSorted((a, b) => usedShare(b) - usedShare(a)).slice(0, MAX_LIMITS);
  return {
    entityId,
    counterpartyId,
    tradable,
    reason,
    documentation,
    sentence: tradableSentence(credit, listed),
    limits: limits.map((limit) => usageOf(limit, isOwn ? own.wouldUse(limit) : null)),
    limitsLeftOut: credit.limits.length - limits.length,
  };
}

function usageOf({ limitType, contractId, limit, used, available }: CreditLimit, ownOrders: number | null): CreditUse {
  return { limitType, contractId, limit, used, available, ownOrders };
}

/** A limit of 0 leaves nothing, so all of it is used. */
function usedShare({ limit, used }: CreditLimit): number {
  return limit === 0 ? Infinity : used / limit;
}

/** In the market's order; an entity that the user can't see has its id as its name. */
function entitiesOf(pairs: readonly CreditPair[], { snapshot }: RouteContext): CreditEntity[] {
  const ids = new Set(pairs.flatMap(({ entityId, counterpartyId }) => [entityId, counterpartyId]));
  const known = snapshot.find("ENTITY", { where: ({ id }) => ids.has(id), limit: Infinity }).modules;
  for (const { id } of known) ids.delete(id);
  return [
    ...known.map(({ id, name, code }) => ({ id, name, code })),
    ...[...ids].map((id) => ({ id, name: id, code: id })),
  ];
}
