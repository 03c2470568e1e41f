// What an order would cost if all of it traded at its price, and how much of the credit that counterparties and the own entity
// leave it would need. An estimate: the market decides, counterparty by counterparty, when the order trades.

import type { CreditLimitType } from "../../../protocol/modules/registry.ts";
import { isAmple } from "../../components/ample.ts";
import { compact, count, money } from "../../components/format.ts";
import type { CreditPair, CreditUse } from "../../contract/credit.ts";
import type { Terms } from "./terms.ts";

interface Cost {
  /** Dollars, not negative. */
  readonly dollars: number;
  readonly mw: number;
  readonly mwh: number;
}

/** `hours`: of delivery. */
export function costOf({ price, quantity: mw }: Terms, hours: number): Cost {
  return { dollars: Math.abs(price) / 100 * mw * hours, mw, mwh: mw * hours };
}

/** `$1,234.50 to pay`. At a negative price the seller pays. */
export function costWords(cost: Cost, side: "BUY" | "SELL", price: number): string {
  const isPaid = (side === "BUY") === (price > 0);
  return cost.dollars === 0 ? "$0.00" : `$${money(cost.dollars)} to ${isPaid ? "pay" : "receive"}`;
}

/** The pairs of the own entity with which it can trade at all. */
function tradable(pairs: readonly CreditPair[], entityId: string): readonly CreditPair[] {
  return pairs.filter((pair) => pair.entityId === entityId && pair.tradable);
}

/** What is left, and whether it is enough for all of this cost. */
export function creditWords(pairs: readonly CreditPair[], entityId: string, cost: Cost): string {
  const open = tradable(pairs, entityId);
  if (open.length === 0) return "none: no counterparty can trade with you now";
  const enough = open.filter((pair) => covers(pair, cost)).length;
  const all = open.length === 1 ? "the one counterparty" : `all ${count(open.length)} counterparties`;
  const whom = enough === open.length ? all : `${count(enough)} of ${count(open.length)} counterparties`;
  return `${rangeWords(open)}; enough with ${whom}`;
}

/** The limits of a pair for all contracts together. */
function limitsOf({ limits }: CreditPair, type: CreditLimitType): readonly CreditUse[] {
  return limits.filter(({ limitType, contractId }) => limitType === type && contractId === null);
}

/** What is left of them, dollars, MW or MWh; infinite without such a limit. */
function leftOf(pair: CreditPair, type: CreditLimitType): number {
  return Math.min(Infinity, ...limitsOf(pair, type).map(({ available }) => available));
}

function covers(pair: CreditPair, cost: Cost): boolean {
  return cost.dollars <= leftOf(pair, "notional") && cost.mw <= leftOf(pair, "mw") && cost.mwh <= leftOf(pair, "mwh");
}

/** The least and the most that is left with one counterparty, in dollars. */
function rangeWords(pairs: readonly CreditPair[]): string {
  const left = pairs.map((pair) => leftOf(pair, "notional")).filter((dollars) => dollars < Infinity);
  if (left.length === 0) return "no limit in dollars";
  if (pairs.flatMap((pair) => limitsOf(pair, "notional")).every((use) => isAmple(use.available, use))) return "ample";
  const [least, most] = [Math.min(...left), Math.max(...left)].map((dollars) => `$${compact(dollars)}`);
  return least === most ? `${least} with each` : `${least} to ${most}`;
}
