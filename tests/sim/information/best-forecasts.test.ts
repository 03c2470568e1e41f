// The versions of the best forecasts: over gaps of time, after delivery, and when something is announced to everybody.

import { describe, expect, test } from "bun:test";
import { BestForecasts } from "../../../sim/information/best-forecasts.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { NodeCalendars } from "../../../sim/spot/node-calendars.ts";
import { CALENDARS, contract, HOUR, START } from "../personas/support.ts";

const STEP = HOUR / 12;
const EXACT = { delayMs: 0, revisionMeanMs: 1, errorShare: 0 };

/** Spot prices of which all expectations are `price`, of a peak 10 more, and were `before` without what was announced. */
function market({ announcements = 0, calendars = CALENDARS } = {}) {
  const spot = { nodes: ["NORTH", "WEST"], announcements, price: 4_000, before: 0 };
  const more = (shape: string) => shape === "peak" ? 10 : 0;
  const prices = {
    nodes: spot.nodes,
    get announcements() {
      return spot.announcements;
    },
    expectedPrice: (_node: string, _start: number, _end: number, shape: string) => spot.price + more(shape),
    priceBeforeAnnouncements: (_node: string, _start: number, _end: number, shape: string) => spot.before + more(shape),
  };
  const forecasts = new BestForecasts(prices as never, calendars, START, new SeededRandom(1));
  const moveTo = (time: number, price: number) => {
    spot.price = price;
    forecasts.spotMoved(time);
  };
  const announce = (time: number, price: number) => {
    spot.before = spot.price;
    spot.announcements += 1;
    moveTo(time, price);
  };
  /** What the public knows at the start of each of these steps. */
  const versions = (of = contract(0), steps: readonly number[]) =>
    steps.map((step) => forecasts.publicAt(forecasts.entry(of), START + step * STEP));
  return { spot, forecasts, moveTo, announce, versions };
}

describe("the best forecasts", () => {
  test("of the steps that were passed over are those of the step that follows", () => {
    const { forecasts, moveTo, versions } = market();
    forecasts.add(contract(0), START);
    moveTo(START + STEP, 4_010);
    moveTo(START + 4 * STEP, 4_040);
    moveTo(START + 5 * STEP, 4_050);
    expect(forecasts.best(contract(0))).toBe(4_050);
    // At its start the public knows the step before.
    expect(versions(contract(0), [1, 2, 3, 4, 5])).toEqual([4_000, 4_010, 4_040, 4_040, 4_040]);
  });

  test("of a gap longer than what is kept are all those of its end", () => {
    const { forecasts, moveTo, versions } = market();
    forecasts.add(contract(0), START);
    moveTo(START + 500 * STEP - STEP, 4_100);
    moveTo(START + 500 * STEP, 4_200);
    expect(versions(contract(0), [400, 460, 500])).toEqual([4_100, 4_100, 4_100]);
  });

  test("within one step are the latest", () => {
    const { forecasts, moveTo } = market();
    forecasts.add(contract(0), START);
    moveTo(START + STEP, 4_010);
    moveTo(START + STEP + 1, 4_020);
    expect(forecasts.best(contract(0))).toBe(4_020);
  });

  test("move by all of what is announced, in every version, for everybody at once", () => {
    const { forecasts, moveTo, announce, versions } = market();
    forecasts.add(contract(0), START);
    const slow = forecasts.forecaster({ ...EXACT, revisionMeanMs: 1e12 }, new SeededRandom(2));
    for (let step = 1; step <= 20; step++) moveTo(START + step * STEP, 4_000 + step);
    const steps = [1, 5, 15, 20];
    const before = versions(contract(0), steps);
    expect([slow.of(contract(0)), slow.announcements]).toEqual([4_000, 0]);
    announce(START + 20 * STEP, 4_520);
    expect(versions(contract(0), steps)).toEqual(before.map((price) => price + 500));
    expect([slow.of(contract(0)), slow.announcements, slow.revision]).toEqual([4_500, 1, 1]);
    moveTo(START + 21 * STEP, 4_521);
    expect(slow.announcements).toBe(1);
  });

  test("of a peak are those of its own hours, also when something is announced", () => {
    const { forecasts, announce } = market();
    const peak = contract(0, { shape: "peak" });
    forecasts.add(peak, START);
    expect(forecasts.best(peak)).toBe(4_010);
    announce(START, 4_500);
    expect(forecasts.publicAt(forecasts.entry(peak), START)).toBe(4_510);
  });

  test("know from the beginning what was announced before, and keep what a contract has if it is listed again", () => {
    const { forecasts, moveTo } = market({ announcements: 2 });
    forecasts.add(contract(0), START);
    const own = forecasts.forecaster(EXACT, new SeededRandom(2));
    moveTo(START + STEP, 4_010);
    expect(own.announcements).toBe(0);
    const entry = forecasts.entry(contract(0));
    forecasts.add(contract(0), START + STEP);
    expect(forecasts.entry(contract(0))).toBe(entry);
  });

  test("of a contract in delivery are everybody's own, and still follow the spot prices", () => {
    const { forecasts, moveTo } = market();
    for (const index of [0, 1]) forecasts.add(contract(index), START);
    const slow = forecasts.forecaster({ ...EXACT, revisionMeanMs: 1e12 }, new SeededRandom(2));
    forecasts.started(contract(0), START);
    moveTo(START + STEP, 4_100);
    expect([0, 1].map((index) => slow.of(contract(index)))).toEqual([4_100, 4_000]);
    expect([...forecasts.traded].map(({ contract: { index } }) => index)).toEqual([1]);
  });

  test("of a contract that was delivered are its price, follow it for an hour, and then stay", () => {
    const { forecasts, moveTo, announce, versions } = market();
    const hour = contract(0, { type: "hour", deliveryStart: START + HOUR, deliveryEnd: START + 2 * HOUR });
    forecasts.add(hour, START);
    moveTo(START + 23 * STEP, 4_023);
    expect(versions(hour, [10])[0]).not.toBe(5_000);
    moveTo(hour.deliveryEnd, 5_000);
    expect(versions(hour, [1, 12, 24])).toEqual([5_000, 5_000, 5_000]);
    moveTo(hour.deliveryEnd + HOUR, 5_100);
    expect(forecasts.best(hour)).toBe(5_100);
    announce(hour.deliveryEnd + HOUR + STEP, 6_000);
    expect(versions(hour, [20, 30])).toEqual([5_100, 5_100]);
  });
});

