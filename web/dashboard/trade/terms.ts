// What is typed as price and quantity, in the steps of the contract: prices in cents/MWh, multiples of its tick within its
// range; quantities in whole kW, multiples of its lot. All arithmetic is on whole numbers.

import { price as priceWords, quantity as quantityWords } from "../../components/format.ts";
import type { ContractFacts } from "../live/contract-facts.ts";
import type { OpenOrder, Typed } from "./deed.ts";

/** Ticks and price limits in cents/MWh, the lot in MW. */
export type Steps = Pick<ContractFacts, "tick" | "lot" | "minimumPrice" | "maximumPrice">;

/** cents/MWh and MW. */
export interface Terms {
  readonly price: number;
  readonly quantity: number;
}

/** `fault`: why it can't be sent, in a sentence. */
export type Understood = Terms | { readonly fault: string };

const KILOWATTS = 1_000;
/** Dollars with cents; the minus sign may be that of the pages (U+2212). */
const PRICE = /^([-\u2212]?)(\d{1,8})(?:\.(\d{1,2}))?$/;
/** MW with kW. */
const MEGAWATTS = /^(\d{1,7})(?:\.(\d{1,3}))?$/;
/** The greatest quantity that is accepted, kW. */
const MOST_KILOWATTS = 1_000_000 * KILOWATTS;

/** `changed`: the order that gets these terms; null: a new one. */
export function termsOf(typed: Typed, steps: Steps, changed: OpenOrder | null): Understood {
  const price = centsOf(typed.price);
  if (price === null || !isAllowed(price, steps)) return { fault: priceFault(steps) };
  const kilowatts = kilowattsOf(typed.megawatts);
  const lot = Math.round(steps.lot * KILOWATTS);
  if (kilowatts === null || kilowatts <= 0 || kilowatts > MOST_KILOWATTS || kilowatts % lot !== 0) {
    return { fault: `Quantity: MW above 0, in steps of ${quantityWords(steps.lot)}.` };
  }
  const quantity = kilowatts / KILOWATTS;
  if (changed === null) return { price, quantity };
  if (quantity <= changed.filledQuantity) {
    return { fault: `${quantityWords(changed.filledQuantity)} MW are filled: give more, or cancel the rest.` };
  }
  if (price === changed.price && quantity === changed.quantity) return { fault: "Change price or quantity first." };
  return { price, quantity };
}

function priceFault({ tick, minimumPrice, maximumPrice }: Steps): string {
  const range = `from ${priceWords(minimumPrice)} to ${priceWords(maximumPrice)}`;
  return `Price: dollars per MWh ${range}, in steps of ${priceWords(tick)}.`;
}

function isAllowed(cents: number, { tick, minimumPrice, maximumPrice }: Steps): boolean {
  return cents >= minimumPrice && cents <= maximumPrice && cents % tick === 0;
}

/** Null: it is no price. */
function centsOf(text: string): number | null {
  const [, sign, dollars, cents = ""] = PRICE.exec(text.trim()) ?? [];
  if (dollars === undefined) return null;
  const value = Number(dollars) * 100 + Number(cents.padEnd(2, "0"));
  return sign === "" || value === 0 ? value : -value;
}

/** Null: it is no quantity. */
function kilowattsOf(text: string): number | null {
  const [, megawatts, kilowatts = ""] = MEGAWATTS.exec(text.trim()) ?? [];
  return megawatts === undefined ? null : Number(megawatts) * KILOWATTS + Number(kilowatts.padEnd(3, "0"));
}

/** One tick up (1) or down (-1), within the range; to the next tick if it was between two. What is no price stays. */
export function steppedPrice(text: string, direction: 1 | -1, { tick, minimumPrice, maximumPrice }: Steps): string {
  const cents = centsOf(text);
  if (cents === null) return text;
  const next = stepped(cents, direction, tick);
  return next < minimumPrice || next > maximumPrice ? text : priceText(next);
}

/** One lot up or down, and never below one. What is no quantity stays. */
export function steppedQuantity(text: string, direction: 1 | -1, { lot }: Steps): string {
  const kilowatts = kilowattsOf(text);
  if (kilowatts === null) return text;
  const step = Math.round(lot * KILOWATTS);
  return megawattsText(Math.max(step, stepped(kilowatts, direction, step)) / KILOWATTS);
}

function stepped(value: number, direction: 1 | -1, step: number): number {
  return direction === 1 ? (Math.floor(value / step) + 1) * step : (Math.ceil(value / step) - 1) * step;
}

/** As it is typed: `-12.50`. */
export function priceText(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** As it is typed: `2.5`. */
export function megawattsText(megawatts: number): string {
  return String(Number(megawatts.toFixed(3)));
}
