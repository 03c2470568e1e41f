// The results of a tape by hand: C0 delivers one hour, so 1 MW at 100 cents/MWh is a dollar. The market is in UTC.

import { expect, test } from "bun:test";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { TradingAccount } from "../../../sim/personas/trading-account.ts";
import { ProfitDigest } from "../../../sim/report/profit-digest.ts";
import { ResultRows } from "../../../sim/tape/result-rows.ts";
import type { ObservedMarket } from "../../../sim/tape/run-observer.ts";
import type { Cell } from "../../../sim/tape/tables.ts";
import { contract } from "../personas/support.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 2, 3);
const HOURLY = contract(0, { minutes: 60, deliveryStart: MIDNIGHT + 20 * HOUR, deliveryEnd: MIDNIGHT + 21 * HOUR });
const LONG = contract(1, { deliveryEnd: MIDNIGHT + 3 * DAY });

function market(): { readonly market: ObservedMarket & { time: number; mark: number }; account: TradingAccount } {
  const [account, other] = [new TradingAccount(), new TradingAccount()];
  const personas = [{ id: "zip-1", strategy: "zip", account }, { id: "zic-1", strategy: "zic", account: other }];
  const shown = { time: MIDNIGHT - HOUR, mark: 4_000, timezone: "UTC", personas, markPrice: () => shown.mark };
  return { market: shown as unknown as ObservedMarket & { time: number; mark: number }, account };
}

test("results are realised and unrealised at each midnight and at the end, once after delivery, and sum up by day", () => {
  const written: (readonly Cell[])[] = [];
  const digest = new ProfitDigest("UTC");
  const rows = new ResultRows({
    append: (table, time, row) => {
      expect(table).toBe("results");
      written.push(row);
      digest.add(time, row);
    },
  });
  const { market: now, account } = market();
  const at = (time: number, mark: number) => {
    Object.assign(now, { time, mark });
    rows.atPoint(now);
  };
  at(MIDNIGHT - HOUR, 4_000);
  account.fill(HOURLY, BUY, 4_000, 10_000);
  account.fill(HOURLY, SELL, 4_500, 4_000);
  at(MIDNIGHT - 300_000, 4_000);
  expect(written).toEqual([]);
  at(MIDNIGHT, 4_100);
  at(MIDNIGHT + 300_000, 4_200);
  account.fill(LONG, SELL, 3_100, 1_000);
  at(MIDNIGHT + DAY, 3_000);
  at(MIDNIGHT + 2 * DAY, 2_900);
  rows.atEnd(now);
  const shared = ["zip-1", "zip"];
  const hourly = [...shared, "C0", HOURLY.deliveryStart, HOURLY.deliveryEnd, 10, 4, -220];
  const long = [...shared, "C1", LONG.deliveryStart, LONG.deliveryEnd, 0, 1, 744];
  expect(written).toEqual([
    [MIDNIGHT, ...hourly, 4_100, 20, 6],
    [MIDNIGHT + DAY, ...hourly, 3_000, -40, 0],
    [MIDNIGHT + DAY, ...long, 3_000, 0, 24],
    [MIDNIGHT + 2 * DAY, ...long, 2_900, 0, 48],
  ]);
  const earned = (table: ProfitDigest["contracts"]) =>
    Object.fromEntries(table.entries().map(([key, profits]) => [key, { ...profits.get("zip") }]));
  expect(earned(digest.tradingDays)).toEqual({
    "2026-03-02": { realised: 20, unrealised: 6 },
    "2026-03-03": { realised: -60, unrealised: 18 },
    "2026-03-04": { realised: 0, unrealised: 24 },
  });
  expect(earned(digest.deliveryDays)).toEqual({
    "2026-03-03": { realised: -40, unrealised: 0 },
    "2026-03-05": { realised: 0, unrealised: 48 },
  });
  expect(earned(digest.deliveryHours)).toEqual({
    "20:00": { realised: -40, unrealised: 0 },
    "longer": { realised: 0, unrealised: 48 },
  });
  expect(digest.strategies.get("zip")).toEqual({ realised: -40, unrealised: 48 });
});

test("a contract that leaves the market before midnight has its last row then", () => {
  const written: (readonly Cell[])[] = [];
  const rows = new ResultRows({ append: (_, __, row) => written.push(row) });
  const { market: now, account } = market();
  rows.atPoint(now);
  account.fill(HOURLY, SELL, 4_000, 1_000);
  account.fill(LONG, BUY, 4_000, 1_000);
  Object.assign(now, { time: MIDNIGHT + 21 * HOUR, mark: 3_500 });
  rows.atRemoval(now, HOURLY);
  expect(written.map((row) => [row[3], row.at(-2)])).toEqual([["C0", 5]]);
});
