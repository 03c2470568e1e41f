// The parts of an hour's prices: its history, its twelve steps, and its regime.

import { describe, expect, test } from "bun:test";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { SPOT_PARAMETERS } from "../../../sim/spot/built-in-parameters.ts";
import { HourHistory } from "../../../sim/spot/hour-history.ts";
import { HourSteps, STEPS } from "../../../sim/spot/hour-steps.ts";
import { BASE, DROP, nextRegime, type RegimeCode, regimeOf, SPIKE } from "../../../sim/spot/regimes.ts";

describe("the history of hours", () => {
  const filled = (hours: number, points = 2) => {
    const history = new HourHistory();
    for (let hour = 0; hour < hours; hour++) {
      history.begin(hour);
      for (let point = 0; point < points; point++) history.add([hour, 10 * hour + 4 * point], [100, 200 + point]);
    }
    return history;
  };

  test("tells the means of the points of each hour, oldest first, and no more hours than there are", () => {
    const history = filled(3);
    const hour = (time: number) => ({ time, points: 2, prices: [time, 10 * time + 2], normals: [100, 200.5] });
    expect(history.last(2)).toEqual([hour(1), hour(2)] as never);
    expect(history.last(9)).toEqual([hour(0), hour(1), hour(2)] as never);
    expect(history.last(0)).toEqual([]);
    expect([0, 1, 2, 3].map((hours) => history.before(hours)?.time)).toEqual([2, 1, 0, undefined] as never);
    expect(history.before(1)).toEqual(hour(1) as never);
  });

  test("replaces the newest point only, however often, and goes on after it", () => {
    const history = filled(1);
    history.replaceNewest([50, 60], [70, 80]);
    history.replaceNewest([8, 6], [200, 300]);
    expect(history.before(0)).toEqual({ time: 0, points: 2, prices: [4, 3], normals: [150, 250] });
    history.add([1, 0], [300, 100]);
    expect(history.before(0)).toEqual({ time: 0, points: 3, prices: [3, 2], normals: [200, 200] });
    expect(() => new HourHistory().add([0, 0], [0, 0])).toThrow("no hour has begun");
  });

  test("keeps a year, and not for ever", () => {
    const year = 366 * 24;
    const history = filled(2 * year, 1);
    expect(history.before(2 * year - 1)?.time).toBe(0);
    history.begin(2 * year);
    history.add([0, 0], [0, 0]);
    expect([history.before(year)?.time, history.before(year + 1)]).toEqual([year, null]);
    expect(history.last(3 * year)).toHaveLength(year + 1);
  });
});

describe("the steps of an hour", () => {
  const { minimumPriceCents: least, maximumPriceCents: most } = SPOT_PARAMETERS;
  const steps = new HourSteps(SPOT_PARAMETERS, new SeededRandom(1));
  const spread = (hourCents: number, normalCents: number) => {
    const given = new Float64Array(STEPS);
    steps.spread(hourCents, normalCents, given);
    return [...given];
  };

  test("are whole cents, have the hour's price as their mean, and stay within the limits, also next to them", () => {
    for (let hour = 0; hour < 20; hour++) {
      steps.draw();
      for (
        const [price, normal] of [[4_000, 4_000], [most - 3, 5_000], [least + 3, 5_000], [most, 9_000], [least, 1]]
      ) {
        const given = spread(price!, normal!);
        expect(given.every(Number.isInteger)).toBe(true);
        expect(given.reduce((sum, step) => sum + step, 0)).toBe(STEPS * price!);
        expect(Math.min(...given)).toBeGreaterThanOrEqual(least);
        expect(Math.max(...given)).toBeLessThanOrEqual(most);
      }
    }
  });

  test("use all the room up to a limit, also in an hour after a wide one", () => {
    let [wide, drawn] = [100, 0];
    const withinHour = { ...SPOT_PARAMETERS.withinHour, memory: 0 };
    const random = { normal: () => wide * [1, -1, 2, -2, 0.5][drawn++ % 5]! };
    const made = new HourSteps({ ...SPOT_PARAMETERS, withinHour }, random as never);
    for (wide of [100, 1]) {
      made.draw();
      const given = new Float64Array(STEPS);
      made.spread(most - 100, 40_000, given);
      const furthest = Math.max(...given.map((step) => Math.abs(step - most + 100)));
      expect([furthest > 95, furthest <= 100]).toEqual([true, true]);
    }
  });

  test("are as wide as a usual hour, and wider the further the price is from normal", () => {
    steps.draw();
    const width = (price: number, normal: number) =>
      Math.max(...spread(price, normal).map((step) => Math.abs(step - price)));
    const usual = width(10_000, 10_000);
    expect(width(20_000, 20_000) / usual).toBeCloseTo(2, 1);
    const { sd, extremeSd } = SPOT_PARAMETERS.withinHour;
    for (const price of [5_000, 15_000]) {
      expect(width(price, 10_000) / usual).toBeCloseTo((sd * 10_000 + extremeSd * 5_000) / (sd * 10_000), 1);
    }
  });
});

describe("regimes", () => {
  test("of a price are a spike above 2.5 and a drop below a quarter of the normal price, and neither at these", () => {
    expect([2_500, 2_501, 250, 249, -1_000].map((price) => regimeOf(price, 1_000))).toEqual([
      BASE,
      SPIKE,
      BASE,
      DROP,
      DROP,
    ]);
  });

  test.each<[RegimeCode, number, RegimeCode]>([
    [BASE, 0.0999, SPIKE],
    [BASE, 0.1, BASE],
    [BASE, 0.7999, BASE],
    [BASE, 0.8, DROP],
    [SPIKE, 0.5999, SPIKE],
    [SPIKE, 0.6, BASE],
    [SPIKE, 0.99, BASE],
    [DROP, 0.2999, BASE],
    [DROP, 0.3001, DROP],
    [DROP, 0.01, BASE],
  ])("after %d the draw %d gives %d", (regime, draw, next) => {
    expect(nextRegime(regime, draw, { spikes: 2, drops: 4 }, 0.05, 0.05, 0.6, 0.7)).toBe(next);
  });

  test("begin with no more than the greatest chance, whatever the events", () => {
    const next = (draw: number) => nextRegime(BASE, draw, { spikes: 1_000, drops: 1_000 }, 0.05, 0.05, 0.6, 0.7);
    expect([0.5999, 0.6].map(next)).toEqual([SPIKE, DROP]);
    const drops = (draw: number) => nextRegime(BASE, draw, { spikes: 0, drops: 1_000 }, 0.05, 0.05, 0.6, 0.7);
    expect([0, 0.5999, 0.6].map(drops)).toEqual([BASE, BASE, DROP]);
  });
});
