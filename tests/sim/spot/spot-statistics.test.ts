// Statistics that simulated prices share with real ones: three years of each of some seeds, the median over the seeds.
// The ranges are spanned by several real markets (docs/spot-model.md).

import { describe, expect, test } from "bun:test";
import {
  medianStatistics,
  simulatedSeries,
  statisticsOfSecondNode,
  statisticsOfSeed,
} from "../../../scripts/spot/simulated-series.ts";
import { medianOf } from "../../../sim/facts/moments.ts";
import { type SpotStatistics } from "../../../scripts/spot/statistics.ts";
import { STATISTIC_RANGES } from "../../../scripts/spot/statistic-ranges.ts";
import { size } from "../../support/sizes.ts";

const SEEDS = Array.from({ length: size(7, 20) }, (_, at) => at + 1);

describe(`three years of spot prices, the median over seeds 1 to ${SEEDS.length}`, () => {
  const nodes = {
    "the first node": medianStatistics(SEEDS.map((seed) => statisticsOfSeed(seed))),
    "the second node": medianStatistics(SEEDS.map((seed) => statisticsOfSecondNode(seed))),
  };

  test.each(Object.entries(STATISTIC_RANGES))("%s is in the range of real markets", (name, [least, most]) => {
    for (const [node, medians] of Object.entries(nodes)) {
      const value = medians[name as keyof SpotStatistics];
      expect({ node, value, inRange: value >= least && value <= most }).toEqual({ node, value, inRange: true });
    }
  });
});

describe("the hour and the season", () => {
  const { first, times, weekend } = simulatedSeries(1, 5 * 8760);
  const hours = first.map((_, at) => new Date(times[at]!).getUTCHours());
  const medianWhere = (holds: (at: number) => boolean) => medianOf(first.filter((_, at) => holds(at)));

  test("evenings are more expensive than nights", () => {
    // 18:00 and 03:00 in winter, local time.
    expect(medianWhere((at) => hours[at] === 0)).toBeGreaterThan(medianWhere((at) => hours[at] === 9) * 1.3);
  });

  test("the mornings of weekends are cheaper than those of weekdays", () => {
    const morning = (isWeekend: number) => medianWhere((at) => hours[at] === 13 && weekend[at] === isWeekend);
    expect(morning(1)).toBeLessThan(morning(0) * 0.95);
  });
});

describe("the regimes", () => {
  test("spikes and drops have the frequency, the spells and the hours of the data", () => {
    const { regimes, times } = simulatedSeries(2, 10 * 8760);
    const share = (regime: number, holds: (at: number) => boolean) => {
      const places = regimes.filter((_, at) => holds(at));
      return places.filter((each) => each === regime).length / places.length;
    };
    const always = () => true;
    expect(share(1, always)).toBeGreaterThan(0.03);
    expect(share(1, always)).toBeLessThan(0.07);
    expect(share(2, always)).toBeGreaterThan(0.015);
    expect(share(2, always)).toBeLessThan(0.05);
    for (const regime of [1, 2]) {
      expect(share(regime, (at) => at > 0 && regimes[at - 1] === regime)).toBeGreaterThan(0.55);
    }
    const atHour = (hour: number) => (at: number) => new Date(times[at]!).getUTCHours() === hour;
    // 18:00 and 03:00 in winter, local time.
    expect(share(1, atHour(0))).toBeGreaterThan(share(1, atHour(9)) * 2);
    expect(share(2, atHour(9))).toBeGreaterThan(share(2, atHour(0)) * 2);
  });
});
