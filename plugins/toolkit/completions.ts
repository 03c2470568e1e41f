// Completions of the arguments that resources and prompts share: ids of contracts, orders, entities and users, and names.
// Each gives only what the acting user may see, best match first (best-matches.ts).
//
// Contracts and orders need the connection: without one there are no values. Entities and users are asked of the backend
// over HTTP then.

import { EVENT_CATEGORIES } from "../../protocol/index.ts";
import { MODULE_TYPES, type ModuleData, type ModuleType } from "../../protocol/modules/registry.ts";
import type { Completion } from "../../core/tools/completion.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { bestMatches, type Candidate } from "./best-matches.ts";
import { contractsDescribedBy, deliveryDay } from "./contract-search.ts";
import { onlyMeaning } from "./meaning.ts";

/**
 * By id, code, name, product, and day on which delivery begins at the market; or by `tomorrow` or the name of a month. First
 * the contracts whose book has orders, then other listed ones, each by start of delivery, and the expired ones last.
 */
export const contractIds: Completion = (typed, { snapshot, pubsub }) => {
  if (pubsub.session === null) return [];
  const contracts = snapshot.find("CONTRACT", { limit: Infinity }).modules
    .map((contract) => ({ contract, group: groupOf(contract, snapshot), start: Date.parse(contract.deliveryStart) }))
    .toSorted((a, b) => a.group - b.group || a.start - b.start);
  const { open = [], expired = [] } = Object.groupBy(contracts, ({ group }) => group === EXPIRED ? "expired" : "open");
  const found = [open, expired].flatMap((each) =>
    bestMatches(typed, each.map(({ contract }) => contractCandidate(contract, snapshot)))
  );
  return found.length > 0 ? found : contractsDescribedBy(snapshot, typed);
};

/** By id, code and name; the acting user's own entity first. */
export const entityIds: Completion = async (typed, context) => bestMatches(typed, await entityCandidates(context));

/** The same, but only entities whose positions and credit the acting user may see. */
export const entityIdsInScope: Completion = async (typed, context) => {
  const { session } = context.pubsub;
  const all = await entityCandidates(context);
  const isAny = session === null || session.capabilities.includes("Scope.Global");
  return bestMatches(typed, isAny ? all : all.filter(({ value }) => value === session.entityId));
};

/** By id and name, of users whose orders the acting user may see; the acting user and users of the same entity first. */
export const userIdsWithOrders: Completion = async (typed, context) => {
  const { session } = context.pubsub;
  const all = usersFirst(await usersOf(context), context);
  const isAny = session === null || session.capabilities.includes("Market.View");
  const seen = isAny ? all : all.filter(({ entityId }) => entityId !== null && entityId === session.entityId);
  return bestMatches(typed, seen.map(userCandidate));
};

export const eventCategories = oneOf(EVENT_CATEGORIES);

export const moduleTypes = oneOf(MODULE_TYPES);

type Contract = ModuleData<"CONTRACT">;
type Order = ModuleData<"ORDER">;

const EXPIRED = 2;

function groupOf({ status, engineId: bookId }: Contract, snapshot: ToolContext["snapshot"]): number {
  if (status === "expired") return EXPIRED;
  return (snapshot.get("ENGINE", bookId)?.totalWorkingOrders ?? 0) > 0 ? 0 : 1;
}

/** A module in the snapshot never changes: a new state is a new object. */
const contractCandidates = new WeakMap<Contract, Candidate>();

/** The contract by id, code, name, product, and day on which delivery begins. */
export function contractCandidate(contract: Contract, snapshot: ToolContext["snapshot"]): Candidate {
  const known = contractCandidates.get(contract);
  if (known !== undefined) return known;
  const { id, code, name, productCode } = contract;
  const made = { value: id, names: [code, name, productCode, deliveryDay(contract, snapshot)] };
  contractCandidates.set(contract, made);
  return made;
}

