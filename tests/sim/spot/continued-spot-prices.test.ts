import { describe, expect, test } from "bun:test";
import { ContinuedSpotPrices } from "../../../sim/spot/continued-spot-prices.ts";
import { STEP_MS } from "../../../sim/spot/spot-process.ts";
import type { SpotPoint, SpotPrices } from "../../../sim/spot/spot-prices.ts";
import { HOUR_MS, spotOf, START } from "./support.ts";

const HOURS = 48;

/** Prices of a seed as of a time. */
function pricesAt(seed: number, time: number): SpotPrices {
  const prices = spotOf(seed);
  prices.advanceTo(time);
  return prices;
}

/** The hours before that of `time`. */
const before = (time: number, points: readonly SpotPoint[]) => points.filter((point) => point.time + HOUR_MS <= time);
const since = (time: number, points: readonly SpotPoint[]) => points.filter((point) => point.time >= time);
const inHour = (hour: number, points: readonly SpotPoint[]) =>
  points.filter(({ time, node }) => time >= hour && time < hour + HOUR_MS && node === "NORTH")
    .map(({ priceCents }) => priceCents);
const mean = (prices: readonly number[]) => prices.reduce((sum, price) => sum + price, 0) / prices.length;

describe("spot prices after those of an earlier run", () => {
  const end = START + 20 * HOUR_MS + 4 * STEP_MS;
  // In the same step and hour, later in the hour, and some hours later.
  const starts = [end + 1, end + 3 * STEP_MS, end + 5 * HOUR_MS];

  test.each(starts)("keep the past that was told, if the new run begins at %p", (start) => {
    const earlier = pricesAt(1, end);
    const told = earlier.history(HOURS);
    const fresh = pricesAt(2, start);
    const continued = new ContinuedSpotPrices(pricesAt(2, start), earlier, HOURS);
    expect(before(end, continued.history(HOURS))).toEqual(before(end, told));
    expect(before(end, fresh.history(HOURS))).not.toEqual(before(end, told));
    for (const time of [start + HOUR_MS, start + 30 * HOUR_MS]) {
      expect(continued.advanceTo(time)).toEqual(fresh.advanceTo(time));
      expect(before(end, continued.history(HOURS))).toEqual(
        before(end, told).slice(-before(end, continued.history(HOURS)).length),
      );
      const fromNextHour = Math.ceil(start / HOUR_MS) * HOUR_MS;
      expect(since(fromNextHour, continued.history(HOURS))).toEqual(since(fromNextHour, fresh.history(HOURS)));
    }
  });

  test("give the hour of the change the mean of the points that were told", () => {
    const hour = START + 20 * HOUR_MS;
    for (const steps of [0, 2, 7]) {
      const earlier = pricesAt(1, hour);
      const toldBefore = [earlier.current("NORTH"), ...earlier.advanceTo(end)];
      const continued = new ContinuedSpotPrices(pricesAt(2, end + steps * STEP_MS), earlier, HOURS);
      const taken = continued.current("NORTH");
      const told = [...inHour(hour, toldBefore), ...(steps === 0 ? [] : [taken.priceCents])];
      expect(taken.priceCents === inHour(hour, toldBefore).at(-1)).toBe(steps === 0);
      const first = continued.history(1).find(({ node }) => node === "NORTH")!;
      // The told hours are whole cents, so their sums are known to half a cent for each point.
      expect(Math.abs(first.priceCents - mean(told))).toBeLessThanOrEqual(2);
      const rest = inHour(hour, continued.advanceTo(hour + HOUR_MS));
      const whole = continued.history(2).find(({ time, node }) => time === hour && node === "NORTH")!;
      expect(Math.abs(whole.priceCents - mean([...told, ...rest]))).toBeLessThanOrEqual(2);
      continued.advanceTo(hour + 5 * HOUR_MS);
      expect(continued.history(6).find(({ time, node }) => time === hour && node === "NORTH")).toEqual(whole);
    }
  });

  test("give the hour of the change the regime of whichever told more of its points", () => {
    const hour = START + 20 * HOUR_MS;
    const scripted = (regime: SpotPoint["regime"], isCongested: boolean) => {
      const point = (time: number): SpotPoint => ({
        node: "NORTH",
        time,
        priceCents: 100,
        regime,
        congested: isCongested,
      });
      const prices = {
        nodes: ["NORTH", "WEST"],
        step: 0,
        current: (node: string) => ({ ...point(hour + prices.step * STEP_MS), node }),
        history: () => [point(hour)],
      };
      return prices;
    };
    const [earlier, later] = [scripted("spike", true), scripted("base", false)];
    // Four points were told, of the steps 0 to 3.
    [earlier.step, later.step] = [3, 4];
    const continued = new ContinuedSpotPrices(later as never, earlier as never, HOURS);
    const told = [4, 7, 8, 11].map((step) => {
      later.step = step;
      const [{ regime, congested } = expect.unreachable()] = continued.history(1);
      return [step, regime, congested];
    });
    expect(told).toEqual([[4, "spike", true], [7, "spike", true], [8, "base", false], [11, "base", false]]);
  });

  test("keep the present point until the next step, or until an event acts on it", () => {
    const earlier = pricesAt(1, end);
    const continued = new ContinuedSpotPrices(pricesAt(2, end + 1), earlier, HOURS);
    expect(continued.current("WEST")).toEqual(earlier.current("WEST"));
    continued.trigger({ type: "heat_wave", node: null, size: 3, durationHours: 5 });
    const [, west] = continued.reprice();
    expect(continued.current("WEST")).toEqual(west!);
    expect(continued.activeEvents).toHaveLength(1);
  });

  test("keep the past of every earlier run", () => {
    const first = pricesAt(1, end);
    const second = new ContinuedSpotPrices(pricesAt(2, end + HOUR_MS), first, HOURS);
    second.advanceTo(end + 4 * HOUR_MS);
    const third = new ContinuedSpotPrices(pricesAt(3, end + 5 * HOUR_MS), second, HOURS);
    third.advanceTo(end + 9 * HOUR_MS);
    const told = before(end + 4 * HOUR_MS, second.history(20));
    expect(before(end + 4 * HOUR_MS, third.history(40)).slice(-told.length)).toEqual(told);
  });
});
