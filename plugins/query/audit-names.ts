// Names in audit queries: any case is accepted, and the error for an unknown name says what was probably meant.

import { ToolError } from "../../core/error.ts";
import { AUDIT_EVENTS, AUDIT_MODULE_TYPES } from "../../protocol/index.ts";
import { didYouMeanOne } from "../toolkit/meaning.ts";
import { BUY, SELL } from "../../protocol/sides.ts";

const DECLARED = { moduleType: AUDIT_MODULE_TYPES, event: AUDIT_EVENTS } as const;
const FIELDS = ["moduleType", "event"] as const;

interface AuditNames {
  readonly moduleType?: string | undefined;
  readonly event?: string | undefined;
}

/** Names in the spelling of the protocol. A name that it does not declare stays, because another engine may have it. */
export function declaredNames<Query extends AuditNames>(query: Query): Query {
  const declared = FIELDS.flatMap((field) => {
    const name = query[field]?.toLowerCase();
    const known = DECLARED[field].find((candidate) => candidate.toLowerCase() === name);
    return known === undefined ? [] : [[field, known] as const];
  });
  return { ...query, ...Object.fromEntries(declared) };
}

/**
 * Throws ToolError `invalid_filter` for a name that the protocol does not declare. Call it only after a search that found
 * nothing, because another engine may have events and module types of its own.
 */
export function checkNames(query: AuditNames): void {
  for (const field of FIELDS) {
    const [name, names]: [string | undefined, readonly string[]] = [query[field], DECLARED[field]];
    if (name === undefined || names.includes(name)) continue;
    throw new ToolError(
      "invalid_filter",
      `${field}: ${JSON.stringify(name)} is unknown, and no event in the searched days has it.`,
      `${didYouMeanOne(name, names)}Give one of ${names.join(", ")}.`,
    );
  }
}

/** The search text as the trail stores it. Tools show a side as BUY or SELL, but stored details hold 0 or 1. */
export function storedText(search: string): string {
  const [, alone] = /^(BUY|SELL)$/i.exec(search) ?? [];
  if (alone !== undefined) return `"side":${sideNumber(alone)}`;
  return search.replaceAll(/"side": ?"(BUY|SELL)"/gi, (_text, side: string) => `"side":${sideNumber(side)}`);
}

function sideNumber(side: string): number {
  return side.toUpperCase() === "BUY" ? BUY : SELL;
}
