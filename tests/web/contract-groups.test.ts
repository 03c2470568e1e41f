import { expect, test } from "bun:test";
import { contractName } from "../../web/components/contract-name.ts";
import type { ContractRow } from "../../web/contract/market.ts";
import { groupContracts } from "../../web/dashboard/pages/contracts/contract-groups.ts";
import {
  BY_DELIVERY,
  type ListedContract,
  type Sort,
  sortContracts,
} from "../../web/dashboard/pages/contracts/contract-order.ts";

const NO_PRICES = { bestBid: null, bestAsk: null, bestBidVolume: null, bestAskVolume: null, lastPrice: null };
const QUIET = { ...NO_PRICES, tradedQuantity: 0, workingOrders: 0 };
const NO_FILTER = { text: "", node: "", kind: "" } as const;

function listed(contractId: string, node: string, productType: string, start: string, hours: number, more = {}) {
  const row: ContractRow = {
    contractId,
    productId: `${node}-P`,
    productName: `${node} product`,
    productType,
    node,
    marketId: "M",
    deliveryStart: new Date(start).toISOString(),
    deliveryEnd: new Date(Date.parse(start) + hours * 3_600_000).toISOString(),
    hours,
    ...QUIET,
    ...more,
  };
  return { row, name: contractName(row, "UTC"), change: null } satisfies ListedContract;
}

const CONTRACTS = [
  listed("W-H2", "WEST", "hour", "2026-11-23T01:00Z", 1),
  listed("N-MONTH", "NORTH", "month", "2026-12-01T00:00Z", 744),
  listed("N-H2", "NORTH", "hour", "2026-11-23T01:00Z", 1, { bestBid: 4_000, bestAsk: 4_500, tradedQuantity: 9 }),
  listed("N-H1", "NORTH", "hour", "2026-11-23T00:00Z", 1, { bestBid: 5_000, bestAsk: 5_010 }),
  listed("N-NEXT", "NORTH", "hour", "2026-11-24T00:00Z", 1),
  listed("N-H3", "NORTH", "hour", "2026-11-23T02:00Z", 1),
];

function shown(filter = {}, sort: Sort = BY_DELIVERY) {
  const sorted = (ids: readonly string[]) =>
    sortContracts(CONTRACTS.filter(({ row }) => ids.includes(row.contractId)), sort).map(({ row }) => row.contractId);
  return groupContracts(CONTRACTS, { ...NO_FILTER, ...filter }).map(({ node, hours, longer }) => ({
    node,
    groups: [...hours, ...longer].map(({ title, contractIds }) => `${title}: ${sorted(contractIds).join(" ")}`),
  }));
}

test("each node has its hours by day, then longer deliveries, all by start of delivery", () => {
  expect(shown()).toEqual([
    {
      node: "NORTH",
      groups: [
        "Hours of Mon, Nov 23: N-H1 N-H2 N-H3",
        "Hours of Tue, Nov 24: N-NEXT",
        "Months, quarters, years: N-MONTH",
      ],
    },
    { node: "WEST", groups: ["Hours of Mon, Nov 23: W-H2"] },
  ]);
});

test("filters by words of name, day and id, in any order and case, by node, and by kind of delivery", () => {
  expect(shown({ text: "HOUR 2, north" })).toEqual([]);
  expect(shown({ text: "2 HOUR north nov" })[0]!.groups[0]).toContain("N-H2");
  expect(shown({ text: "w-h2" })).toEqual([{ node: "WEST", groups: ["Hours of Mon, Nov 23: W-H2"] }]);
  expect(shown({ node: "WEST" }).map(({ node }) => node)).toEqual(["WEST"]);
  expect(shown({ kind: "months" })).toEqual([{ node: "NORTH", groups: ["Months, quarters, years: N-MONTH"] }]);
});

test("a group is sorted by a column, and contracts without a value come last in both directions", () => {
  const first = (sort: Sort) => shown({}, sort)[0]!.groups[0];
  expect(first({ key: "bid", isDescending: true })).toBe("Hours of Mon, Nov 23: N-H1 N-H2 N-H3");
  expect(first({ key: "bid", isDescending: false })).toBe("Hours of Mon, Nov 23: N-H2 N-H1 N-H3");
  expect(first({ key: "spread", isDescending: true })).toBe("Hours of Mon, Nov 23: N-H2 N-H1 N-H3");
  expect(first({ key: "volume", isDescending: true })).toBe("Hours of Mon, Nov 23: N-H2 N-H1 N-H3");
});
