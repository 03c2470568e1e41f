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
    expect(belief.value).toBeWithin(4_020, 4_050);
    belief.saw(4_100, START + 20 * MINUTE);
    expect(belief.value).toBeGreaterThan(4_098);
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
