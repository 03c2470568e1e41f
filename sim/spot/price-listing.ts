// The output of `mkt spot`: hourly prices of both nodes for a seed, as CSV or as a table, in chunks as they are
// computed.

import { HOUR_MS } from "../../protocol/time-units.ts";
import { SeededRandom } from "../random/seeded-random.ts";
import { SPOT_PARAMETERS } from "./built-in-parameters.ts";
import { HourlyPrices, isCongested } from "./hourly-prices.ts";
import { regimeOf, REGIMES } from "./regimes.ts";
import type { SpotParameters } from "./spot-parameters.ts";

/** Every listing starts here; the time zone is that of the fitted daily shape. */
export const LISTING_START = Date.parse("2026-01-01T06:00:00Z");
export const LISTING_TIMEZONE = "America/Chicago";

export const LISTING_FORMATS = ["table", "csv"] as const;

/** Hours in each piece of a listing. */
export const ROWS_A_PIECE = 2000;

export interface Listing {
  readonly seed: number;
  readonly hours: number;
  readonly format: (typeof LISTING_FORMATS)[number];
}

/** The listed prices of a seed; a SpotProcess of the same seed and time has the same. */
export function listedPrices(seed: number, parameters: SpotParameters = SPOT_PARAMETERS): HourlyPrices {
  return new HourlyPrices(parameters, new SeededRandom(seed).fork("hours"), LISTING_TIMEZONE);
}

/** Chunks of many lines. */
export function* priceListing({ seed, hours, format }: Listing): Generator<string> {
  const prices = listedPrices(seed);
  const row = format === "csv" ? csvRow : tableRow;
  let piece = format === "csv" ? CSV_HEAD : TABLE_HEAD;
  for (let hour = 0; hour < hours; hour++) {
    prices.step(LISTING_START + hour * HOUR_MS);
    piece += row(prices);
    if (hour % ROWS_A_PIECE !== ROWS_A_PIECE - 1) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

const CSV_HEAD = "time,node_a,node_b,regime_a,regime_b,congested\n";

/** Prices in cents/MWh, congested 1 or 0. */
function csvRow({ time, firstCents, secondCents, normalCents }: HourlyPrices): string {
  const congested = isCongested(firstCents, secondCents) ? 1 : 0;
  const [first, second] = [regimeName(firstCents, normalCents), regimeName(secondCents, normalCents)];
  return `${new Date(time).toISOString()},${firstCents},${secondCents},${first},${second},${congested}\n`;
}

const TABLE_HEAD = "time (UTC)          node A $/MWh           node B $/MWh\n";

/** Prices in dollars. */
function tableRow({ time, firstCents, secondCents, normalCents }: HourlyPrices): string {
  const cell = (cents: number) =>
    `${(cents / 100).toFixed(2).padStart(12)}  ${regimeName(cents, normalCents).padEnd(5)}`;
  const congested = isCongested(firstCents, secondCents) ? "  congested" : "";
  const shown = new Date(time).toISOString().slice(0, 16).replace("T", " ");
  return `${`${shown}    ${cell(firstCents)}    ${cell(secondCents)}${congested}`.trimEnd()}\n`;
}

function regimeName(cents: number, normalCents: number): string {
  return REGIMES[regimeOf(cents, normalCents)]!;
}
