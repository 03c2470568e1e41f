// Simulated hourly prices as a series, for comparison with real ones: the prices that `mkt spot` prints for a seed.

import { HOUR_MS } from "../../protocol/time-units.ts";
import { SPOT_PARAMETERS } from "../../sim/spot/built-in-parameters.ts";
import { LocalCalendar } from "../../sim/spot/local-calendar.ts";
import { listedPrices, LISTING_START, LISTING_TIMEZONE } from "../../sim/spot/price-listing.ts";
import { regimeOf } from "../../sim/spot/regimes.ts";
import { medianOf } from "../../sim/facts/moments.ts";
import { type PriceSeries, type SpotStatistics, spotStatistics } from "./statistics.ts";

/** Three years, as for the statistics of real prices. */
const COMPARED_HOURS = 26_280;
const COMPARED_SEEDS: readonly number[] = Array.from({ length: 20 }, (_, at) => at + 1);

interface SimulatedSeries extends PriceSeries {
  readonly times: Float64Array;
  /** 0 base, 1 spike, 2 drop; of the first node. */
  readonly regimes: Uint8Array;
}

/** Prices in cents/MWh. */
export function simulatedSeries(seed: number, hours: number, parameters = SPOT_PARAMETERS): SimulatedSeries {
  const prices = listedPrices(seed, parameters);
  const calendar = new LocalCalendar(LISTING_TIMEZONE);
  const series = {
    times: new Float64Array(hours),
    first: new Float64Array(hours),
    second: new Float64Array(hours),
    weekend: new Uint8Array(hours),
    hours: new Uint8Array(hours),
    regimes: new Uint8Array(hours),
  };
  for (let hour = 0; hour < hours; hour++) {
    const time = LISTING_START + hour * HOUR_MS;
    prices.step(time);
    calendar.moveTo(time);
    series.times[hour] = time;
    series.first[hour] = prices.firstCents;
    series.second[hour] = prices.secondCents;
    series.weekend[hour] = calendar.isWeekend ? 1 : 0;
    series.hours[hour] = calendar.hour;
    series.regimes[hour] = regimeOf(prices.firstCents, prices.normalCents);
  }
  return series;
}

/** The median of each statistic. */
export function medianStatistics(all: readonly SpotStatistics[]): SpotStatistics {
  const [first] = all;
  if (first === undefined) throw new Error("the median needs at least one series");
  const median = (name: keyof SpotStatistics) => medianOf(Float64Array.from(all, (each) => each[name]));
  return Object.fromEntries(
    Object.keys(first).map((name) => [name, median(name as keyof SpotStatistics)]),
  ) as unknown as SpotStatistics;
}

/** Statistics of three years, in dollars. */
export function statisticsOfSeed(seed: number, parameters = SPOT_PARAMETERS): SpotStatistics {
  return spotStatistics(inDollars(simulatedSeries(seed, COMPARED_HOURS, parameters)));
}

/** The same with the nodes exchanged. */
export function statisticsOfSecondNode(seed: number): SpotStatistics {
  const { first, second, ...series } = inDollars(simulatedSeries(seed, COMPARED_HOURS));
  return spotStatistics({ ...series, first: second, second: first });
}

/** Statistics of three years for each compared seed, in dollars. */
export function statisticsOfSeeds(parameters = SPOT_PARAMETERS): SpotStatistics[] {
  return COMPARED_SEEDS.map((seed) => statisticsOfSeed(seed, parameters));
}

function inDollars<Series extends PriceSeries>(series: Series): Series {
  const dollars = (cents: Float64Array) => cents.map((each) => each / 100);
  return { ...series, first: dollars(series.first), second: dollars(series.second) };
}
