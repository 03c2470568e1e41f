// Completions of the arguments that resources and prompts share: ids of contracts, entities and users, event categories and
// module types. Each gives only what the acting user may see, best match first (best-matches.ts).
//
// Contracts need the connection: without one there are no values. Entities and users are asked of the backend over HTTP
// then.

import { EVENT_CATEGORIES } from "../../protocol/index.ts";
import { MODULE_TYPES, type ModuleData } from "../../protocol/modules/registry.ts";
import type { Completion } from "../../core/tools/completion.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { bestMatches, type Candidate } from "./best-matches.ts";
import { contractsDescribedBy, deliveryDay } from "./contract-search.ts";

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

export const eventCategories: Completion = (typed) => bestMatches(typed, EVENT_CATEGORIES.map(plain));

export const moduleTypes: Completion = (typed) => bestMatches(typed, MODULE_TYPES.map(plain));

type Contract = ModuleData<"CONTRACT">;

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

function plain(value: string): Candidate {
  return { value, names: [] };
}
