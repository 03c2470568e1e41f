// Names in audit queries: any case is taken, and a name that finds nothing is answered with what was probably meant.

import { nearestName } from "../../common/nearest-name.ts";
import { ToolError } from "../../core/error.ts";
import { AUDIT_EVENTS, AUDIT_MODULE_TYPES } from "../../protocol/index.ts";
import { didYouMean } from "../toolkit/meaning.ts";
import { SIDE } from "../../protocol/modules/registry.ts";

const DECLARED = { moduleType: AUDIT_MODULE_TYPES, event: AUDIT_EVENTS } as const;
const FIELDS = ["moduleType", "event"] as const;

interface AuditNames {
  readonly moduleType?: string | undefined;
  readonly event?: string | undefined;
}

/** The names as the protocol declares them. Names that it does not declare stay: another engine may have them. */
export function declaredNames<Query extends AuditNames>(query: Query): Query {
  const declared = FIELDS.flatMap((field) => {
    const name = query[field]?.toLowerCase();
    const known = DECLARED[field].find((candidate) => candidate.toLowerCase() === name);
    return known === undefined ? [] : [[field, known] as const];
  });
  return { ...query, ...Object.fromEntries(declared) };
}

/**
 * Called after a search that found nothing, because another engine may have events and module types that the protocol
 * does not declare. Throws ToolError `invalid_filter` for such a name.
 */
export function checkNames(query: AuditNames): void {
  for (const field of FIELDS) {
    const [name, names]: [string | undefined, readonly string[]] = [query[field], DECLARED[field]];
    if (name === undefined || names.includes(name)) continue;
    const nearest = [nearestName(name, names) ?? []].flat();
    throw new ToolError(
      "invalid_filter",
      `${field}: ${JSON.stringify(name)} is unknown, and no event in the searched days has it.`,
      `${didYouMean(nearest)}Give one of ${names.join(", ")}.`,
    );
  }
}

/** The stored details hold a side as 0 or 1, and the tools show BUY and SELL: a search takes either. */
export function storedText(search: string): string {
  const [, alone] = /^(BUY|SELL)$/i.exec(search) ?? [];
  if (alone !== undefined) return `"side":${sideNumber(alone)}`;
  return search.replaceAll(/"side": ?"(BUY|SELL)"/gi, (_text, side: string) => `"side":${sideNumber(side)}`);
}

function sideNumber(side: string): number {
  return side.toUpperCase() === "BUY" ? SIDE.BUY : SIDE.SELL;
}
