import { beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { allocativeEfficiency, greatestSurplus } from "../../support/laboratory/measures.ts";
import { type Assignment, Assignments, MAX_LIFE_MS, ROUND_MS, roundOf } from "../../../sim/personas/assignments.ts";
import { contract, START } from "./support.ts";

const CONTRACT = contract(0);
const NEXT_ROUND = START + ROUND_MS;
const AFTER = NEXT_ROUND + MAX_LIFE_MS;

describe("allocative efficiency", () => {
  let assignments: Assignments;
  const issue = (side: 0 | 1, limit: number, quantity = 10, traded = CONTRACT, time = START): Assignment =>
    assignments.issue(traded, time, side, limit, quantity);

  beforeEach(() => {
    assignments = new Assignments();
  });

  test("equals that of the laboratory for any pairing of units", () => {
    const limits = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 8 });
    fc.assert(fc.property(limits, limits, fc.integer(), (bids, asks, seed) => {
      assignments = new Assignments();
      const buyers = bids.map((limit) => issue(0, limit, 1));
      const sellers = asks.map((limit) => issue(1, limit, 1));
      let realised = 0;
      const from = Math.abs(seed) % sellers.length;
      buyers.forEach((buyer, at) => {
        const seller = at < sellers.length ? sellers[(at + from) % sellers.length] : undefined;
        if (seller === undefined || seller.limitPrice > buyer.limitPrice) return;
        assignments.traded(buyer, seller, 1);
        realised += buyer.limitPrice - seller.limitPrice;
      });
      const expected = allocativeEfficiency(realised, greatestSurplus(bids, asks));
      const actual = assignments.efficiency(AFTER);
      if (expected === null) expect(actual).toBeNull();
      else expect(actual ?? NaN).toBeCloseTo(expected, 9);
    }));
  });

  test("splits quantities as the best pairing does", () => {
    const buyer = issue(0, 100, 3);
    issue(0, 95, 7);
    const cheap = issue(1, 60, 4);
    issue(1, 80, 20);
    assignments.traded(buyer, cheap, 3);
    expect(assignments.efficiency(AFTER)).toBeCloseTo(100 * 3 * 40 / (3 * 40 + 1 * 35 + 6 * 15), 9);
  });

  test.each(["buyer", "seller", "both"])("excludes trades with a counterparty without a limit: of %s", (who) => {
    const buyer = issue(0, 100);
    const seller = issue(1, 60);
    if (who !== "seller") assignments.traded(buyer, null, 5);
    if (who !== "buyer") assignments.traded(null, seller, 5);
    assignments.traded(buyer, seller, 5);
    expect(assignments.efficiency(AFTER)).toBe(100);
  });

  test("excludes trades between assignments of different rounds", () => {
    const buyer = issue(0, 100);
    const rival = issue(0, 90);
    const seller = issue(1, 60);
    const later = issue(1, 60, 10, CONTRACT, NEXT_ROUND);
    assignments.traded(buyer, later, 10);
    expect(assignments.efficiency(AFTER)).toBe(0);
    assignments.traded(rival, seller, 10);
    expect(assignments.efficiency(AFTER)).toBe(100);
    // Its seller has nothing left.
    issue(0, 100, 10, CONTRACT, NEXT_ROUND);
    expect(assignments.efficiency(AFTER + ROUND_MS)).toBe(100);
  });

  test("keeps its sums after rounds are forgotten", () => {
    const buyer = issue(0, 100);
    const seller = issue(1, 60);
    assignments.traded(buyer, seller, 5);
    issue(0, 100, 10, CONTRACT, AFTER);
    expect(assignments.efficiency(AFTER)).toBe(50);
  });

  test("is null before all assignments of a round have ended, and if no surplus was possible", () => {
    issue(0, 50);
    const seller = issue(1, 60);
    expect(assignments.efficiency(AFTER)).toBeNull();
    assignments.traded(issue(0, 70), seller, 10);
    expect([START, AFTER - 1, AFTER].map((time) => assignments.efficiency(time))).toEqual([null, null, 100]);
  });

  test("weights contracts by their energy", () => {
    for (const minutes of [60, 240]) {
      const traded = contract(minutes, { minutes });
      const [buyer, seller] = [issue(0, 100, 10, traded), issue(1, 90, 10, traded)];
      if (minutes === 240) assignments.traded(buyer, seller, 10);
    }
    expect(assignments.efficiency(AFTER)).toBeCloseTo(80, 9);
    expect(roundOf(NEXT_ROUND)).toBe(roundOf(START) + 1);
  });
});
