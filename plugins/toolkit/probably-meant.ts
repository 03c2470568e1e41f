// Finds the modules that a caller probably meant by an id that does not exist: a name, a code, a product's code for one of its
// contracts, a delivery day or month, a mistyped id. It is a suggestion only: nothing is ever done to a module that the
// caller has not named by its id.
//
// Cost: O(modules of the type), for a call that has failed anyway.

import { nearestName } from "../../common/nearest-name.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { AnyModuleData, ModuleType } from "../../protocol/modules/registry.ts";

/** Ids suggested at most. */
const MAX_SUGGESTED = 4;
/** Modules searched at most; a type may have hundreds of thousands. */
const MAX_SEARCHED = 10_000;
const MAX_WORDS = 10;
/** A shorter text is part of too many names. */
const MIN_LENGTH = 2;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const SEARCHED = ["id", "code", "name", "productId", "productCode", "node", "deliveryStart"] as const;
/** Texts of these types name nothing: only their number can be meant. */
const NUMBERED: Readonly<Partial<Record<ModuleType, string>>> = { ORDER: "ORD", FILL: "FIL", TRADE: "TRD" };

/** "Did you mean ...?", with a space in front; empty if nothing is near. */
export function didYouMean(snapshot: SnapshotReader, type: ModuleType, given: string): string {
  const found = probablyMeant(snapshot, type, given);
  if (found.length === 0) return "";
  const shown = found.slice(0, MAX_SUGGESTED).map((id) => JSON.stringify(id));
  const more = found.length > shown.length ? ` (${found.length} match)` : "";
  return ` Did you mean ${shown.length === 1 ? "" : "one of "}${shown.join(", ")}${more}?`;
}

/** Ids, those that can still be traded first. */
function probablyMeant(snapshot: SnapshotReader, type: ModuleType, given: string): string[] {
  const prefix = NUMBERED[type];
  if (prefix !== undefined) {
    const id = `${prefix}-${/(\d+)\s*$/.exec(given)?.[1] ?? ""}`;
    return snapshot.get(type, id) === undefined ? [] : [id];
  }
  const text = given.trim().toLowerCase();
  if (text.length < MIN_LENGTH) return [];
  const { modules } = snapshot.find(type, { limit: MAX_SEARCHED });
  const open = modules.filter((module) => (module as AnyModuleData)["status"] !== "expired") as AnyModuleData[];
  const same = open.filter((module) => SEARCHED.some((name) => textOf(module, name) === text));
  if (same.length > 0) return same.map(({ id }) => id);
  const patterns = text.split(/[\s,]+/, MAX_WORDS).map(patternOf);
  const holding = open.filter((module) => {
    const all = SEARCHED.map((name) => textOf(module, name)).join(" ");
    return patterns.every((pattern) => typeof pattern === "string" ? all.includes(pattern) : pattern.test(all));
  });
  if (holding.length > 0) return holding.map(({ id }) => id);
  const nearest = nearestName(given, open.map(({ id }) => id).filter((id) => id.length > MIN_LENGTH));
  return nearest === null ? [] : [nearest];
}

/** A month's name stands for its number after a year. */
function patternOf(word: string): string | RegExp {
  const month = word.length < 3 ? -1 : MONTHS.findIndex((name) => word.startsWith(name));
  const isMonth = month >= 0 && /^[a-z]+$/.test(word);
  return isMonth ? new RegExp(`\\d{4}-${String(month + 1).padStart(2, "0")}`) : word;
}

function textOf(module: AnyModuleData, name: string): string {
  const value = module[name];
  return typeof value === "string" ? value.toLowerCase() : "";
}
