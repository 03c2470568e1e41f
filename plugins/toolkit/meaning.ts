// What a caller probably meant by an id that no module has.
//
// A meaning is certain: the same id, code or name in another case, the caller's own id of an order, or the id of another
// module that names one of this type (an engine's id for its contract). Reads use a meaning if there is exactly one. A
// suggestion is a guess, for hints only. Mutations use neither; their refusals show both.
// Cost: one walk over the modules of the type, if there are at most MAX_WALKED.

import { nearestName } from "../../common/nearest-name.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { type AnyModuleData, MODULE_TYPES, type ModuleType } from "../../protocol/modules/registry.ts";
import { contractsDescribedBy } from "./contract-search.ts";

const MAX_WALKED = 3_000;
const MAX_SUGGESTED = 5;
/** Their ids are numbered, so the nearest id says nothing. */
const NUMBERED: ReadonlySet<ModuleType> = new Set(["ORDER", "FILL", "TRADE"]);

/** The id of the only module that the text can mean; null if there is none, or more than one. */
export function onlyMeaning(snapshot: SnapshotReader, type: ModuleType, text: string): string | null {
  if (snapshot.get(type, text) !== undefined) return text;
  const [only = null, ...others] = meaningsOf(snapshot, type, text);
  return others.length === 0 ? only : null;
}

/** Ids of modules that the caller may have meant, the likeliest first. */
export function suggestedIds(snapshot: SnapshotReader, type: ModuleType, text: string): string[] {
  const meanings = meaningsOf(snapshot, type, text);
  if (meanings.length > 0) return meanings.slice(0, MAX_SUGGESTED);
  const modules = walked(snapshot, type);
  const described = type === "CONTRACT" ? contractsDescribedBy(snapshot, text) : [];
  if (described.length > 0) return described.slice(0, MAX_SUGGESTED);
  return NUMBERED.has(type) ? sameNumber(snapshot, type, text) : nearestModule(text, modules);
}

/** The module with the number in which the text ends: ORD-7 for `7` and `order 7`. */
function sameNumber(snapshot: SnapshotReader, type: ModuleType, text: string): string[] {
  const prefix = snapshot.first(type)?.id.replace(/\d+$/, "");
  const number = /(\d{1,20})\s*$/.exec(text)?.[1];
  if (prefix === undefined || number === undefined) return [];
  return snapshot.get(type, prefix + number) === undefined ? [] : [prefix + number];
}

/** The id of the module whose id, code or name is nearest. */
export function nearestModule(text: string, modules: readonly AnyModuleData[]): string[] {
  const ids = new Map<string, string>();
  for (const module of modules) for (const name of namesOf(module)) ids.set(name, module.id);
  const nearest = ids.get(nearestName(text, ids.keys()) ?? "");
  return nearest === undefined ? [] : [nearest];
}

/** A sentence for a hint that names the nearest of `names`; empty if none is near. */
export function didYouMeanOne(text: string, names: Iterable<string>): string {
  const nearest = nearestName(text, names);
  return didYouMean(nearest === null ? [] : [nearest]);
}

/** A sentence for a hint; empty without ids. */
export function didYouMean(ids: readonly string[]): string {
  return ids.length === 0 ? "" : `Did you mean ${ids.join(" or ")}? `;
}

function meaningsOf(snapshot: SnapshotReader, type: ModuleType, text: string): string[] {
  const sameName = walked(snapshot, type).filter(isNamed(text));
  const found = [...sameName.map(({ id }) => id), ...namedBy(snapshot, type, text.trim())];
  return [...new Set(found)].filter((id) => snapshot.get(type, id) !== undefined);
}

/** Ids of this type in the modules of other types that have the text as their id. */
function namedBy(snapshot: SnapshotReader, type: ModuleType, text: string): string[] {
  const named = MODULE_TYPES.filter((other) => other !== type).flatMap((other) => {
    const module = snapshot.get(other, text) as unknown as AnyModuleData | undefined;
    return module === undefined ? [] : referencesTo(type).map((property) => module[property]);
  });
  const ids = named.filter((id) => typeof id === "string");
  if (type !== "ORDER") return ids;
  const own = snapshot.find("ORDER", { equals: { clientOrderId: text }, limit: 2 }).modules.map(({ id }) => id);
  const upperCase = snapshot.get("ORDER", text.toUpperCase()) === undefined ? [] : [text.toUpperCase()];
  return [...ids, ...own, ...upperCase];
}

/** Prepares the text once, because it may be long: a URI's parameter has no limit of its own. */
/** Whether a module has this id, code or name, in any case. */
export function isNamed(text: string): (module: object) => boolean {
  const lower = text.trim().toLowerCase();
  return (module) => namesOf(module as AnyModuleData).some((name) => name.toLowerCase() === lower);
}

function namesOf({ id, code, name }: AnyModuleData): string[] {
  return [id, code, name].filter((text) => typeof text === "string");
}

function walked(snapshot: SnapshotReader, type: ModuleType): AnyModuleData[] {
  if (NUMBERED.has(type) || snapshot.count(type) > MAX_WALKED) return [];
  return snapshot.find(type, { limit: MAX_WALKED }).modules as unknown as AnyModuleData[];
}

export type Reference = { readonly type: ModuleType; readonly by: "id" | "code" | "nodes" };

/** The properties whose value names a module: by its id, or by its code, or a price node of a market. */
export const REFERENCES: Readonly<Record<string, Reference>> = {
  marketId: { type: "MARKET", by: "id" },
  node: { type: "MARKET", by: "nodes" },
  productId: { type: "PRODUCT", by: "id" },
  productCode: { type: "PRODUCT", by: "code" },
  contractId: { type: "CONTRACT", by: "id" },
  engineId: { type: "ENGINE", by: "id" },
  orderId: { type: "ORDER", by: "id" },
  buyOrderId: { type: "ORDER", by: "id" },
  sellOrderId: { type: "ORDER", by: "id" },
  tradeId: { type: "TRADE", by: "id" },
  entityId: { type: "ENTITY", by: "id" },
  counterpartyId: { type: "ENTITY", by: "id" },
  buyEntityId: { type: "ENTITY", by: "id" },
  sellEntityId: { type: "ENTITY", by: "id" },
  userId: { type: "USER", by: "id" },
};

/** The properties that hold ids of modules of the type. */
function referencesTo(type: ModuleType): string[] {
  return Object.entries(REFERENCES).filter(([, { type: named, by }]) => named === type && by === "id").map(([name]) =>
    name
  );
}
