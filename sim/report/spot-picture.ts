// The picture of `mkt spot --plot`: the listed prices of a seed.

import { pictureSvg } from "../../common/plot/picture.ts";
import { localTime } from "../../common/plot/time-marks.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import { isCongested } from "../spot/hourly-prices.ts";
import { listedPrices, LISTING_START, LISTING_TIMEZONE } from "../spot/price-listing.ts";
import { regimeOf, REGIMES } from "../spot/regimes.ts";
import { spotOverTime, spotSummaries } from "./spot-charts.ts";
import { SpotSamples } from "./spot-samples.ts";

const WIDTH = 960;
const GAP = 18;
const HOURS_BETWEEN_PROGRESS = 10_000;

interface PictureOptions {
  readonly seed: number;
  readonly hours: number;
  readonly version: string;
  readonly onProgress: (hours: number) => void;
}

export function spotPicture({ seed, hours, version, onProgress }: PictureOptions): string {
  const prices = listedPrices(seed);
  const samples = new SpotSamples(LISTING_START, HOUR_MS, ["node A", "node B"], LISTING_TIMEZONE);
  for (let hour = 0; hour < hours; hour++) {
    prices.step(LISTING_START + hour * HOUR_MS);
    const { time, firstCents, secondCents, normalCents } = prices;
    samples.add(0, time, firstCents, REGIMES[regimeOf(firstCents, normalCents)] ?? "base");
    samples.add(1, time, secondCents, REGIMES[regimeOf(secondCents, normalCents)] ?? "base");
    samples.addCongestion(time, isCongested(firstCents, secondCents));
    if (hour % HOURS_BETWEEN_PROGRESS === 0) onProgress(hour);
  }
  const end = LISTING_START + hours * HOUR_MS;
  const [overTime, strip] = spotOverTime({ samples, end, events: [], width: WIDTH });
  return pictureSvg({
    title: `Simulated spot prices, seed ${seed}`,
    description: `Hourly prices of two nodes over ${hours} hours.`,
    note: `${hours} hours from ${localTime(LISTING_START, LISTING_TIMEZONE)} in ${LISTING_TIMEZONE} · ` +
      `mkt ${version} spot --seed ${seed} --hours ${hours}`,
    rows: [[overTime], [strip], spotSummaries(samples, (WIDTH - GAP) / 2)],
  });
}
