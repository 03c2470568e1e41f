// The expected ratio of base prices, hour by hour, computed here from its definition.

import { expect, test } from "bun:test";
import { BaseForecast } from "../../../sim/spot/base-forecast.ts";
import { SPOT_PARAMETERS } from "../../../sim/spot/built-in-parameters.ts";
import { NO_HOUR_NEWS } from "../../../sim/spot/news.ts";
import { NormalForecast } from "../../../sim/spot/normal-forecast.ts";

const [SD, MEMORY, PRICE] = [0.4, 0.6, 0.3];
/** No limit that matters. */
const FAR = 1e30;
const CALM_DAY = new NormalForecast(0, 0.5);

function parametersWith(turbulenceSd: number, most = FAR) {
  return {
    ...SPOT_PARAMETERS,
    base: { sd: SD, memory: MEMORY },
    day: { ...SPOT_PARAMETERS.day, price: PRICE },
    turbulence: { memory: 0.5, sd: turbulenceSd, most },
  };
}

/** The parameters of turbulence of a day with mean m and variance v, without a limit: e^(k sd (m - sd) + (k sd)² v / 2). */
const power = (sd: number, k: number, mean: number, variance: number) =>
  Math.exp(k * sd * (mean - sd) + (k * sd) ** 2 * variance / 2);

const news = (base: number, share: number) => ({ ...NO_HOUR_NEWS, base, share });

test("a known log ratio decays to 0, and its variance grows to that of an hour that is not known", () => {
  const forecast = new BaseForecast(parametersWith(0), 0.5, 0);
  expect(forecast.ratio(CALM_DAY, FAR)).toBeCloseTo(Math.exp(0.5), 12);
  const unknown = new BaseForecast(parametersWith(0), null, 0);
  expect(unknown.ratio(CALM_DAY, FAR)).toBeCloseTo(Math.exp(SD ** 2 / 2), 12);
  let [mean, variance] = [0.5, 0];
  for (let hour = 0; hour < 5; hour++) {
    forecast.step(NO_HOUR_NEWS);
    unknown.step(NO_HOUR_NEWS);
    mean *= MEMORY;
    variance = MEMORY ** 2 * variance + (1 - MEMORY ** 2) * SD ** 2;
    expect(forecast.ratio(CALM_DAY, FAR)).toBeCloseTo(Math.exp(mean + variance / 2), 12);
    expect(unknown.ratio(CALM_DAY, FAR)).toBeCloseTo(Math.exp(SD ** 2 / 2), 12);
  }
});

test("what is known of an hour moves the mean, and leaves the rest of the variance", () => {
  const forecast = new BaseForecast(parametersWith(0), 0.5, 0);
  forecast.step(news(2, 0.75));
  const noise = Math.sqrt(1 - MEMORY ** 2) * SD;
  const mean = MEMORY * 0.5 + 2 * noise;
  expect(forecast.ratio(CALM_DAY, FAR)).toBeCloseTo(Math.exp(mean + noise ** 2 * 0.25 / 2), 12);
});

test("tight days are dearer, with half the variance of what is not known of them", () => {
  const forecast = new BaseForecast(parametersWith(0), 0, 0);
  expect(forecast.ratio(new NormalForecast(2, 0.5), FAR)).toBeCloseTo(Math.exp(2 * PRICE), 12);
  expect(forecast.ratio(new NormalForecast(null, 0.5), FAR)).toBeCloseTo(Math.exp(PRICE ** 2 / 2), 12);
  expect(forecast.ratio(new NormalForecast(20, 0.5), 1.5)).toBe(1.5);
});

test("turbulence of the day widens innovations, by its mean, its square and the deviation of that", () => {
  const sd = 0.2;
  const forecast = new BaseForecast(parametersWith(sd), 0, 1);
  forecast.step(news(1, 0.5));
  const noise = Math.sqrt(1 - MEMORY ** 2) * SD;
  let mean = noise * power(sd, 1, 1, 0);
  let variance = noise ** 2 * 0.5 * power(sd, 2, 1, 0);
  expect(forecast.ratio(CALM_DAY, FAR)).toBeCloseTo(Math.exp(mean + variance / 2), 12);
  forecast.beginDay({ tightness: 9, level: 9, turbulence: 2, share: 0.5 });
  forecast.step(NO_HOUR_NEWS);
  const day = [0.5 * 1 + Math.sqrt(0.75) * 2, 0.75 * 0.5] as const;
  const [square, fourth] = [power(sd, 2, ...day), power(sd, 4, ...day)];
  mean *= MEMORY;
  variance = MEMORY ** 2 * variance + noise ** 2 * square;
  const varianceSd = noise ** 2 * Math.sqrt(fourth - square ** 2);
  expect(forecast.ratio(CALM_DAY, FAR)).toBeCloseTo(Math.exp(mean + varianceSd ** 2 / 8 + variance / 2), 10);
});

test("an unknown hour of an unknown day has the variance of all days, and turbulence has a greatest factor", () => {
  const sd = 0.2;
  const [square, fourth] = [power(sd, 2, 0, 1), power(sd, 4, 0, 1)];
  const spread = SD ** 4 * (fourth - square ** 2);
  expect(new BaseForecast(parametersWith(sd), null, null).ratio(CALM_DAY, FAR))
    .toBeCloseTo(Math.exp(spread / 8 + SD ** 2 * square / 2), 10);
  expect(new BaseForecast(parametersWith(sd, 1.5), null, 30).ratio(CALM_DAY, FAR))
    .toBeCloseTo(Math.exp(SD ** 2 * 1.5 ** 2 / 2), 12);
});
