// How much of each credit limit is used, as rows of a table and in words. A limit counts dollars, MW or MWh; only shares can be
// compared, so rows are sorted by the share that is used.

import { isAmple, isAmpleLimit } from "../../../components/ample.ts";
import { compact, percent, quantity, wholeMoney } from "../../../components/format.ts";
import type { Tone } from "../../../components/badge.tsx";
import type { IconName } from "../../../components/icon.tsx";
import type { CreditPair, CreditUse } from "../../../contract/credit.ts";
import { standingOf } from "./words.ts";

/** Above this share of its limit, credit is nearly used up. */
const WARNING = 0.8;

export interface UseRow {
  readonly key: string;
  readonly pair: CreditPair;
  /** Null: the pair has no limit. */
  readonly use: CreditUse | null;
}

/** A row for each limit that is known, and one for each pair without any. */
export function usageRows(pairs: readonly CreditPair[]): UseRow[] {
  return pairs.flatMap((pair) => {
    const uses: readonly (CreditUse | null)[] = pair.limits.length > 0 ? pair.limits : [null];
    return uses.map((use) => {
      const key = JSON.stringify([pair.entityId, pair.counterpartyId, use?.limitType, use?.contractId]);
      return { key, pair, use };
    });
  });
}

/** 0 to 1, or more if the limit was lowered. A limit of 0 leaves nothing, so it is used up. */
export function usedShare({ limit, used }: CreditUse): number {
  return limit <= 0 ? 1 : used / limit;
}

interface Mark {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
}

/** The warning of a limit; null: there is none. */
export function warningOf(use: CreditUse): Mark | null {
  const share = usedShare(use);
  if (share >= 1) return { tone: "danger", icon: "stop", word: "used up" };
  return share > WARNING ? { tone: "warning", icon: "alert", word: `above ${percent(WARNING, 0)}` } : null;
}

/** Less than 0: the limit does not last for all own open orders. Null: they have nothing to do with it. */
export function leftAfterOrders({ available, ownOrders }: CreditUse): number | null {
  return ownOrders === null ? null : available - ownOrders;
}

type Amount = Pick<CreditUse, "limitType">;

/** `4.2M $`, `12.5 MW`; `isExact`: `4,200,000 $`. */
function amountWords(value: number, { limitType }: Amount, { isExact = false } = {}): string {
  switch (limitType) {
    case "notional":
      return `${isExact ? wholeMoney(value) : compact(value)} $`;
    case "mw":
      return `${quantity(value)} MW`;
    case "mwh":
      return `${quantity(value)} MWh`;
  }
}

/** `4.2M $ of 5M $`. */
export function usedWords(use: CreditUse, exactness = { isExact: false }): string {
  const limit = isAmpleLimit(use) ? "an ample limit" : amountWords(use.limit, use, exactness);
  return `${amountWords(use.used, use, exactness)} of ${limit}`;
}

/** `0.8M $`, `ample`, `none, over by 12 MW`; of what is left of a limit now, or after own orders. */
export function leftWords(left: number, use: CreditUse, exactness = { isExact: false }): string {
  if (left < 0) return `none, over by ${amountWords(-left, use, exactness)}`;
  return isAmple(left, use) ? "ample" : amountWords(left, use, exactness);
}

export type UseColumn = "pair" | "used" | "left" | "after" | "standing";

/** What a column is sorted by. Pairs without a limit come last. */
export function sortValue({ pair, use }: UseRow, column: UseColumn): string | number | null {
  if (column === "pair") return `${pair.entityId} ${pair.counterpartyId}`;
  if (column === "standing") return standingOf(pair);
  if (use === null) return null;
  if (column === "used") return usedShare(use);
  const left = column === "left" ? use.available : leftAfterOrders(use);
  return left === null ? null : use.limit <= 0 ? Math.min(0, left) : left / use.limit;
}

/** What the table warns of, each with its number of rows or pairs. */
interface UseWarnings {
  readonly usedUp: number;
  readonly nearlyUsed: number;
  /** Limits that don't last for all own open orders. */
  readonly tooLittle: number;
  /** Pairs. */
  readonly documents: number;
  readonly leftOut: number;
}

export function warningsIn(pairs: readonly CreditPair[]): UseWarnings {
  const uses = pairs.flatMap(({ limits }) => limits);
  const tones = uses.map((use) => warningOf(use)?.tone);
  return {
    usedUp: tones.filter((tone) => tone === "danger").length,
    nearlyUsed: tones.filter((tone) => tone === "warning").length,
    tooLittle: uses.filter((use) => (leftAfterOrders(use) ?? 0) < 0).length,
    documents: pairs.filter((pair) => standingOf(pair) === "documents").length,
    leftOut: pairs.reduce((sum, { limitsLeftOut }) => sum + limitsLeftOut, 0),
  };
}
