// The errors of private forecasts, with random numbers of the test's choice: their size by product, the part that a day shares,
// how they fade from revision to revision. And the bounds of the settings.

import { expect, test } from "bun:test";
import { BestForecasts } from "../../../sim/information/best-forecasts.ts";
import { informationSettings } from "../../../sim/information/settings.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { CALENDARS, constantSpot, contract, HOUR, START } from "../personas/support.ts";
import { ChosenRandom } from "../strategies/support.ts";

const SKILL = { delayMs: 0, revisionMeanMs: HOUR, errorShare: 0.05 };
const OWN = Math.sqrt(1 - 0.95 ** 2);
/** Of one day, and a month. In a day an hour moves by 33 %, a base by 21 %, a peak by 24 %, a month by 3 %. */
const DAY = { deliveryStart: START + 18 * HOUR };
const base = contract(0, { ...DAY, deliveryEnd: START + 42 * HOUR });
const hour = contract(1, { ...DAY, deliveryEnd: START + 19 * HOUR, type: "hour" });
const month = contract(2, { ...DAY, deliveryEnd: START + 738 * HOUR, type: "month" });
const peak = contract(3, { ...DAY, deliveryEnd: START + 34 * HOUR, type: "peak" });

const bestOf = (price: number) => new BestForecasts(constantSpot(() => price), CALENDARS, START, new SeededRandom(1));

test("an error has a part of the day and one of the contract, each larger for what moves more, and fades in four hours", () => {
  const forecasts = bestOf(4_000);
  for (const each of [base, hour, month]) forecasts.add(each, START);
  const numbers = [
    // When it revises first, then the day's and the base's, the hour's, the month's two.
    ...[0.5, 1, -2, 0.7, -1, 3],
    // Of the peak, which is listed later.
    ...[0.4],
    // The news is as old, then as at first, and the peak's; and when it revises next.
    ...[0, 0.3, -0.6, 0.9, 2, -1.2, 0.8, 1.5],
    ...[0, -0.8, 0.2, 0.5, -0.3, 1.1, -1.4, 9],
  ];
  const own = forecasts.forecaster(SKILL, new ChosenRandom(...numbers));
  forecasts.add(peak, START);
  const [ofHour, ofPeak, ofMonth] = [33 / 21, 24 / 21, 3 / 21] as const;
  const errors = (day: number, month0: number, [inBase, inHour, inMonth, inPeak]: readonly number[]) => [
    0.95 * day + OWN * inBase!,
    0.95 * day + OWN * ofHour * inHour!,
    ofMonth * (0.95 * month0 + OWN * inMonth!),
    0.95 * day + OWN * ofPeak * inPeak!,
  ];
  const expectErrors = (expected: readonly number[]) => {
    const shown = [base, hour, month, peak].map((each) => (own.of(each) - 4_000) / 200);
    for (const [at, error] of expected.entries()) expect(shown[at]).toBeCloseTo(error, 9);
  };
  expectErrors(errors(1, -1, [-2, 0.7, 3, 0.4]));
  own.advanceTo(START + HOUR / 2 - 1);
  expect(own.revision).toBe(0);
  own.advanceTo(START + HOUR / 2);
  const after = (hours: number, before: number, drawn: number) =>
    Math.exp(-hours / 4) * before + Math.sqrt(1 - Math.exp(-hours / 2)) * drawn;
  const first = [[1, 0.3], [-1, 0.9 * 0 + 2]].map(([before, drawn]) => after(0.5, before!, drawn!));
  const ownFirst = [[-2, -0.6], [0.7, 0.9], [3, -1.2], [0.4, 0.8]].map(([before, drawn]) =>
    after(0.5, before!, drawn!)
  );
  expectErrors(errors(first[0]!, first[1]!, ownFirst));
  own.advanceTo(START + 2 * HOUR);
  const ownSecond = [0.2, 0.5, 1.1, -1.4].map((drawn, at) => after(1.5, ownFirst[at]!, drawn));
  expectErrors(errors(after(1.5, first[0]!, -0.8), after(1.5, first[1]!, -0.3), ownSecond));
  expect(own.revision).toBe(2);
});

test("an error is a share of the size of the price, of at least 500 cents", () => {
  for (const [price, size] of [[4_000, 4_000], [-4_000, 4_000], [-100, 500], [100, 500]] as const) {
    const forecasts = bestOf(price);
    forecasts.add(base, START);
    const own = forecasts.forecaster(SKILL, new ChosenRandom(1, 1, 0));
    expect(own.of(base)).toBeCloseTo(price + 0.05 * size * 0.95, 9);
  }
});

test("forecasts of many contracts of many days are all kept", () => {
  const forecasts = bestOf(4_000);
  const own = forecasts.forecaster(SKILL, new SeededRandom(3));
  const seen: number[] = [];
  for (let index = 0; index < 80; index++) {
    const deliveryStart = START + 24 * index * HOUR;
    forecasts.add(contract(index, { deliveryStart, deliveryEnd: deliveryStart + 24 * HOUR }), START);
    seen.push(own.of(contract(index)));
  }
  expect(seen.every((value) => value !== 4_000 && Math.abs(value - 4_000) < 2_000)).toBe(true);
  expect(seen.map((_, index) => own.of(contract(index)))).toEqual(seen);
  own.advanceTo(START + 9 * HOUR);
  expect(seen.every((_, index) => Math.abs(own.of(contract(index)) - 4_000) < 2_000)).toBe(true);
});

test.each(
  [
    ["delayMs", [0, 14_400_000], [-1, 14_400_001]],
    ["revisionMeanMs", [1_000, 86_400_000], [999, 86_400_001]],
    ["errorShare", [0, 1], [-0.01, 1.01]],
  ] as const,
)("%s is from %j, not %j", (name, allowed, refused) => {
  const accepts = (value: number) => {
    const skill = { ...SKILL, [name]: value };
    return informationSettings.safeParse({ makers: SKILL, informed: SKILL, others: skill }).success;
  };
  expect([...allowed, ...refused].map(accepts)).toEqual([true, true, false, false]);
});
