// What a report says that each strategy has earned, by day, hour and contract.

import { describe, expect, test } from "bun:test";
import { DELIVERY_HOURS, LONGER, ProfitDigest } from "../../../sim/report/profit-digest.ts";
import { profitTables } from "../../../sim/report/profit-tables.ts";

const HOUR = 3_600_000;
/** Monday, midnight in Chicago. */
const MONDAY = Date.parse("2026-03-02T06:00:00Z");
const at = (day: number, hour = 0) => MONDAY + (24 * day + hour) * HOUR;

interface Row {
  readonly time: number;
  readonly persona?: string;
  readonly strategy?: string;
  readonly contract?: string;
  readonly start: number;
  readonly end: number;
  readonly realised: number;
  readonly unrealised: number;
}

function digestOf(rows: readonly Row[]): ProfitDigest {
  const digest = new ProfitDigest("America/Chicago");
  for (const { time, persona = "zip-1", strategy = "zip", contract = "C", start, end, realised, unrealised } of rows) {
    digest.add(time, [time, persona, strategy, contract, start, end, 1, 1, 0, 0, realised, unrealised]);
  }
  return digest;
}

const plain = (table: ReadonlyMap<string, ReadonlyMap<string, object>>) =>
  Object.fromEntries([...table].map(([place, profits]) => [place, Object.fromEntries(profits)]));

describe("profits by place and time", () => {
  const day = { start: at(2), end: at(3) };

  test("count what has changed since the row before, on the local day that has passed then", () => {
    const digest = digestOf([
      { time: at(1), ...day, realised: 10, unrealised: 5 },
      { time: at(2), ...day, realised: 12, unrealised: -20 },
      { time: at(3), ...day, realised: 7, unrealised: 0 },
    ]);
    expect(plain(digest.tradingDays)).toEqual({
      "2026-03-02": { zip: { realised: 10, unrealised: 5 } },
      "2026-03-03": { zip: { realised: 2, unrealised: -25 } },
      "2026-03-04": { zip: { realised: -5, unrealised: 20 } },
    });
    expect(plain(digest.deliveryDays)).toEqual({ "2026-03-04": { zip: { realised: 7, unrealised: 0 } } });
    expect(Object.fromEntries(digest.strategies)).toEqual({ zip: { realised: 7, unrealised: 0 } });
  });

  test("in the middle of a day count on that day", () => {
    const digest = digestOf([{ time: at(0, 13), ...day, realised: 1, unrealised: 0 }]);
    expect([...digest.tradingDays.keys()]).toEqual(["2026-03-02"]);
  });

  test("are those of each persona and contract by itself, summed up by strategy", () => {
    const digest = digestOf([
      { time: at(1), ...day, realised: 10, unrealised: 0 },
      { time: at(1), ...day, persona: "zip-2", realised: -4, unrealised: 0 },
      { time: at(1), ...day, contract: "D", realised: 3, unrealised: 0 },
      { time: at(1), ...day, persona: "zic-1", strategy: "zic", realised: -9, unrealised: 0 },
      { time: at(2), ...day, realised: 11, unrealised: 0 },
      { time: at(2), ...day, persona: "zip-2", realised: -4, unrealised: 0 },
    ]);
    expect(plain(digest.contracts)).toEqual({
      C: { zip: { realised: 7, unrealised: 0 }, zic: { realised: -9, unrealised: 0 } },
      D: { zip: { realised: 3, unrealised: 0 } },
    });
  });

  test("of a delivery that lasts until the next day's midnight are of its last day, in the local hour of an hour", () => {
    const of = (start: number, end: number) => {
      const digest = digestOf([{ time: end, start, end, realised: 1, unrealised: 0 }]);
      return [...digest.deliveryDays.keys(), ...digest.deliveryHours.keys()];
    };
    expect(of(at(0, 23), at(1))).toEqual(["2026-03-02", "23:00"]);
    expect(of(at(1), at(1, 1))).toEqual(["2026-03-03", "00:00"]);
    expect(of(at(1, 5), at(1, 5.5))).toEqual(["2026-03-03", "05:00"]);
    expect(of(at(1, 6), at(1, 22))).toEqual(["2026-03-03", LONGER]);
    expect(of(at(0), at(5))).toEqual(["2026-03-06", LONGER]);
    expect(DELIVERY_HOURS).toHaveLength(25);
  });

  test("of a contract that has the id of a delivered one begin anew", () => {
    const digest = digestOf([
      { time: at(3), ...day, realised: 10, unrealised: 0 },
      { time: at(4), start: at(5), end: at(6), realised: 4, unrealised: 0 },
    ]);
    expect(Object.fromEntries(digest.strategies)).toEqual({ zip: { realised: 14, unrealised: 0 } });
  });
});

