// What a trader is told to do: when, on which side, at which limit, how much, and for how long.

import { describe, expect, test } from "bun:test";
import { Activity } from "../../../sim/personas/activity.ts";
import { AssignmentMandate } from "../../../sim/personas/assignment-mandate.ts";
import { Assignments } from "../../../sim/personas/assignments.ts";
import { emptyTerms, type Situation } from "../../../sim/personas/mandate.ts";
import { BUSY_HOURS } from "../../../sim/spot/busy-hours.ts";
import { ChosenRandom } from "../strategies/support.ts";
import { CALENDARS, contract, HOUR, profileOf, START } from "./support.ts";

/** How busy it is in the hour of START, 06:00. */
const BUSY = BUSY_HOURS[6]!;
const SETTINGS = { intervalMs: HOUR / 6, lifeMs: HOUR / 2, need: 0.05, leastLots: 4, mostLots: 50 };
const FIRST_START = START + SETTINGS.intervalMs * 0.5 / BUSY;
const FULL_POSITION = 200_000;
const ONE = contract(0, { type: "hour", lot: 500 });
const OTHER = contract(1, { type: "hour", lot: 500 });
/** The standard deviation of needs in a single hour, whose price moves 0.33 / 0.21 as much as that of a base, at a price. */
const needAt = (price: number) => 0.05 * 0.33 / 0.21 * price;
const quotesAround = (middle: number | null) => ({
  bestBid: middle === null ? null : middle - 30,
  bestAsk: middle === null ? null : middle + 30,
  lastPrice: null,
});

/** The first start comes after half of a mean interval, the next one never. */
function mandateWith(...drawn: readonly number[]) {
  const mandate = new AssignmentMandate({
    random: new ChosenRandom(0.5, ...drawn),
    profile: profileOf([ONE, OTHER], ["NORTH"], 2),
    activity: new Activity(CALENDARS, ["NORTH"]),
    assignments: new Assignments(),
    parentOrders: SETTINGS,
    fullPosition: FULL_POSITION,
  });
  mandate.wake(START);
  const terms = emptyTerms();
  return {
    nextAt(time: number) {
      mandate.wake(time);
      return mandate.next(time);
    },
    termsAt(time: number, changes: Partial<Situation> = {}, of = ONE) {
      mandate.review(of, { time, forecast: 4_000, position: 0, book: quotesAround(null), ...changes }, terms);
      return terms;
    },
    forget: () => mandate.forget(ONE),
  };
}

/** The time to the next start, the place of the contract, and what is drawn of it. */
const drawsOf = ({ next = 100, place = 0, side = 0.49, need = -1.5, lots = 0.87, children = 0.2, life = 0.5 } = {}) =>
  [next, place, side, need, lots, children, life] as const;
const NOTHING = { buyQuantity: 0, sellQuantity: 0, assignment: null };

describe("a parent order", () => {
  test.each([[0.49, "buyQuantity", 1], [0.5, "sellQuantity", -1]] as const)(
    "comes at its time, with a need that worsens its limit, and is worked in clips until it is traded (side %d)",
    (side, wanted, sign) => {
      const { nextAt, termsAt } = mandateWith(...drawsOf({ side }));
      expect([nextAt(START), nextAt(FIRST_START - 1), nextAt(FIRST_START)]).toEqual([null, null, ONE]);
      // 4 lots / (1 - 0.87)^(2/3) are 15.6: 15 lots in 1 + 15 x 0.2 children, so 3.75 each: 4 lots.
      const terms = termsAt(FIRST_START);
      expect(terms).toMatchObject({ ...NOTHING, [wanted]: 2_000, value: 4_000, assignment: { quantity: 15 * 500 } });
      expect(terms.limitPrice).toBe(Math.round(4_000 + sign * 1.5 * needAt(4_000)));
      terms.assignment!.remaining = 1_500;
      expect(termsAt(FIRST_START)[wanted]).toBe(1_500);
      terms.assignment!.remaining = 499;
      expect(termsAt(FIRST_START)).toMatchObject(NOTHING);
    },
  );

  test.each([[0.5, HOUR / 2 * 0.5 / BUSY], [100, 2 * HOUR]])(
    "lives shorter in busy hours, and at most two hours: drawn %d, it is %d ms",
    (life, milliseconds) => {
      const { nextAt, termsAt } = mandateWith(...drawsOf({ life }), 0);
      nextAt(FIRST_START);
      termsAt(FIRST_START);
      expect(termsAt(FIRST_START + milliseconds - 1).buyQuantity).toBe(2_000);
      expect(termsAt(FIRST_START + milliseconds)).toMatchObject(NOTHING);
    },
  );

  const value = 4_200 + 0.2 * (4_000 - 4_200);
  test.each([
    ["of even chances with nothing to go by", null, 0, 0],
    ["rather a sale of who has bought", null, 50_000, -4 / 4],
    ["rather a purchase of who has sold", null, -50_000, 4 / 4],
    ["rather a sale in a market that is dear", 4_200, 0, -0.7 * (4_200 - value) / (needAt(value) + 1)],
  ])("is %s", (_what, middle, position, logOdds) => {
    const chance = 1 / (1 + Math.exp(-logOdds));
    const sides = [chance - 0.001, chance + 0.001].map((side) => {
      const { nextAt, termsAt } = mandateWith(...drawsOf({ side, need: 1 }));
      nextAt(FIRST_START);
      return termsAt(FIRST_START, { book: quotesAround(middle), position }).assignment;
    });
    const fair = middle === null ? 4_000 : value;
    expect(sides).toMatchObject([
      { side: 0, limitPrice: Math.round(fair + needAt(fair)) },
      { side: 1, limitPrice: Math.round(fair - needAt(fair)) },
    ]);
  });

  test("is not replaced by the next one in its contract, and is one of several to be worked by chance", () => {
    const { nextAt, termsAt } = mandateWith(...drawsOf({ next: 0.01 }), 0.01, 0, ...drawsOf({ place: 0.9 }), 0.6, 0.4);
    nextAt(FIRST_START);
    const { assignment } = termsAt(FIRST_START);
    const second = FIRST_START + SETTINGS.intervalMs * 0.01 / BUSY;
    expect([nextAt(second), termsAt(second).assignment]).toEqual([ONE, assignment]);
    const third = second + SETTINGS.intervalMs * 0.01 / BUSY;
    expect(nextAt(third)).toBe(OTHER);
    termsAt(third, {}, OTHER);
    expect([nextAt(third), nextAt(third)]).toEqual([OTHER, ONE]);
  });

  test("is forgotten with its contract, also before it is drawn", () => {
    const { nextAt, termsAt, forget } = mandateWith(...drawsOf());
    nextAt(FIRST_START);
    forget();
    expect(termsAt(FIRST_START)).toMatchObject(NOTHING);
  });
});
