// The surplus of assignments: the distance of each fill from the limit price, times energy.

import { describe, expect, test } from "bun:test";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { dollarsOf } from "../../../engine/market/units.ts";
import type { Assignment } from "../../../sim/personas/assignments.ts";
import { Economics } from "../../../sim/personas/economics.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { LocalCalendar } from "../../../sim/spot/local-calendar.ts";
import { contract, personaWith } from "./support.ts";

function economics(hasAssignments = true): Economics {
  const calendar = new LocalCalendar("UTC");
  return new Economics({ dollars: null, calendar, random: new SeededRandom(1), hasAssignments, asset: null });
}

function assignment(side: Side, limitPrice: number): Assignment {
  return { contract: contract(0), round: 0, side, limitPrice, quantity: 10_000, remaining: 10_000, unjudged: 0 };
}

describe("the surplus", () => {
  test("is what a buyer pays below its limit, and what a seller gets above it, over all hours", () => {
    const buyer = economics();
    buyer.filled(assignment(BUY, 4_100), 4_000, 10_000);
    // A dollar for each MWh of 10 MW over 24 hours.
    expect(dollarsOf(buyer.surplus ?? NaN)).toBe(240);
    buyer.filled(assignment(BUY, 4_000), 4_000, 10_000);
    expect(dollarsOf(buyer.surplus ?? NaN)).toBe(240);
    const seller = economics();
    seller.filled(assignment(SELL, 3_950), 4_000, 1_000);
    expect(dollarsOf(seller.surplus ?? NaN)).toBe(12);
  });

  test("is unknown without assignments, and 0 before the first fill with them", () => {
    expect(economics(false).surplus).toBeNull();
    expect(economics().surplus).toBe(0);
    expect(personaWith().economics.surplus).toBe(0);
  });
});
