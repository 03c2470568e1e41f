// To which local day and hour a position belongs: those in which its delivery ends.

import { describe, expect, test } from "bun:test";
import { type ContractPosition, contractPosition } from "../../../protocol/index.ts";
import { HOUR_MS } from "../../../protocol/time-units.ts";
import { positionsIn, sumsBy } from "../../../plugins/query/delivery-days.ts";

const NOW = Date.parse("2026-03-02T18:00:00Z");

/** A position in a contract that delivers from a time for so many hours, in Chicago. */
function position(
  contractId: string,
  deliveryStart: string,
  hours: number,
  more: Partial<ContractPosition> = {},
): ContractPosition {
  const start = Date.parse(deliveryStart);
  return contractPosition.parse({
    contractId,
    deliveryStart: new Date(start).toISOString(),
    deliveryEnd: new Date(start + hours * HOUR_MS).toISOString(),
    timezone: "America/Chicago",
    netQuantity: 1,
    netEnergy: hours,
    boughtQuantity: 1,
    soldQuantity: 0,
    averagePrice: 4_000,
    cash: -40 * hours,
    mark: 4_000,
    markSource: "book",
    realisedProfit: 0,
    unrealisedProfit: 0,
    profit: 0,
    creditUsed: null,
    ...more,
  });
}

/** The first and the last hour of three days in a row, and their base. Midnight in Chicago is 6:00 in UTC. */
const POSITIONS = [["28 Feb", "2026-02-28"], ["1 Mar", "2026-03-01"], ["2 Mar", "2026-03-02"]].flatMap(
  ([name, date]) => {
    const midnight = Date.parse(`${date}T06:00:00Z`);
    const last = new Date(midnight + 23 * HOUR_MS).toISOString();
    return [
      position(`${name} base`, `${date}T06:00:00Z`, 24),
      position(`${name} first hour`, `${date}T06:00:00Z`, 1),
      position(`${name} last hour`, last, 1),
    ];
  },
);

const idsIn = (text: string, positions = POSITIONS) =>
  positionsIn(text, positions, NOW).map(({ contractId }) => contractId);
const whole = (...days: string[]) => days.flatMap((day) => [`${day} base`, `${day} first hour`, `${day} last hour`]);

describe("the positions of a period", () => {
  test.each([
    ["2026-02-27", []],
    ["2026-02-28", whole("28 Feb")],
    ["2026-03-01", whole("1 Mar")],
    ["yesterday", whole("1 Mar")],
    ["today", whole("2 Mar")],
    ["tomorrow", []],
    ["2026-02", whole("28 Feb")],
    ["2026-03", whole("1 Mar", "2 Mar")],
    ["2026", whole("1 Mar", "2 Mar", "28 Feb")],
  ])(
    "are those whose delivery ends after the local midnight at which it begins, until that at which it ends: %s",
    (text, expected) => {
      expect(idsIn(text)).toEqual(expected);
    },
  );

  test("are those of each market's own midnight, that of UTC if the market names no time zone", () => {
    const inUtc = { timezone: undefined };
    const positions = [
      position("Chicago", "2026-03-02T04:00:00Z", 1),
      position("New York", "2026-03-02T04:00:00Z", 1, { timezone: "America/New_York" }),
      position("UTC", "2026-03-02T04:00:00Z", 1, inUtc),
      position("UTC until midnight", "2026-03-01T23:00:00Z", 1, inUtc),
    ];
    expect(idsIn("2026-03-01", positions)).toEqual(["Chicago", "New York", "UTC until midnight"]);
    expect(idsIn("2026-03-02", positions)).toEqual(["UTC"]);
  });

  test("end at midnight also on the days of 23 and of 25 hours", () => {
    const positions = [
      position("short day", "2026-03-08T06:00:00Z", 23),
      position("day after it", "2026-03-09T05:00:00Z", 24),
      position("long day", "2026-11-01T05:00:00Z", 25),
      position("day after that", "2026-11-02T06:00:00Z", 24),
    ];
    const days = ["2026-03-08", "2026-03-09", "2026-11-01", "2026-11-02"];
    expect(days.map((day) => idsIn(day, positions))).toEqual(positions.map(({ contractId }) => [contractId]));
    expect(sumsBy("day", positions).map(({ day }) => day)).toEqual(days);
  });

  test("come with the greatest loss first, those of the same profit by name", () => {
    const profits = [["b", 5], ["a", 5], ["loss", -9], ["gain", 7], ["small loss", -1]] as const;
    const positions = profits.map(([id, profit]) => position(id, "2026-03-01T12:00:00Z", 1, { profit }));
    expect(idsIn("2026-03-01", positions)).toEqual(["loss", "small loss", "a", "b", "gain"]);
  });

  test.each(["someday", "2026-02-30", "2026-03-01T08:00"])("can't be asked for with %s, which is no day", (text) => {
    for (const positions of [POSITIONS, []]) expect(() => idsIn(text, positions)).toThrow("is no day");
  });
});

describe("sums", () => {
  test("by day count the positions of that day, the earliest day first", () => {
    const sums = sumsBy("day", POSITIONS.toReversed());
    expect(sums.map(({ day, contracts }) => [day, contracts])).toEqual([
      ["2026-02-28", 3],
      ["2026-03-01", 3],
      ["2026-03-02", 3],
    ]);
    expect(sums.flatMap(({ day }) => idsIn(day!))).toEqual(whole("28 Feb", "1 Mar", "2 Mar"));
  });

  test("by hour are of the local hours that contracts deliver in, those of more than an hour together and last", () => {
    expect(sumsBy("hour", POSITIONS).map(({ hour, contracts, netEnergy }) => [hour, contracts, netEnergy])).toEqual([
      ["00:00", 3, 3],
      ["23:00", 3, 3],
      [null, 3, 72],
    ]);
  });
});
