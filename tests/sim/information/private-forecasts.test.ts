// Private forecasts: late, wrong, revised at times of their own, and the same however often they are read.

import { describe, expect, test } from "bun:test";
import { BestForecasts } from "../../../sim/information/best-forecasts.ts";
import type { ForecastSkill } from "../../../sim/information/settings.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { mean } from "../../support/laboratory/averages.ts";
import { constantSpot, contract, HOUR, START } from "../personas/support.ts";
import { NodeCalendars } from "../../../sim/spot/node-calendars.ts";

const MINUTE = HOUR / 60;
const SKILL: ForecastSkill = { delayMs: 0, revisionMeanMs: 10 * MINUTE, errorShare: 0 };
const FAR = { deliveryStart: START + 9_000 * HOUR, deliveryEnd: START + 9_024 * HOUR };
const CONTRACTS = [contract(0, FAR), contract(1, FAR), contract(2, { ...FAR, node: "WEST" })] as const;

function forecastsOf(price: () => number, seed = 1): BestForecasts {
  const calendars = new NodeCalendars(() => "America/Chicago");
  return new BestForecasts(constantSpot(price), calendars, START, new SeededRandom(seed));
}

/** Best forecasts that rise by one cent with every five minutes from 4,000. */
function rising(seed = 1) {
  let price = 4_000;
  const forecasts = forecastsOf(() => price, seed);
  for (const each of CONTRACTS) forecasts.add(each, START);
  const moveTo = (time: number) => {
    price = 4_000 + Math.floor((time - START) / (5 * MINUTE));
    forecasts.spotMoved(time);
  };
  return { forecasts, moveTo };
}

/** What a forecaster thinks of the first contract each minute of some hours, less the best forecast. */
function errors(skill: ForecastSkill, hours: number, seed = 1): number[] {
  const { forecasts, moveTo } = rising();
  const own = forecasts.forecaster(skill, new SeededRandom(seed));
  return Array.from({ length: hours * 60 }, (_, minute) => {
    const time = START + minute * MINUTE;
    moveTo(time);
    own.advanceTo(time);
    return own.of(CONTRACTS[0]) - forecasts.best(CONTRACTS[0]);
  });
}

describe("the best forecast", () => {
  test("has versions, one for each step of the spot prices of the last four hours", () => {
    const { forecasts, moveTo } = rising();
    for (let step = 1; step <= 100; step++) moveTo(START + step * 5 * MINUTE);
    const entry = forecasts.entry(CONTRACTS[0]);
    expect(forecasts.best(CONTRACTS[0])).toBe(4_100);
    expect(forecasts.publicAt(entry, START + 90 * 5 * MINUTE)).toBe(4_089);
    expect(forecasts.publicAt(entry, START)).toBe(4_053);
  });

  test("becomes public on a path of the run's own: whoever knows another run's learns nothing from it", () => {
    const pathOf = (seed: number) => {
      const { forecasts, moveTo } = rising(seed);
      for (let step = 1; step <= 3; step++) moveTo(START + step * 5 * MINUTE);
      const entry = forecasts.entry(CONTRACTS[0]);
      return Array.from({ length: 20 }, (_, at) => forecasts.publicAt(entry, START + (40 + at) * 15_000));
    };
    const [path, same, others] = [pathOf(1), pathOf(1), Array.from({ length: 50 }, (_, at) => pathOf(at + 2))];
    expect(same).toEqual(path);
    expect(path[0]).toBe(4_001);
    for (const other of others) expect(other.slice(1)).not.toEqual(path.slice(1));
    // Halfway the change of the step is known to a half, give or take a half.
    const middles = others.map((other) => other[10]! - 4_001);
    expect(mean(middles)).toBeWithin(0.25, 0.75);
    expect(Math.max(...middles) - Math.min(...middles)).toBeGreaterThan(1);
  });

  test("is unknown for a contract that is not listed, or at a node without spot prices", () => {
    const { forecasts } = rising();
    expect(() => forecasts.best(contract(9))).toThrow("no forecast of contract 9");
    forecasts.add(contract(8, { node: "SOUTH" }), START);
    expect(forecasts.has(contract(8))).toBeFalse();
    forecasts.remove(CONTRACTS[0], START);
    expect(forecasts.has(CONTRACTS[0])).toBeFalse();
  });
});

