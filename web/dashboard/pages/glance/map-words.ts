// What the map says: names of its measures and of their extremes, and its figures.

import { count, NONE, price, signedPrice } from "../../../components/format.ts";
import type { Mode } from "./map-values.ts";

/** The lowest and the highest of a day. */
export const EXTREMES = { price: ["cheapest", "dearest"], change: ["greatest fall", "greatest rise"] } as const;

export const MEASURES = {
  price: "middle of best bid and ask, else last trade, $/MWh",
  change: "change over the last 40 trades, $/MWh",
} as const;

/** Cents/MWh as dollars. */
export function shown(mode: Mode, cents: number | null): string {
  return mode === "price" ? price(cents) : signedPrice(cents);
}

/** To a whole dollar, for a cell without room for cents. */
export function shortly(mode: Mode, cents: number | null): string {
  if (cents === null) return NONE;
  const text = count(cents / 100);
  return mode === "change" && cents >= 50 ? `+${text}` : text;
}
