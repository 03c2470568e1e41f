// The modules that the parameters of a list name. Another form of an id is understood as by other reads (meaning.ts). An id
// that means nothing is refused: the list would be empty, and look like a valid result.
//
// Both count only after a search that found nothing, so a search that found something is never changed or refused. The
// snapshot has all products, contracts and engines, but only the entities, users, orders, fills and trades that the user may
// see.

import { type AnyModuleData, type ModuleType } from "../../protocol/modules/registry.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { ToolError } from "../../core/error.ts";
import { hasAllParties, listHint } from "./lookup.ts";
import { didYouMean, didYouMeanOne, onlyMeaning, type Reference, REFERENCES, suggestedIds } from "./meaning.ts";

/** Not checked if the snapshot may lack some of them (hasAllParties). */
const PARTIES: ReadonlySet<ModuleType> = new Set(["ENTITY", "USER"]);

/** Maximum number of names in a hint. */
const MAX_LISTED = 20;

/** The ids that `equals`, values by property name, means; `equals` itself if modules of the type have these values. */
export function equalsMeant<Values extends Readonly<Record<string, unknown>>>(
  snapshot: SnapshotReader,
  type: ModuleType,
  equals: Values,
): Values {
  const meant = Object.entries(equals).flatMap(([name, value]) => {
    const id = typeof value === "string" ? idMeant(snapshot, name, value) : null;
    return id === null || id === value ? [] : [[name, id] as const];
  });
  if (meant.length === 0 || snapshot.find(type, { equals, limit: 1 }).total > 0) return equals;
  return { ...equals, ...Object.fromEntries(meant) };
}

/** The id that the value of a property that names a module by its id means; null if none, or if it means several. */
export function idMeant(snapshot: SnapshotReader, name: string, value: string): string | null {
  const reference = referenceOf(name);
  return reference?.by === "id" ? onlyMeaning(snapshot, reference.type, value) : null;
}

/** `filters` are values by property name; properties that name no module are ignored. Throws ToolError `not_found`. */
export function checkNamedModules(snapshot: SnapshotReader, filters: Readonly<Record<string, unknown>>): void {
  for (const [name, filter] of Object.entries(filters)) {
    const reference = referenceOf(name);
    if (reference === undefined || (PARTIES.has(reference.type) && !hasAllParties(snapshot))) {
      continue;
    }
    const unknown = namesIn(filter).find((value) => !isKnown(snapshot, reference, value));
    if (unknown !== undefined) throw unknownName(snapshot, name, reference, unknown);
  }
}

function referenceOf(name: string): Reference | undefined {
  return Object.hasOwn(REFERENCES, name) ? REFERENCES[name] : undefined;
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
