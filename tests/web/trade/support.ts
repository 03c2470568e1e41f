// An order and what is prepared, for the tests of trading.

import type { OpenOrder, TypedDeed } from "../../../web/dashboard/trade/deed.ts";
import type { Steps } from "../../../web/dashboard/trade/terms.ts";

/** A quarter dollar, a tenth of a MW. */
export const STEPS: Steps = { tick: 25, lot: 0.1, minimumPrice: -50_000, maximumPrice: 300_000 };

export const ORDER: OpenOrder = {
  id: "ORD-1",
  contractId: "N-9",
  userId: "anna",
  side: "BUY",
  price: 4_600,
  quantity: 5,
  filledQuantity: 2,
  remainingQuantity: 3,
  status: "partial",
};

export function deed(change: Partial<Extract<TypedDeed, { kind: "place" }>> = {}): TypedDeed {
  return { kind: "place", contractId: "N-9", side: "BUY", price: "46.00", megawatts: "2.5", ...change };
}
