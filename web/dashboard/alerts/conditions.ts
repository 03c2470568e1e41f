// What a person wants to be alerted of. Kept in the browser, so it is read as if anything stood there.

import { keptText } from "../kept/kept-text.ts";

export type Condition =
  /** `limit`: cents/MWh. The alert comes when the price reaches the limit from the other side. */
  | LevelOfContract & { readonly kind: "price"; readonly of: "bid" | "ask" | "last" }
  /** Best ask less best bid; `limit`: cents/MWh. */
  | LevelOfContract & { readonly kind: "spread" }
  /** `limit`: percent of a credit limit that is used, of the limit that is used most, of any pair with the own entity. */
  | { readonly kind: "credit"; readonly limit: number }
  /** Trading in a market stops. */
  | { readonly kind: "halt" }
  /** An order of the own entity trades. */
  | { readonly kind: "fill" }
  /** What is shown is no longer live. */
  | { readonly kind: "connection" };

interface LevelOfContract {
  readonly contractId: string;
  readonly side: Side;
  readonly limit: number;
}

export type Side = "above" | "below";
export type Kind = Condition["kind"];

export const PRICES_OF = ["bid", "ask", "last"] as const;
export const SIDES = ["above", "below"] as const;

/** Alerts that one person can have. */
export const MAX_CONDITIONS = 50;
/** Cents/MWh, on either side of 0. */
const MAX_PRICE = 100_000_000;

/** Null if it is no condition. */
export function conditionOf(value: unknown): Condition | null {
  if (typeof value !== "object" || value === null) return null;
  const { kind, contractId, of, side, limit } = value as Record<string, unknown>;
  if (kind === "halt" || kind === "fill" || kind === "connection") return { kind };
  if (kind === "credit") return isWithin(limit, 1, 100) ? { kind, limit } : null;
  if (kind !== "price" && kind !== "spread") return null;
  const level = { contractId: keptText(contractId), side: SIDES.find((known) => known === side), limit };
  if (level.contractId === null || level.side === undefined) return null;
  if (!isWithin(level.limit, -MAX_PRICE, MAX_PRICE) || !Number.isInteger(level.limit)) return null;
  const read = { contractId: level.contractId, side: level.side, limit: level.limit };
  if (kind === "spread") return { kind, ...read };
  const price = PRICES_OF.find((known) => known === of);
  return price === undefined ? null : { kind, ...read, of: price };
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && value >= least && value <= most;
}

/** Equal for equal conditions. */
export function keyOf(condition: Condition): string {
  return JSON.stringify(Object.entries(condition).sort(([a], [b]) => a < b ? -1 : 1));
}
