// Whether two entities can trade, and why not, in words; and the matrix of all pairs.

import type { IconName } from "../../../components/icon.tsx";
import type { Tone } from "../../../components/badge.tsx";
import type { CreditMatrix, CreditPair, CreditReason } from "../../../contract/credit.ts";

/** In the order of the legend. */
export const STANDINGS = ["tradable", "documents", "no_limit", "limit", "other_limit", "no_contract"] as const;
type Standing = (typeof STANDINGS)[number];

const STANDING_OF: Readonly<Record<CreditReason, Standing>> = {
  entity_documents: "documents",
  counterparty_documents: "documents",
  entity_no_limit: "no_limit",
  entity_limit: "limit",
  counterparty_limit: "other_limit",
  no_contract: "no_contract",
};

interface Shown {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
}

export const SHOWN: Readonly<Record<Standing, Shown>> = {
  tradable: { tone: "good", icon: "check", word: "can trade" },
  documents: { tone: "warning", icon: "alert", word: "documents missing" },
  no_limit: { tone: "danger", icon: "close", word: "no limit set" },
  limit: { tone: "danger", icon: "stop", word: "no credit left" },
  other_limit: { tone: "danger", icon: "lock", word: "limit of the other" },
  no_contract: { tone: "warning", icon: "clock", word: "no contract listed" },
};

export function standingOf({ reason, tradable }: Pick<CreditPair, "reason" | "tradable">): Standing {
  if (tradable) return "tradable";
  return reason === null ? "limit" : STANDING_OF[reason];
}

/** Who must do what. */
export function whySentence({ entityId, counterpartyId, reason, tradable }: CreditPair): string {
  if (tradable) return `${entityId} and ${counterpartyId} can trade with each other.`;
  switch (reason) {
    case "entity_documents":
      return `${entityId} has not set its documents with ${counterpartyId} as in place.`;
    case "counterparty_documents":
      return `${counterpartyId} has not set its documents with ${entityId} as in place.`;
    case "entity_no_limit":
      return `${entityId} has set no limit for ${counterpartyId}.`;
    case "entity_limit":
      return `The limits of ${entityId} for ${counterpartyId} leave no lot of any contract.`;
    case "counterparty_limit":
      return `The limits of ${counterpartyId} for ${entityId} are missing or leave no lot of any contract.`;
    case "no_contract":
      return "No contract is listed now.";
    case null:
      return "They can't trade, and the market does not say why.";
  }
}

export function pairKey(entityId: string, counterpartyId: string): string {
  return JSON.stringify([entityId, counterpartyId]);
}

export function pairsByKey({ pairs }: Pick<CreditMatrix, "pairs">): ReadonlyMap<string, CreditPair> {
  return new Map(pairs.map((pair) => [pairKey(pair.entityId, pair.counterpartyId), pair]));
}

export function countStandings(pairs: readonly CreditPair[]): Readonly<Record<Standing, number>> {
  const counts = { tradable: 0, documents: 0, no_limit: 0, limit: 0, other_limit: 0, no_contract: 0 };
  for (const pair of pairs) counts[standingOf(pair)]++;
  return counts;
}

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Where a key moves in a grid; null if the key means nothing there. */
export function moved(
  { row, column }: Place,
  key: string,
  withControl: boolean,
  rows: number,
  columns: number,
): Place | null {
  const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
  switch (key) {
    case "ArrowUp":
      return { row: within(row - 1, rows), column };
    case "ArrowDown":
      return { row: within(row + 1, rows), column };
    case "ArrowLeft":
      return { row, column: within(column - 1, columns) };
    case "ArrowRight":
      return { row, column: within(column + 1, columns) };
    case "Home":
      return { row: withControl ? 0 : row, column: 0 };
    case "End":
      return { row: withControl ? rows - 1 : row, column: columns - 1 };
    case "PageUp":
      return { row: within(row - 10, rows), column };
    case "PageDown":
      return { row: within(row + 10, rows), column };
    default:
      return null;
  }
}