describe("the tables of profits", () => {
  /** Texts of the cells, row by row, of the table with this title. */
  const rowsOf = (digest: ProfitDigest, title: string): string[] => {
    const page = profitTables(digest).text;
    const from = page.indexOf(`aria-label="Table of profits: ${title}"`);
    return page.slice(from, page.indexOf("</table>", from)).split("<tr>").slice(1)
      .map((row) => row.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ").trim());
  };
  const rows = (count: number, one: (index: number) => Partial<Row>): Row[] =>
    Array.from({ length: count }, (_, index) => (
      { time: at(1), start: at(2), end: at(3), realised: 0, unrealised: 0, contract: `C${index}`, ...one(index) }
    ));

  test("have a column for each strategy, realised apart from unrealised, and else their sum", () => {
    const digest = digestOf([
      { time: at(1), start: at(2), end: at(3), realised: 1_200, unrealised: -30 },
      {
        time: at(1),
        start: at(2),
        end: at(3),
        persona: "zic-1",
        strategy: "zic",
        realised: -1_000,
        unrealised: -170.4,
      },
    ]);
    expect(rowsOf(digest, "profit, $")).toEqual(["profit, $ zip zic", "realised 1,200 -1,000", "unrealised -30 -170"]);
    for (const [title, place] of [["earned on", "2026-03-02"], ["delivered on", "2026-03-04"], ["contract", "C"]]) {
      expect(rowsOf(digest, title!)).toEqual([`${title} zip zic`, `${place} 1,170 -1,170`]);
    }
  });

  test("are in the order of time, whatever came first", () => {
    const digest = digestOf([3, 1, 2].map((day) => (
      { time: at(day), contract: `C${day}`, start: at(6 - day), end: at(7 - day), realised: day, unrealised: 0 }
    )));
    expect(rowsOf(digest, "earned on").slice(1)).toEqual(["2026-03-02 1", "2026-03-03 2", "2026-03-04 3"]);
    expect(rowsOf(digest, "delivered on").slice(1)).toEqual(["2026-03-05 3", "2026-03-06 2", "2026-03-07 1"]);
  });

  test("have the contracts first in which most was won and lost, and say how many more there are", () => {
    const digest = digestOf(
      rows(23, (index) => ({ realised: index % 2 === 0 ? index : 0, unrealised: index % 2 === 0 ? 0 : -index })),
    );
    const shown = rowsOf(digest, "contract").slice(1);
    expect(shown).toHaveLength(20);
    expect(shown.slice(0, 3)).toEqual(["C22 22", "C21 -21", "C20 20"]);
    expect(profitTables(digest).text).toContain("And 3 more: the tape has them.");
  });

  test("have at most 31 days", () => {
    const days = (count: number) =>
      digestOf(
        Array.from(
          { length: count },
          (_, day) => ({ time: at(day + 1), start: at(90), end: at(91), realised: day, unrealised: 0 }),
        ),
      );
    expect(rowsOf(days(32), "earned on").slice(1)).toHaveLength(31);
    expect(profitTables(days(32)).text).toContain("And 1 more: the tape has them.");
    expect(profitTables(days(31)).text).not.toContain("more: the tape");
  });

  test("have no minus before nothing", () => {
    const digest = digestOf([{ time: at(1), start: at(2), end: at(3), realised: -0.4, unrealised: 0 }]);
    expect(rowsOf(digest, "contract")).toEqual(["contract zip", "C 0"]);
  });

  test("with all rows say of no more, and a run without a trade has none", () => {
    expect(profitTables(digestOf(rows(20, () => ({})))).text).not.toContain("more: the tape");
    expect(profitTables(new ProfitDigest("UTC")).text).toBe("");
  });
});