test("contracts share a group if they deliver on one day, and never a place, whoever has left before", () => {
  const forecasts = forecastsOf(() => 4_000);
  const day = (index: number, days: number, hours = 24) => {
    const deliveryStart = START - 6 * HOUR + days * 24 * HOUR;
    return contract(index, { deliveryStart, deliveryEnd: deliveryStart + hours * HOUR });
  };
  const listed = new Map<number, number>();
  const check = () => {
    const entries = [...listed].map(([index, days]) => ({ days, ...forecasts.entry(contract(index)) }));
    expect(new Set(entries.map(({ slot }) => slot)).size).toBe(entries.length);
    for (const one of entries) {
      for (const other of entries) expect(one.group === other.group).toBe(one.days === other.days);
    }
  };
  for (let index = 0; index < 30; index++) {
    const days = index % 7;
    forecasts.add(day(index, days, index % 2 === 0 ? 24 : 1), START);
    listed.set(index, days);
    if (index % 3 === 2) {
      const gone = [...listed.keys()][index % listed.size]!;
      forecasts.remove(day(gone, listed.get(gone)!), START);
      listed.delete(gone);
    }
    check();
  }
  for (const gone of [...listed.keys()]) {
    forecasts.remove(day(gone, listed.get(gone)!), START);
    listed.delete(gone);
  }
  for (let index = 30; index < 40; index++) {
    forecasts.add(day(index, index % 4), START);
    listed.set(index, index % 4);
    check();
  }
  // A week is no day, and another month another delivery.
  forecasts.add(day(50, 1, 7 * 24), START);
  forecasts.add(day(51, 1, 30 * 24), START);
  const groups = [33, 50, 51].map((index) => forecasts.entry(contract(index)).group);
  expect(new Set(groups).size).toBe(3);
});

describe("a private forecast", () => {
  test("is revised at exponentially distributed times", () => {
    const { forecasts, moveTo } = rising();
    const own = forecasts.forecaster(SKILL, new SeededRandom(1));
    own.advanceTo(START);
    moveTo(START + 1_000 * HOUR);
    own.advanceTo(START + 1_000 * HOUR);
    expect(own.revision).toBeWithin(5_700, 6_300);
  });

  test("lags behind the best forecast, more with a longer delay", () => {
    // Two steps old in the mean, and half of the last one is not public yet.
    expect(mean(errors(SKILL, 500))).toBeWithin(-2.8, -2.2);
    expect(mean(errors({ ...SKILL, delayMs: 30 * MINUTE }, 500))).toBeWithin(-6, -3);
  });

  test("has an error of the given size that changes slowly", () => {
    const own = errors({ ...SKILL, revisionMeanMs: MINUTE, errorShare: 0.05 }, 2_000);
    const level = mean(own);
    const sd = Math.sqrt(mean(own.map((error) => (error - level) ** 2)));
    expect(sd / 4_000).toBeWithin(0.04, 0.4);
    const change = Math.sqrt(mean(own.slice(60).map((error, at) => (error - own[at]!) ** 2)));
    expect(change / sd).toBeWithin(0.3, 0.9);
  });

  test("shares most of its error with the other contracts of the day, at both nodes", () => {
    const { forecasts } = rising();
    const next = contract(3, { deliveryStart: START + 9_024 * HOUR, deliveryEnd: START + 9_048 * HOUR });
    forecasts.add(next, START);
    const same: number[] = [];
    const other: number[] = [];
    for (let seed = 0; seed < 200; seed++) {
      const own = forecasts.forecaster({ ...SKILL, errorShare: 0.05 }, new SeededRandom(seed));
      const [here, there, later] = [CONTRACTS[0], CONTRACTS[2], next].map((each) => own.of(each) - 4_000);
      same.push(here! * there! / 200 ** 2);
      other.push(here! * later! / 200 ** 2);
    }
    expect(mean(same)).toBeWithin(0.7, 1.2);
    expect(mean(other)).toBeWithin(-0.25, 0.25);
  });

  test("does not depend on how often it is read", () => {
    const skill = { delayMs: MINUTE, revisionMeanMs: 3 * MINUTE, errorShare: 0.02 };
    const read = (every: number) => {
      const { forecasts, moveTo } = rising();
      const own = forecasts.forecaster(skill, new SeededRandom(5));
      own.advanceTo(START);
      for (let minute = 1; minute <= 600; minute++) {
        const time = START + minute * MINUTE;
        if (minute % 5 === 0) moveTo(time);
        if (minute === 200) forecasts.add(contract(7), time);
        if (minute === 400) forecasts.remove(CONTRACTS[1], time);
        if (minute % every === 0) own.advanceTo(time);
      }
      return [CONTRACTS[0], CONTRACTS[2], contract(7)].map((each) => own.of(each));
    };
    expect(read(10)).toEqual(read(1));
  });
});
