import { describe, expect, test } from "bun:test";
import { fit } from "../../../scripts/spot/fit.ts";
import { part, readPriceHistory } from "../../../scripts/spot/price-history.ts";
import { simulatedSeries } from "../../../scripts/spot/simulated-series.ts";
import { SPOT_PARAMETERS } from "../../../sim/spot/built-in-parameters.ts";
import { LISTING_TIMEZONE } from "../../../sim/spot/price-listing.ts";
import { size } from "../../support/sizes.ts";

const YEARS = size(4, 8);

function simulatedCsv(seed: number): string {
  const { times, first, second } = simulatedSeries(seed, YEARS * 8760);
  const lines = Array.from(times, (time, at) => {
    const [one, other] = [first[at]! / 100, second[at]! / 100];
    return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")},${one},${other}`;
  });
  return ["utc,north,west", ...lines, ""].join("\n");
}

describe(`the fit on ${YEARS} simulated years`, () => {
  const fitted = fit(readPriceHistory(simulatedCsv(1), ["north", "west"], LISTING_TIMEZONE));
  const { level, shape, day, spike, drop, spread } = SPOT_PARAMETERS;

  test("finds the daily shape, its season and its weekends", () => {
    for (let hour = 0; hour < 24; hour++) {
      expect(Math.abs(fitted.shape.log[hour]! - shape.log[hour]!)).toBeLessThan(0.1);
      expect(Math.abs(fitted.shape.yearCosine[hour]! - shape.yearCosine[hour]!)).toBeLessThan(0.12);
      expect(Math.abs(fitted.shape.weekend[hour]! - shape.weekend[hour]!)).toBeLessThan(0.12);
    }
  });

  test("finds the level", () => {
    expect(Math.abs(fitted.level.logMean - level.logMean)).toBeLessThan(2 * level.sd);
    expect(fitted.level.dailyMemory).toBeGreaterThan(0.95);
    expect(fitted.level.dailyMemory).toBeLessThan(1);
  });

  test("finds the hours in which spikes and drops begin", () => {
    const busiest = (chances: readonly number[]) => chances.indexOf(Math.max(...chances));
    const between = (hour: number) => Math.abs(busiest(fitted.spike.begins) - hour);
    expect(between(busiest(spike.begins))).toBeLessThanOrEqual(2);
    expect(fitted.drop.begins[2]! / fitted.drop.begins[18]!).toBeGreaterThan(2);
    expect(fitted.spike.weekend).toBeLessThan(0.9);
    expect(Math.sign(fitted.drop.yearCosine)).toBe(Math.sign(drop.yearCosine));
  });

  test("finds the effects and the persistence of tight days", () => {
    expect(fitted.day.memory).toBeGreaterThan(0.4);
    expect(Math.sign(fitted.day.spikes)).toBe(Math.sign(day.spikes));
    expect(Math.sign(fitted.day.drops)).toBe(Math.sign(day.drops));
  });

  test("finds how often the line is congested, and in which direction", () => {
    const [[free = NaN] = []] = fitted.spread.transitions;
    expect(Math.abs(free - (spread.transitions[0]?.[0] ?? NaN))).toBeLessThan(0.1);
    expect(fitted.spread.downLogMean).toBeGreaterThan(fitted.spread.upLogMean);
  });
});

describe("a price history", () => {
  const HEAD = "utc,north,west\n";
  const read = (csv: string) => readPriceHistory(csv, ["north", "west"], LISTING_TIMEZONE);

  test("has local hours, days and weekends, also from a file with \r\n line ends, and in parts", () => {
    const history = read(`${HEAD}2020-02-01 05:00:00,1.5,-2\r\n2020-02-01 06:00:00,3,4\r\n`);
    const { times, first, second, hours, months, weekend } = history;
    expect([...times]).toEqual([Date.parse("2020-02-01T05:00:00Z"), Date.parse("2020-02-01T06:00:00Z")]);
    expect([[...first], [...second]]).toEqual([[1.5, 3], [-2, 4]]);
    expect([[...hours], [...months], [...weekend]]).toEqual([[23, 0], [0, 1], [0, 1]]);
    expect([...part(history, (time) => time === times[1]).first]).toEqual([3]);
  });

  test.each([
    ["time,north\n1,2\n", "no column west"],
    [`${HEAD}2020-02-01 05:00:00,1,2\nyesterday,1,2\n`, "line 3 is not a time with two prices: yesterday,1,2"],
    [`${HEAD}2020-02-01 05:00:00,1\n`, "line 2"],
    [`${HEAD}2020-02-01 05:00:00,,2\n`, "line 2"],
    [`${HEAD}2020-02-01 05:00:00,high,2\n`, "line 2"],
  ])("%j gives an error that names the fault", (csv, message) => {
    expect(() => read(csv)).toThrow(message);
  });
});
