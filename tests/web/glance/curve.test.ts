// The curve: what each delivery costs at each node, with its unit and its period.

import { describe, expect, test } from "bun:test";
import { contractName } from "../../../web/components/contract-name.ts";
import { contractPrice } from "../../../web/components/contract-price.ts";
import type { ContractRow } from "../../../web/contract/market.ts";
import { curveRows, curveSections, nodesOf } from "../../../web/dashboard/pages/glance/curve.ts";
import { EMPTY, hour } from "../support/market.ts";

const ZONE = "America/Edmonton";

function listed(change: Partial<ContractRow>) {
  const row = { ...hour(2), ...change };
  return { row, name: contractName(row, ZONE) };
}

const delivery = (productType: string, deliveryStart: string, deliveryEnd: string, hours: number) => ({
  ...{ contractId: `${productType} ${hours}`, productType, hours, productName: `${productType} peak` },
  ...{ deliveryStart: `${deliveryStart}T07:00:00Z`, deliveryEnd: `${deliveryEnd}T07:00:00Z` },
});

const CURVE = [
  listed(delivery("year", "2027-01-01", "2028-01-01", 8_760)),
  listed(delivery("month", "2026-12-01", "2027-01-01", 744)),
  listed({ ...delivery("month", "2026-12-01", "2027-01-01", 368), bestBid: null }),
  listed(delivery("base", "2026-11-24", "2026-11-25", 24)),
  listed(delivery("week", "2026-11-30", "2026-12-07", 168)),
  listed({}),
  listed({ node: "WEST", contractId: "W-8", ...EMPTY }),
];

test("a contract is worth the middle of its book, else its last trade; a bid alone says nothing", () => {
  const of = (bestBid: number | null, bestAsk: number | null, lastPrice: number | null) =>
    contractPrice({ bestBid, bestAsk, lastPrice });
  expect([of(100, 201, 7), of(100, null, 7), of(null, null, null), of(100, null, null)]).toEqual([
    { cents: 151, source: "middle" },
    { cents: 7, source: "trade" },
    null,
    null,
  ]);
});

describe("the curve", () => {
  const rows = curveRows(CURVE);

  test("goes from hours to years, with the period and the hours of each delivery, and its price at each node", () => {
    expect(rows.map(({ name, period, hours, isPartial, prices }) => [
      name,
      period,
      hours,
      isPartial,
      ...[...prices].map(([node, { cents }]) => `${node} ${cents}`),
    ])).toEqual([
      ["hour 8 of Nov 23", "hour", 1, false, "NORTH 4638", "WEST null"],
      ["Base, Tue, Nov 24", "day", 24, false, "NORTH 4638"],
      ["Week 49, Nov 30 – Dec 6", "week", 168, false, "NORTH 4638"],
      ["Dec 2026 peak", "month", 368, true, "NORTH 4650"],
      ["Dec 2026", "month", 744, false, "NORTH 4638"],
      ["Year 2027", "year", 8_760, false, "NORTH 4638"],
    ]);
    expect(nodesOf(rows)).toEqual(["NORTH", "WEST"]);
  });

  test("says when each delivers", () => {
    expect(rows.map(({ delivery }) => delivery).slice(0, 3)).toEqual(["07–08 h", "Tue, Nov 24", "Nov 30 – Dec 6"]);
  });

  test("has a section for each kind, from its first begin to its last end", () => {
    const iso = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10);
    expect(curveSections(rows).map(({ title, from, to, rows }) => [title, iso(from), iso(to), rows.length])).toEqual([
      ["Hours", "2026-11-23", "2026-11-23", 1],
      ["Days and weeks", "2026-11-24", "2026-12-07", 2],
      ["Months, quarters, years", "2026-12-01", "2028-01-01", 3],
    ]);
    expect(curveSections([])).toEqual([]);
  });
});
