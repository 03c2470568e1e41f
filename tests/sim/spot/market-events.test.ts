// The events that act on prices, as they are triggered, known and forgotten, and the fuel factor of each node.

import { expect, test } from "bun:test";
import { fuelFactorAt } from "../../../sim/spot/event-effects.ts";
import { MarketEvents } from "../../../sim/spot/market-events.ts";
import { marketSpotPrices } from "../../../sim/spot/market-spot.ts";
import { HOUR_MS, START } from "./support.ts";

const NODES = ["NORTH", "WEST"];
const outage = { type: "plant_outage", node: "NORTH", size: 3, durationHours: 8 } as const;

/** Events whose course is the middle one, or a false alarm if there is a chance of one. */
function events() {
  let draws = 0;
  return new MarketEvents(NODES, { next: () => (draws++, 0.5 - 0.49 * Number(draws % 3 === 1)) } as never);
}

test.each<[string, { announcedTime?: number; startTime?: number }, number, number]>([
  ["at once", {}, 0, 0],
  ["later, and is announced at once", { startTime: 2 }, 0, 2],
  ["as it is announced", { announcedTime: 1 }, 1, 1],
  ["after its announcement", { announcedTime: 1, startTime: 4 }, 1, 4],
  ["not before its announcement", { announcedTime: 3, startTime: 1 }, 3, 3],
  ["not in the past", { announcedTime: -2, startTime: -1 }, 0, 0],
])("an event begins %s", (_, { announcedTime, startTime }, announced, starts) => {
  const at = (hours: number | undefined) => hours === undefined ? undefined : START + hours * HOUR_MS;
  const made = events();
  const course = made.trigger(
    { ...outage, announcedTime: at(announcedTime), startTime: at(startTime) } as never,
    START,
  );
  expect(course.announcedTime).toBe(START + announced * HOUR_MS);
  expect(course.announced).toEqual({
    ...outage,
    id: "event-1",
    startTime: START + starts * HOUR_MS,
    endTime: START + (starts + 8) * HOUR_MS,
  });
  expect(made.knownAt(START + announced * HOUR_MS - 1)).toEqual([]);
  expect(made.knownAt(START + announced * HOUR_MS)).toHaveLength(1);
});

test("events are numbered, shown in the order of their triggers while they act, and forgotten after their end", () => {
  const made = events();
  made.trigger({ ...outage, durationHours: 8 }, START);
  made.trigger({ ...outage, durationHours: 4, node: null }, START);
  const ids = (hours: number) => made.activeAt(START + hours * HOUR_MS).map(({ id }) => id);
  expect([ids(0), ids(4), ids(8)]).toEqual([["event-1", "event-2"], ["event-1"], []]);
  made.forget(START + 4 * HOUR_MS - 1);
  expect(made.knownAt(START + HOUR_MS)).toHaveLength(2);
  made.forget(START + 4 * HOUR_MS);
  expect(made.knownAt(START + HOUR_MS)).toHaveLength(1);
  expect(made.trigger(outage, START + 9 * HOUR_MS).announced.id).toBe("event-3");
  expect(() => made.trigger({ ...outage, node: "EAST" }, START)).toThrow(RangeError);
});

test("an event is shown with its expected size, end and the share that acts", () => {
  const made = events();
  made.trigger(outage, START);
  const shown = (hours: number) => made.activeAt(START + hours * HOUR_MS)[0]!;
  // The end is known after two hours: the middle of three.
  expect(shown(3)).toEqual({
    ...outage,
    id: "event-1",
    startTime: START,
    endTime: START + 8 * HOUR_MS,
    remaining: 1,
  });
  expect([shown(5).remaining, shown(7).remaining, shown(7.9996).remaining]).toEqual([0.75, 0.25, 0]);
});

test("news of an event are its announcement, its size and its end", () => {
  const made = events();
  made.trigger({ ...outage, startTime: START + HOUR_MS }, START);
  const isNews = (from: number, to: number) => made.isNewsIn(START + from * HOUR_MS, START + to * HOUR_MS);
  expect(isNews(-0.1, 0)).toBe(true);
  expect(isNews(0, 1.4)).toBe(false);
  expect(isNews(1.4, 1.5)).toBe(true);
  expect(isNews(1.5, 2.9)).toBe(false);
  expect(isNews(2.9, 3)).toBe(true);
  expect(isNews(3, 30)).toBe(false);
});

test("a fuel shock has a factor at its own node, or at each, and other events have none", () => {
  const factors = (node: string | null, type = "fuel_shock") => {
    const made = events();
    made.trigger({ ...outage, node, type } as never, START);
    return NODES.map((each) => fuelFactorAt(each, made.knownAt(START + 3 * HOUR_MS), START + 3 * HOUR_MS));
  };
  const factor = Math.exp(3 * 0.35);
  expect(factors("NORTH")).toEqual([expect.closeTo(factor, 9), 1]);
  expect(factors("WEST")).toEqual([1, expect.closeTo(factor, 9)]);
  expect(factors(null)).toEqual([expect.closeTo(factor, 9), expect.closeTo(factor, 9)]);
  expect(factors(null, "plant_outage")).toEqual([1, 1]);
});

test("prices of two separate nodes have one vintage and one count of announcements for both", () => {
  const markets = [{ timezone: "America/Chicago", nodes: ["NORTH"] }, { timezone: "Europe/Berlin", nodes: ["WEST"] }];
  const spot = marketSpotPrices({ markets, products: [] }, 1, START);
  const counted = () => [spot.vintage, spot.announcements];
  let [vintage, announcements] = counted() as [number, number];
  for (const [node, more] of [["NORTH", 1], ["WEST", 1], [null, 2]] as const) {
    spot.trigger({ ...outage, node });
    expect(counted()).toEqual([vintage += more, announcements += more]);
  }
  spot.advanceTo(START + 300_000);
  expect(counted()).toEqual([vintage + 2, announcements]);
});
