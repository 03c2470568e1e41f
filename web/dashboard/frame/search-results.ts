// What the search has found, as a list that the keyboard can walk through.

import type { SearchKind, SearchResult } from "../../contract/search.ts";
import { address } from "../pages/page.ts";

export const KIND_TITLES: Readonly<Record<SearchKind, string>> = {
  contract: "Contracts",
  entity: "Entities",
  order: "Orders",
  user: "Users",
};

interface ResultGroup {
  readonly kind: SearchKind;
  readonly results: readonly SearchResult[];
}

/** By kind; the kind of the best result is first, and within a kind the best result. */
export function groupsOf(results: readonly SearchResult[]): ResultGroup[] {
  return [...Map.groupBy(results, ({ kind }) => kind)].map(([kind, results]) => ({ kind, results }));
}

/** The page that shows a result; null: a user of no entity is on no page. */
export function addressOf({ kind, id, entityId }: SearchResult): string | null {
  switch (kind) {
    case "contract":
      return address("contract", id);
    case "entity":
      return address("entities", id);
    case "order":
      return address("order", id);
    case "user":
      return entityId === undefined || entityId === null ? null : address("entities", entityId);
  }
}

/** The place after a step up (-1) or down (1) in a list, from its end back to its beginning. -1: none is chosen. */
export function stepFrom(place: number, step: 1 | -1, length: number): number {
  if (length === 0) return -1;
  if (place === -1) return step === 1 ? 0 : length - 1;
  return (place + step + length) % length;
}