describe("a forecaster", () => {
  test("has errors in common for the contracts of one delivery day, at any node, also for those that come later", () => {
    const { forecasts } = market();
    const ofDay = (index: number, day: number, hours: number, node = "NORTH") => {
      const deliveryStart = START + (18 + 24 * day) * HOUR;
      const type = hours === 24 ? "base" : "hour";
      return contract(index, { node, type, deliveryStart, deliveryEnd: deliveryStart + hours * HOUR });
    };
    const contracts = [ofDay(0, 0, 24), ofDay(1, 0, 1), ofDay(2, 0, 24, "WEST"), ofDay(3, 1, 24)];
    for (const each of contracts) forecasts.add(each, START);
    const groups = contracts.map((each) => forecasts.entry(each).group);
    expect(groups).toEqual([groups[0]!, groups[0]!, groups[0]!, expect.any(Number)]);
    expect(groups[3]).not.toBe(groups[0]!);
    // The place of a day is free again only when the last of its contracts has gone.
    forecasts.remove(contracts[0]!, START);
    forecasts.add(ofDay(4, 2, 24), START);
    expect(groups).not.toContain(forecasts.entry(ofDay(4, 2, 24)).group);
    forecasts.remove(contracts[1]!, START);
    forecasts.remove(contracts[2]!, START);
    forecasts.remove(contracts[2]!, START);
    forecasts.add(ofDay(5, 3, 24), START);
    expect(forecasts.entry(ofDay(5, 3, 24)).group).toBe(groups[0]!);
    const slots = [3, 4, 5].map((index) => forecasts.entry(contract(index)).slot);
    expect(new Set(slots).size).toBe(3);
    expect(Math.max(...slots)).toBe(3);
  });
});

test("a delivery day is the local one of the node, also one of 25 hours; a longer delivery is the one from start to end", () => {
  const calendars = new NodeCalendars((node) => node === "WEST" ? "Europe/Berlin" : "America/Chicago");
  const { forecasts } = market({ calendars });
  const at = (index: number, node: string, from: string, hours: number) => {
    const deliveryStart = Date.parse(from);
    const each = contract(index, { node, deliveryStart, deliveryEnd: deliveryStart + hours * HOUR });
    forecasts.add(each, START);
    return forecasts.entry(each).group;
  };
  // In Berlin it is already the 3rd, in Chicago still the 2nd.
  const [berlin, chicago] = ["WEST", "NORTH"].map((node, at0) => at(at0, node, "2026-03-03T04:00:00Z", 1));
  expect([at(2, "WEST", "2026-03-03T12:00:00Z", 1), at(3, "NORTH", "2026-03-02T18:00:00Z", 1)]).toEqual(
    [berlin!, chicago!],
  );
  // On the first of November the clocks of Chicago go back.
  expect(at(4, "NORTH", "2026-11-01T05:00:00Z", 25)).toBe(at(5, "NORTH", "2026-11-01T20:00:00Z", 1));
  // A month and the quarter that ends with it.
  expect(at(6, "NORTH", "2026-06-01T05:00:00Z", 720)).not.toBe(at(7, "NORTH", "2026-04-01T05:00:00Z", 2_184));
});

test("the public knows the versions of four hours, and of earlier times the oldest of them", () => {
  const { forecasts, moveTo, versions } = market();
  forecasts.add(contract(0), START);
  for (let step = 1; step <= 60; step++) moveTo(START + step * STEP, 4_000 + step);
  // At the start of a step the version of the step before is public: of step 13, the oldest of the 48 that are kept.
  expect(versions(contract(0), [0, 13, 14, 15, 59, 60])).toEqual([4_013, 4_013, 4_013, 4_014, 4_058, 4_059]);
  // Not later than the newest step either.
  const entry = forecasts.entry(contract(0));
  expect(forecasts.publicAt(entry, START + 90 * STEP)).toBe(forecasts.publicAt(entry, START + 61 * STEP - 1));
});
