// Finds the module that a caller named, or the default one, in the snapshot. A mistake of the caller is `not_found` or
// `invalid_input`, with a hint that says what was probably meant and names the tool for the right ids. Cost: O(1); meaning.ts
// states the cost of a mistake.

import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { AnyModuleData, ModuleData, ModuleType } from "../../protocol/modules/registry.ts";
import { ToolError } from "../../core/error.ts";
import { didYouMean, isNamed, nearestModule, onlyMeaning, suggestedIds } from "./meaning.ts";

/** Throws ToolError `not_found`. */
export function moduleOf<Type extends ModuleType>(snapshot: SnapshotReader, type: Type, id: string): ModuleData<Type> {
  const module = snapshot.get(type, id);
  if (module === undefined) throw unknownModule(type, id, suggestedIds(snapshot, type, id));
  return module;
}

/** The same for reads: another form of the id is accepted if it has only one meaning. */
export function moduleMeant<Type extends ModuleType>(
  snapshot: SnapshotReader,
  type: Type,
  id: string,
): ModuleData<Type> {
  return snapshot.get(type, id) ?? moduleOf(snapshot, type, onlyMeaning(snapshot, type, id) ?? id);
}

/** The same for a read of all items of a type, which are not from the snapshot. */
export function itemMeant<Item extends AnyModuleData>(type: ModuleType, items: readonly Item[], id: string): Item {
  const exact = items.find((item) => item.id === id);
  const [only, ...others] = exact === undefined ? items.filter(isNamed(id)) : [exact];
  if (only !== undefined && others.length === 0) return only;
  throw unknownModule(type, id, nearestModule(id, items));
}

/**
 * Whether the snapshot has all entities and users. An engine may serve them over HTTP only, and shows a user without
 * Market.View only the own entity and its users.
 */
export function hasAllParties(snapshot: SnapshotReader): boolean {
  return snapshot.count("ENTITY") > 1;
}

/** Throws ToolError `not_found` if there is no such entity, as far as the snapshot can tell. */
export function checkEntity(snapshot: SnapshotReader, entityId: string): void {
  if (hasAllParties(snapshot)) moduleOf(snapshot, "ENTITY", entityId);
}

/** `suggested`: ids that the caller may have meant. */
export function unknownModule(type: ModuleType, id: string, suggested: readonly string[] = []): ToolError {
  const hint = didYouMean(suggested) + listHint(type);
  return new ToolError("not_found", `There is no ${type} ${JSON.stringify(id)}.`, hint);
}

/** A request that the backend refused because there is no such module, with the ids that the caller may have meant. */
export function withMeantId<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
  snapshot: SnapshotReader,
  type: ModuleType,
  id: string,
): Outcome {
  if (!("code" in outcome) || outcome.kind !== "rejected" || outcome.code !== "not_found") return outcome;
  const { message, hint } = unknownModule(type, id, suggestedIds(snapshot, type, id));
  return { ...outcome, message, hint };
}

/** The named market, or else the first one that the backend sent. Throws ToolError `not_found`. Reads pass `moduleMeant`. */
export function marketOf(
  snapshot: SnapshotReader,
  marketId: string | undefined,
  find: typeof moduleOf = moduleOf,
): ModuleData<"MARKET"> {
  if (marketId !== undefined) return find(snapshot, "MARKET", marketId);
  return snapshot.first("MARKET") ?? none("MARKET");
}

/**
 * The engine with the given id or contract, or else the first one whose contract can still be traded. Throws ToolError
 * `not_found`, or `invalid_input` if both are given and don't belong together. Reads pass `moduleMeant`.
 */
export function engineOf(
  snapshot: SnapshotReader,
  { engineId, contractId }: { readonly engineId?: string | undefined; readonly contractId?: string | undefined },
  find: typeof moduleOf = moduleOf,
): ModuleData<"ENGINE"> {
  if (engineId !== undefined) {
    const engine = find(snapshot, "ENGINE", engineId);
    if (contractId !== undefined && contractId !== engine.contractId) {
      checkBelongs(engine, find(snapshot, "CONTRACT", contractId).id);
    }
    return engine;
  }
  if (contractId !== undefined) {
    return moduleOf(snapshot, "ENGINE", find(snapshot, "CONTRACT", contractId).engineId);
  }
  const first = snapshot.first("ENGINE") ?? none("ENGINE");
  if (snapshot.get("CONTRACT", first.contractId)?.status !== "expired") return first;
  const [listed] = snapshot.find("CONTRACT", { equals: { status: "listed" }, limit: 1 }).modules;
  return (listed && snapshot.get("ENGINE", listed.engineId)) ?? first;
}

function checkBelongs(engine: ModuleData<"ENGINE">, contractId: string): void {
  if (contractId === engine.contractId) return;
  throw new ToolError(
    "invalid_input",
    `engineId and contractId don't belong together: engine ${engine.id} matches contract ${engine.contractId}.`,
    "Give one of the two.",
  );
}

function none(type: ModuleType): never {
  throw new ToolError(
    "not_found",
    `The backend has sent no ${type}.`,
    "See mkt_connection_status; the acting user may lack Market.View.",
  );
}

const HINTS: Partial<Record<ModuleType, string>> = {
  ORDER: "mkt_list_orders gives the orders you can see.",
  FILL: "mkt_list_fills gives the fills you can see.",
  ENTITY: "mkt_list_entities gives the entities you can see.",
  USER: "mkt_list_users gives the users you can see.",
  PRODUCT: "mkt_list_products gives the products.",
};

/** A sentence that names the tool for the ids of a module type. */
export function listHint(type: ModuleType): string {
  return HINTS[type] ?? `mkt_find_modules with moduleType ${type} gives the ids.`;
}
