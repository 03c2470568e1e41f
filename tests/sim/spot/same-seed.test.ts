// What one seed gives: prices, forecasts and events, to the cent. A change of the model that is meant changes these numbers,
// and then the failure prints the new ones; any other change is a mistake, such as a stream that is used twice or a step too
// late.

import { expect, test } from "bun:test";
import { marketSpotPrices } from "../../../sim/spot/market-spot.ts";
import { ContinuedSpotPrices } from "../../../sim/spot/continued-spot-prices.ts";
import { SPOT_EVENT_TYPES, type SpotPrices } from "../../../sim/spot/spot-prices.ts";
import { HOUR_MS, pricesOf, spotOf, START } from "./support.ts";

const DAY = 24 * HOUR_MS;
const NODES = ["NORTH", "WEST"];

/** A number for a series that differs if the series does. */
const sumOf = (series: readonly unknown[]) => Number(Bun.hash.crc32(JSON.stringify(series)));

/** Expected prices of each node: the next hours, tomorrow's base and peak, and months ahead, some of it far away. */
function expected(spot: SpotPrices, now: number): number[] {
  return NODES.flatMap((node) => [
    spot.expectedPrice(node, now - 3 * HOUR_MS, now + 5 * HOUR_MS, "base"),
    spot.expectedPrice(node, now + HOUR_MS, now + 2 * HOUR_MS, "base"),
    spot.expectedPrice(node, now + DAY, now + 2 * DAY, "peak"),
    spot.expectedPrice(node, now + 15 * DAY, now + 45 * DAY, "base"),
    spot.expectedPrice(node, now + 30 * DAY + HOUR_MS, now + 60 * DAY, "peak"),
    spot.priceBeforeAnnouncements(node, now, now + DAY, "base"),
  ]);
}

test("ten quiet days", () => {
  const spot = spotOf(5);
  const points = spot.advanceTo(START + 10 * DAY);
  const forecasts = Array.from({ length: 12 }, (_, step) => {
    spot.advanceTo(START + 10 * DAY + step * 7 * 300_000);
    return expected(spot, START + 10 * DAY + step * 7 * 300_000);
  });
  const regimes = points.map(({ regime, congested }) => `${regime[0]}${congested ? "!" : ""}`);
  expect({
    points: points.length,
    first: pricesOf(points, "NORTH").slice(0, 6),
    prices: NODES.map((node) => sumOf(pricesOf(points, node))),
    regimes: ["b", "s", "d", "b!", "s!", "d!"].map((each) => regimes.filter((regime) => regime === each).length),
    history: sumOf(spot.history(200).map(({ node, priceCents }) => [node, priceCents])),
    forecast: forecasts[0]!,
    forecasts: sumOf(forecasts),
  }).toEqual({
    first: [
      1404,
      1408,
      1717,
      1653,
      1365,
      1311,
    ],
    forecast: [
      1517,
      1572,
      1686,
      2186,
      3369,
      1364,
      1514,
      1532,
      1638,
      2110,
      3277,
      1336,
    ],
    forecasts: 1732724407,
    history: 101551419,
    points: 5760,
    prices: [
      2754059902,
      847650803,
    ],
    regimes: [
      4520,
      0,
      196,
      1001,
      0,
      43,
    ],
  });
});

test("a week with every kind of event", () => {
  const spot = spotOf(6);
  const seen: unknown[] = [];
  SPOT_EVENT_TYPES.forEach((type, at) => {
    const now = START + at * DAY;
    spot.advanceTo(now);
    const node = [null, "NORTH", "WEST"][at % 3]!;
    const times = at % 2 === 0 ? {} : { announcedTime: now + HOUR_MS, startTime: now + 3 * HOUR_MS };
    spot.trigger({ type, node, size: 1 + at / 2, durationHours: 30, falseAlarmChance: at % 3 / 4, ...times });
    spot.reprice();
    for (let hour = 0; hour < 24; hour += 8) {
      const points = spot.advanceTo(now + hour * HOUR_MS);
      seen.push([
        points.map(({ priceCents }) => priceCents),
        spot.activeEvents.map(({ id, size, remaining, endTime }) => [id, size, remaining, endTime - now]),
        expected(spot, now + hour * HOUR_MS),
        NODES.map((each) => Math.round(1_000 * spot.fuelFactor(each))),
        [spot.announcements, spot.vintage],
      ]);
    }
  });
  const column = (at: number) => seen.map((row) => (row as unknown[])[at]);
  expect({
    prices: sumOf(column(0)),
    events: sumOf(column(1)),
    expected: sumOf(column(2)),
    fuel: sumOf(column(3)),
    counts: column(4).at(-1),
    last: (seen.at(-1) as unknown[]).slice(1, 4),
  }).toEqual({
    counts: [
      19,
      1925,
    ],
    events: 1485258044,
    expected: 1908819223,
    fuel: 1320148756,
    last: [
      [
        [
          "event-7",
          2.667,
          1,
          162000000,
        ],
      ],
      [
        311,
        702,
        2980,
        2955,
        4111,
        1062,
        311,
        702,
        2930,
        2873,
        4015,
        1044,
      ],
      [
        1000,
        1000,
      ],
    ],
    prices: 2217820825,
  });
});

test("two nodes in two time zones, and a run that continues the prices of another", () => {
  const markets = [{ timezone: "America/Chicago", nodes: ["NORTH"] }, { timezone: "Europe/Berlin", nodes: ["WEST"] }];
  const spot = marketSpotPrices({ markets, products: [] }, 3, START);
  spot.advanceTo(START + DAY);
  spot.trigger({ type: "fuel_shock", node: null, size: 2, durationHours: 40 });
  const points = spot.advanceTo(START + 2 * DAY);
  const next = spotOf(9, { startTime: START });
  next.advanceTo(START + 2 * DAY + 1_000_000);
  const continued = new ContinuedSpotPrices(next, spot, 100);
  const later = continued.advanceTo(START + 3 * DAY);
  expect({
    points: sumOf(points),
    active: spot.activeEvents,
    expected: sumOf(expected(spot, START + 2 * DAY)),
    later: sumOf(later),
    history: sumOf(continued.history(90)),
  }).toEqual({
    active: [],
    expected: 161809864,
    history: 3523258851,
    later: 3240018104,
    points: 3647297046,
  });
});
