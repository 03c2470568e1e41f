// The map of nodes by hours: its days, its gaps, and where keys lead in it.

import { describe, expect, test } from "bun:test";
import { hourGrid, trimmed } from "../../../web/dashboard/pages/glance/hour-grid.ts";
import { firstPlace, type Place, placeAfter } from "../../../web/dashboard/pages/glance/map-moves.ts";

type Given = Parameters<typeof hourGrid>[0][number];
const HOUR = 3_600_000;
const CHICAGO = () => "America/Chicago";

/** A contract of an hour, named by its node and start. */
const contract = (node: string, start: string, change: Partial<Given> = {}): Given => ({
  contractId: `${node} ${start}`,
  productId: `${node}-HOUR`,
  productName: "Hours",
  productType: "hour",
  node,
  marketId: "M",
  deliveryStart: `${start}:00Z`,
  deliveryEnd: new Date(Date.parse(`${start}:00Z`) + HOUR).toISOString(),
  ...change,
});

describe("the grid", () => {
  test("has a row for each node and a column for each hour of the day, with gaps if nothing is listed", () => {
    const [day, ...others] = hourGrid([
      contract("WEST", "2026-11-23T08:00"),
      contract("NORTH", "2026-11-23T06:00"),
      contract("NORTH", "2026-11-24T05:00"),
    ], CHICAGO);
    expect(others).toEqual([]);
    expect(day!.title).toBe("Mon, Nov 23");
    expect(day!.hours.map(({ number, clock }) => `${number} ${clock}`).filter((_, at) => at % 10 === 0))
      .toEqual(["1 00:00", "11 10:00", "21 20:00"]);
    expect(
      day!.rows.map(({ name, contractIds }) => [name, ...contractIds.flatMap((id, at) => id === null ? [] : [at])]),
    )
      .toEqual([["NORTH", 0, 23], ["WEST", 2]]);
    expect(day!.rows.every(({ contractIds }) => contractIds.length === 24)).toBe(true);
  });

  test("has 25 columns on the day on which clocks go back, and 23 on that on which they go forward", () => {
    // The hour from 01:00 comes twice.
    const back = ["2026-11-01T05:00", "2026-11-01T06:00", "2026-11-01T07:00", "2026-11-02T05:00"];
    const forward = ["2026-03-08T07:00", "2026-03-08T08:00", "2026-03-09T04:00"];
    const [spring, autumn] = hourGrid([...back, ...forward].map((start) => contract("N", start)), CHICAGO);
    expect([spring!.hours.length, autumn!.hours.length]).toEqual([23, 25]);
    expect(spring!.hours.slice(0, 4).map(({ clock }) => clock)).toEqual(["00:00", "01:00", "03:00", "04:00"]);
    expect(autumn!.hours.slice(0, 4).map(({ clock }) => clock)).toEqual(["00:00", "01:00", "01:00", "02:00"]);
    const places = (day: typeof spring) => day!.rows[0]!.contractIds.flatMap((id, at) => id === null ? [] : [at]);
    expect([places(spring), places(autumn)]).toEqual([[1, 2, 22], [0, 1, 2, 24]]);
  });

  test("has days of their own for markets in other time zones, and rows for each product of a node", () => {
    const days = hourGrid([
      contract("N", "2026-11-23T12:00"),
      contract("N", "2026-11-23T12:00", { contractId: "green", productId: "GREEN", productName: "Green hours" }),
      contract("E", "2026-11-23T12:00", { marketId: "EAST" }),
    ], (id) => id === "M" ? "America/Chicago" : "America/New_York");
    expect(days.map(({ timezone, rows }) => [timezone, ...rows.map(({ name }) => name)])).toEqual([
      ["America/New_York", "E"],
      ["America/Chicago", "N, Green hours", "N, Hours"],
    ]);
  });

  test("can be cut to the hours from the first contract to the last one, with the gaps between them", () => {
    const [day] = hourGrid([contract("N", "2026-11-23T08:00"), contract("W", "2026-11-23T11:00")], CHICAGO);
    const { hours, rows } = trimmed(day!);
    expect(hours.map(({ number }) => number)).toEqual([3, 4, 5, 6]);
    expect(rows.map(({ contractIds }) => contractIds.map((id) => id !== null))).toEqual([
      [true, false, false, false],
      [false, false, false, true],
    ]);
  });

  test("leaves out what is no contract of a single hour", () => {
    const quarter = contract("N", "2026-11-23T12:00", { deliveryEnd: "2026-11-23T12:15:00Z" });
    expect(hourGrid([quarter, contract("N", "2026-11-23T12:00", { productType: "base" })], CHICAGO)).toEqual([]);
  });
});

describe("a key", () => {
  const PICTURE = ["x.x", "...", ".xx"];
  const size = { rows: 3, columns: 3 };
  const has = ({ row, column }: Place) => PICTURE[row]![column] === "x";

  test.each<[from: string, key: string, to: string | null]>([
    ["0 0", "ArrowRight", "0 2"],
    ["0 2", "ArrowRight", null],
    ["0 2", "ArrowLeft", "0 0"],
    ["0 2", "ArrowDown", "2 2"],
    ["2 2", "ArrowUp", "0 2"],
    ["2 1", "ArrowUp", null],
    ["2 2", "Home", "2 1"],
    ["2 1", "End", "2 2"],
    ["2 2", "Control+Home", "0 0"],
    ["0 0", "Control+End", "2 2"],
    ["0 0", "Enter", null],
  ])("leads from %s with %s over gaps to %s", (from, key, to) => {
    const [row, column] = from.split(" ").map(Number) as [number, number];
    const next = placeAfter({ row, column }, key.replace("Control+", ""), key.includes("+"), size, has);
    expect(next === null ? null : `${next.row} ${next.column}`).toBe(to);
  });

  test("begins at the first cell that has a contract, if any has", () => {
    expect([firstPlace(3, 3, has), firstPlace(3, 3, () => false)]).toEqual([{ row: 0, column: 0 }, null]);
  });
});
