// What a market maker believes, as trades, forecasts and books move.

import { describe, expect, test } from "bun:test";
import { MakerBelief } from "../../../sim/personas/maker-belief.ts";
import { contract, HOUR, START } from "./support.ts";

const LOT = 1_000;
const MINUTE = HOUR / 60;

function beliefOf(forecast = 4_000): MakerBelief {
  return new MakerBelief(contract(0), forecast, START);
}

/** How far one trade of some lots moves a belief. */
function moveOf(belief: MakerBelief, sign: 1 | -1, lots: number, time = START): number {
  const before = belief.value;
  belief.traded(sign, lots * LOT, time);
  return belief.value - before;
}

/** The standard deviation of a base's price over a day: 21 % of 4,000 cents. */
const DAILY_MOVE = 840;
/** A fifth of the usual move between two trades, which at first are expected five minutes apart. */
const FIRST_STEP = 0.2 * DAILY_MOVE * Math.sqrt(5 / (24 * 60));

describe("a maker's belief", () => {
  test("moves with the sign of a trade, by the square root of its size", () => {
    const small = moveOf(beliefOf(), 1, 2);
    expect(small).toBeGreaterThan(0);
    expect(moveOf(beliefOf(), 1, 8)).toBeCloseTo(2 * small, 9);
    expect(moveOf(beliefOf(), -1, 2)).toBeCloseTo(-small, 9);
    expect(moveOf(beliefOf(), 1, 1_000)).toBeCloseTo(moveOf(beliefOf(), 1, 90), 9);
  });

  test("moves less with a sign that recent trades let it expect, and more with the opposite one", () => {
    const belief = beliefOf();
    const first = moveOf(belief, 1, 10);
    let time = START;
    for (let count = 0; count < 100; count++) belief.traded(1, 10 * LOT, time += 5 * MINUTE);
    expect(moveOf(belief, 1, 10, time += 5 * MINUTE)).toBeLessThan(0.5 * first);
    expect(moveOf(belief, -1, 10, time + 5 * MINUTE)).toBeLessThan(-first);
  });

  test("moves by a fifth of the usual move in the time between trades, by what is a surprise after the signs so far", () => {
    const belief = new MakerBelief(contract(0, { lot: 500 }), 4_000, START);
    const trade = (sign: 1 | -1, minutes: number) => moveOf(belief, sign, 5, START + minutes * MINUTE);
    expect(trade(1, 0)).toBeCloseTo(FIRST_STEP, 9);
    // The mean time between trades goes by 3 % towards each, of at most half an hour, and the mean sign by 4 %.
    const later = 5 + 0.03 * (10 - 5);
    expect(trade(1, 10)).toBeCloseTo(FIRST_STEP * Math.sqrt(later / 5) * (1 - 0.76 * 0.04), 9);
    const last = later + 0.03 * (30 - later);
    const sign = 0.04 + 0.04 * (1 - 0.04);
    expect(trade(-1, 130)).toBeCloseTo(FIRST_STEP * Math.sqrt(last / 5) * (-1 - 0.76 * sign), 9);
  });

  test("takes from a revision what neither the lasting error of its forecast nor the fading effect of trades explains", () => {
    const belief = beliefOf();
    belief.traded(1, 10 * LOT, START);
    // The trade was no news for the forecast. Of that 55 % fade, by a factor of e in four minutes.
    let error = -FIRST_STEP + 0.55 * FIRST_STEP * (1 - 1 / Math.E);
    let value = 4_000 + FIRST_STEP;
    value += 0.9 * (4_050 - error - value);
    belief.revised(4_050, START + 4 * MINUTE);
    expect(belief.value).toBeCloseTo(value, 9);
    // The error is learnt in half an hour and forgotten in eight hours.
    error += (4_050 - value - error) * 4 / 30;
    error -= error * 4 / 480;
    error += 0.55 * FIRST_STEP / Math.E * (1 - Math.exp(-6 / 4));
    value += 0.9 * (4_050 - error - value);
    belief.revised(4_050, START + 10 * MINUTE);
    expect(belief.value).toBeCloseTo(value, 9);
    // A look at the book says nothing of the error.
    belief.saw(value + 100, START + 60 * MINUTE);
    error += (4_050 - value - error) * 6 / 30;
    error -= error * 6 / 480;
    error += 0.55 * FIRST_STEP / Math.E ** 2.5 * (1 - Math.exp(-10 / 4));
    value += 100 * (1 - Math.exp(-60 / 2));
    value += 0.9 * (4_050 - error - value);
    // No more than ten minutes count at once.
    belief.revised(4_050, START + 60 * MINUTE);
    expect(belief.value).toBeCloseTo(value, 9);
  });

  test("moves less with each trade of a contract that trades often", () => {
    const [often, seldom] = [beliefOf(), beliefOf()];
    let time = START;
    for (let count = 0; count < 200; count++) {
      time += 5_000;
      often.traded(count % 2 === 0 ? 1 : -1, LOT, time);
      seldom.traded(count % 2 === 0 ? 1 : -1, LOT, START + count * 10 * MINUTE);
    }
    expect(Math.abs(moveOf(often, 1, 10, time + 5_000))).toBeLessThan(
      Math.abs(moveOf(seldom, 1, 10, START + 200 * 10 * MINUTE)) / 5,
    );
  });

  test("follows a part of each change of its own forecast, and in time the forecast itself", () => {
    const belief = beliefOf();
    belief.revised(4_100, START + MINUTE);
    expect(belief.value).toBeWithin(4_040, 4_100);
    belief.revised(4_100, START + 10 * HOUR);
    expect(belief.value).toBeWithin(4_097, 4_101);
  });

  test("comes to the middle of the book in minutes", () => {
    const belief = beliefOf();
    belief.saw(4_100, START + MINUTE);
    expect(belief.value).toBeCloseTo(4_000 + 100 * (1 - Math.exp(-1 / 2)), 9);
    belief.saw(4_100, START + 3 * MINUTE);
    expect(belief.value).toBeCloseTo(4_000 + 100 * (1 - Math.exp(-3 / 2)), 9);
    const base = beliefOf(4_500);
    base.parts = [3_000, 5_000].map((price) => beliefOf(price));
    base.saw(4_100, START + 2 * MINUTE);
    expect(base.value).toBeCloseTo(4_000 + 100 * (1 - 1 / Math.E), 9);
  });

  test("estimates volatility from the changes of its own forecast", () => {
    const [still, wild] = [beliefOf(), beliefOf()];
    for (let minute = 1; minute <= 600; minute++) {
      still.revised(4_000, START + minute * MINUTE);
      wild.revised(4_000 + (minute % 2) * 100, START + minute * MINUTE);
    }
    expect(still.dailySd).toBeLessThan(200);
    expect(wild.dailySd).toBeWithin(3_400, 4_200);
  });

  test("counts each change in its volatility, the older ones less, and no more time than ten minutes at once", () => {
    const belief = beliefOf();
    expect(belief.dailySd).toBeCloseTo(DAILY_MOVE, 9);
    const kept = Math.exp(-10 / 180);
    // It began with an hour of a usual day.
    const squares = (changes: number) => kept * DAILY_MOVE ** 2 / 24 + changes;
    const share = (kept * 60 + 10) / (24 * 60);
    belief.revised(4_100, START + HOUR);
    expect(belief.dailySd).toBeCloseTo(Math.sqrt(squares(100 ** 2) / share), 9);
    belief.announced(4_050);
    expect(belief.dailySd).toBeCloseTo(Math.sqrt(squares(100 ** 2 + 50 ** 2) / share), 9);
  });

  test("of a base is the mean of its hours, and a trade in the base moves every hour by its price", () => {
    const base = beliefOf();
    const hours = [3_000, 5_000].map((price) => new MakerBelief(contract(1, { type: "hour" }), price, START));
    base.parts = hours;
    expect(base.value).toBe(4_000);
    const moved = moveOf(base, 1, 10);
    expect(hours.map(({ value }) => Math.round(1_000 * (value / (4_000 + moved))))).toEqual([750, 1_250]);
    hours[0]?.traded(1, 10 * LOT, START);
    expect(base.value).toBeGreaterThan(4_000 + moved);
  });
});
