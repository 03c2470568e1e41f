// Checks that the modules which a filter names exist. A filter with a mistyped id would find nothing, and the empty list
// would look like a valid result.
//
// Call it only after a search that found nothing, so a search that found something is never refused. The snapshot has
// all products, contracts and engines, but only the entities, users, orders, fills and trades that the user may see.

import { type AnyModuleData, type ModuleType } from "../../protocol/modules/registry.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { ToolError } from "../../core/error.ts";
import { hasAllParties, listHint } from "./lookup.ts";
import { didYouMean, didYouMeanOne, type Reference, REFERENCES, suggestedIds } from "./meaning.ts";

/** Not checked if the snapshot may lack some of them (hasAllParties). */
const PARTIES: ReadonlySet<ModuleType> = new Set(["ENTITY", "USER"]);

/** Maximum number of names in a hint. */
const MAX_LISTED = 20;

/** `filters` are values by property name; properties that name no module are ignored. Throws ToolError `not_found`. */
export function checkNamedModules(snapshot: SnapshotReader, filters: Readonly<Record<string, unknown>>): void {
  for (const [name, filter] of Object.entries(filters)) {
    const reference = Object.hasOwn(REFERENCES, name) ? REFERENCES[name] : undefined;
    if (reference === undefined || (PARTIES.has(reference.type) && !hasAllParties(snapshot))) {
      continue;
    }
    const unknown = namesIn(filter).find((value) => !isKnown(snapshot, reference, value));
    if (unknown !== undefined) throw unknownName(snapshot, name, reference, unknown);
  }
}

/** The texts that must be names: a plain value, or the values of the operators eq and in. */
function namesIn(filter: unknown): string[] {
  if (typeof filter === "string") return [filter];
  if (typeof filter !== "object" || filter === null) return [];
  const { value, operator = "eq" } = filter as { value?: unknown; operator?: unknown };
  if (operator !== "eq" && operator !== "in") return [];
  return [value].flat().filter((one) => typeof one === "string");
}

function isKnown(snapshot: SnapshotReader, { type, by }: Reference, value: string): boolean {
  if (by === "id") return snapshot.get(type, value) !== undefined;
  const where = (module: AnyModuleData) => [module[by]].flat().includes(value);
  return snapshot.find(type, { where, limit: 1 }).total > 0;
}

function unknownName(snapshot: SnapshotReader, name: string, { type, by }: Reference, value: string): ToolError {
  const what = by === "id" ? type : by === "nodes" ? "price node" : `${type} with code`;
  return new ToolError(
    "not_found",
    `${name}: there is no ${what} ${JSON.stringify(value)}.`,
    suggestion(snapshot, { type, by }, value) + hintFor(snapshot, type, by),
  );
}

function suggestion(snapshot: SnapshotReader, { type, by }: Reference, value: string): string {
  if (by === "id") return didYouMean(suggestedIds(snapshot, type, value));
  return didYouMeanOne(value, namesOf(snapshot, type, by));
}

function hintFor(snapshot: SnapshotReader, type: ModuleType, by: Reference["by"]): string {
  const count = snapshot.count(type);
  if (count > MAX_LISTED) return listHint(type);
  return count === 0
    ? `There is no ${type} now: leave the filter out.`
    : `Give one of ${namesOf(snapshot, type, by).join(", ")}.`;
}

function namesOf(snapshot: SnapshotReader, type: ModuleType, by: Reference["by"]): string[] {
  const modules = snapshot.find(type, { limit: MAX_LISTED }).modules as unknown as AnyModuleData[];
  return [...new Set(modules.flatMap((module) => module[by] as string | string[]))];
}