async function entityCandidates(context: ToolContext): Promise<Candidate[]> {
  const own = context.pubsub.session?.entityId;
  return ownFirst(await entitiesOf(context), ({ id }) => id === own)
    .map(({ id, code, name }) => ({ value: id, names: [code, name] }));
}

export async function entitiesOf(
  { pubsub, snapshot, backend, signal }: ToolContext,
): Promise<readonly ModuleData<"ENTITY">[]> {
  return pubsub.session !== null && snapshot.count("ENTITY") > 0
    ? snapshot.find("ENTITY", { limit: Infinity }).modules
    : await backend.entities(signal);
}

export async function usersOf(
  { pubsub, snapshot, backend, signal }: ToolContext,
): Promise<readonly ModuleData<"USER">[]> {
  if (pubsub.session !== null && snapshot.count("USER") > 0) return snapshot.find("USER", { limit: Infinity }).modules;
  return await backend.users(signal);
}

function usersFirst(users: readonly ModuleData<"USER">[], { pubsub: { session } }: ToolContext): ModuleData<"USER">[] {
  if (session === null) return [...users];
  const colleagues = ownFirst(users, ({ entityId }) => entityId !== null && entityId === session.entityId);
  return ownFirst(colleagues, ({ id }) => id === session.userId);
}

function ownFirst<Item>(items: readonly Item[], isOwn: (item: Item) => boolean): Item[] {
  return [...items.filter(isOwn), ...items.filter((item) => !isOwn(item))];
}

function userCandidate({ id, name }: ModuleData<"USER">): Candidate {
  return { value: id, names: [name] };
}

/** The most orders that are looked at in each of the two groups. */
const MAX_ORDERS = 1_000;

/**
 * By id, contract and clientOrderId. The acting user's open orders first, then the others that the user may see, both newest
 * first. `others` may name the contract (`contractId`) and the user (`userId`) whose orders they are. No values without a
 * connection. An older order than the newest MAX_ORDERS is found by its whole id.
 */
export const orderIds: Completion = (typed, context, others) =>
  bestMatches(
    typed,
    ordersLikely(typed, context, others).map((order) => ({
      value: order.id,
      names: [order.contractId, order.clientOrderId],
    })),
  );

/** The orders among which a person may mean one, as for orderIds. */
export function ordersLikely(
  typed: string,
  { snapshot, pubsub: { session } }: Pick<ToolContext, "snapshot" | "pubsub">,
  others: Readonly<Record<string, string>> = {},
): Order[] {
  if (session === null) return [];
  const contractId = meant(snapshot, "CONTRACT", others["contractId"]);
  const userId = meant(snapshot, "USER", others["userId"]);
  const fits = (order: Order) =>
    (contractId === undefined || order.contractId === contractId) && (userId === undefined || order.userId === userId);
  const named = snapshot.get("ORDER", onlyMeaning(snapshot, "ORDER", typed) ?? "");
  const found = [
    ...ownOpenOrders(snapshot, session.userId).filter(fits),
    ...snapshot.find("ORDER", { equals: { contractId, userId }, limit: MAX_ORDERS }).modules,
    ...(named !== undefined && fits(named) ? [named] : []),
  ];
  return [...new Map(found.map((order) => [order.id, order])).values()];
}

/** One of these names. */
export function oneOf(names: readonly string[]): Completion {
  return (typed) => bestMatches(typed, names.map((value) => ({ value, names: [] })));
}

function ownOpenOrders(snapshot: SnapshotReader, userId: string): Order[] {
  const where = (order: Readonly<Record<string, unknown>>) => order["closeReason"] === null;
  return snapshot.find("ORDER", { equals: { userId }, where, limit: MAX_ORDERS }).modules;
}

/** Undefined if nothing was typed. */
function meant(snapshot: SnapshotReader, type: ModuleType, text = ""): string | undefined {
  const typed = text.trim();
  return typed === "" ? undefined : onlyMeaning(snapshot, type, typed) ?? typed;
}
