// The page of one contract. reading.ts explains the notation.

import { beforeEach, describe, expect, test } from "bun:test";
import { h } from "preact";
import type { ContractRow } from "../../../web/contract/market.ts";
import { Refusal, settle, show } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { at, BOOK, EMPTY, hour, NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const dashboard = await openDashboard();
const { answers, applyUpdates, inState, market, sent } = dashboard;
const { default: Contract } = await import("../../../web/dashboard/pages/contracts/contract.tsx");

const LATER = hour(3, { bestBid: 4_700, bestAsk: 4_600, tradedQuantity: 2.5, workingOrders: 1_000 });
const BARE = hour(4, EMPTY);

/** The market has these contracts and no others. */
function list(...contracts: ContractRow[]): Promise<void> {
  return settle(() => applyUpdates([update({ isWhole: true, contracts, books: [BOOK] })]));
}

describe("the page of a contract", () => {
  const FACTS = {
    id: "N-9",
    name: "N-9",
    productId: "N-HOURS",
    marketId: "M",
    status: "open",
    deliveryStart: at(3),
    deliveryEnd: at(4),
    hours: 1,
    lot: 0.1,
    tick: 25,
    minimumPrice: -50_000,
    maximumPrice: 300_000,
  };
  const ORDERS = [
    { side: "BUY", price: 4_600, remainingQuantity: 1.5 },
    { side: "BUY", price: 4_600, remainingQuantity: 1 },
    { side: "SELL", price: 4_675, remainingQuantity: 3 },
  ];
  const TRADE = { id: "T1", contractId: "N-9", time: NOON, price: 4_650, quantity: 2.5, aggressorSide: 1 };
  const HISTORY = {
    contractId: "N-9",
    epoch: 7,
    sequence: 0,
    trades: [TRADE],
    interval: 60,
    candles: [{ time: Date.parse(NOON) / 1_000, open: 4_600, high: 4_700, low: 4_500, close: 4_650, volume: 2.5 }],
    known: 1,
    isComplete: true,
  };

  beforeEach(async () => {
    answers["mkt_find_modules"] = ({ moduleType }: { moduleType: string }) => (
      { modules: moduleType === "CONTRACT" ? [FACTS] : ORDERS }
    );
    answers["GET /dashboard/history/N-9"] = HISTORY;
    answers["GET /dashboard/sparks"] = { epoch: 7, sequence: 0, prices: { "N-9": [4_600, 4_650] } };
    await list(hour(2), LATER, BARE);
  });
  const contract = (id = "N-9") => show(h(Contract, { argument: id }));

  test("has its figures, facts, book with own orders, and trades", async () => {
    const page = await contract();
    await settle(() => applyUpdates([update({ books: [{ ...BOOK, contractId: "N-9" }] })]));
    expect(page.text).toContain(
      "NORTH, hour 9 of Nov 23\n‹warning›crossed ‹neutral›delivery in 3 h <Watch> " +
        "[← NORTH, hour 8 of Nov 23](#/contract/N-8) [NORTH, hour 10 of Nov 23 →](#/contract/N-10)",
    );
    expect(page.text).toContain(`Last, $/MWh: 46.50 / ‹up›▲ +0.50
Bid, $/MWh: ‹bid›47.00 / 5 MW
Ask, $/MWh: ‹ask›46.00 / 7.5 MW
Spread, $/MWh: −1.00 / ask less bid
Traded, MW: 2.5 / since the market began
Orders: 1,000 / in the book
Delivery: Nov 23, 08:00:00 to Nov 23, 09:00:00
Hours: 1 h
Lot: 0.1 MW
Tick: 0.25 $/MWh
Prices: −500.00 to 3,000.00 $/MWh
Product: N-HOURS
Contract: N-9`);
    expect(page.text).toContain("| ‹ask›46.75, best ask | ‹ask›▭100% ‹own›◆own orders 3 MW of 7.5 | 1 | 7.5");
    expect(page.text).toContain("5.0 | 2 | ‹bid›▭66.7% ‹own›◆own orders 2.5 MW of 5.0 | ‹bid›46.00, best bid");
    expect(page.text).toContain("changed 05:00:00");
    expect(page.text).toContain("◆ own orders\n");
    expect(page.readingOf(page.all("ladder")[0]!).split("\n")).toHaveLength(22);
    expect(page.text).toContain("05:00:00 | ‹sell›46.50 | 2.5 | ‹sell›▼ seller");
    expect(sent.find(({ body }) => JSON.stringify(body)?.includes('"ORDER"'))?.body).toMatchObject({
      arguments: { filters: { contractId: "N-9", entityId: "CEDAR" } },
    });
    const [prices, volumes] = dashboard.charts.at(-1)!.series;
    expect([prices!.data, volumes!.data]).toMatchObject([[{ high: 4_700, close: 4_650 }], [{ value: 2.5 }]]);
    expect(page.text).toContain("<5 min ✓>");
    expect(page.text).not.toContain("older trades are not known");
  });

  test("has candles of the length that is chosen", async () => {
    const page = await contract();
    await page.click("1 h");
    expect(page.text).toContain("<1 min> <5 min> <1 h ✓>");
    expect(page.all("chart")[0]!.attributes.get("aria-label")).toBe(
      "Price of NORTH, hour 9 of Nov 23 in candles of 1 h, with volume",
    );
  });

  test.each<[name: string, change: () => unknown, has: string, hasNot: string]>([
    ["its book has not come", () => list(hour(3)), "Order book Price history", "Order book, MW"],
    [
      "nobody has traded",
      () => {
        answers["GET /dashboard/history/N-9"] = { ...HISTORY, trades: [], candles: [] };
        return list(hour(3, EMPTY));
      },
      "No trades\nThe candles begin with the first trade.",
      "seller",
    ],
    ["it has no prices", () => list(hour(3, EMPTY)), "Bid, $/MWh: ‹bid›– / none", "none / 5 MW"],
    ["it lacks a side", () => list(hour(3, { bestAsk: null })), "Spread, $/MWh: – / needs both sides", "ask less bid"],
    ["it has a trade but no trend", () => list(hour(3)), "Last, $/MWh: 46.50", "no trades yet"],
    ["it never traded", () => list(hour(3, EMPTY)), "Last, $/MWh: – / no trades yet", "of the last trade"],
    ["it is the first and only one", () => list(hour(3)), "delivery in 3 h", "→"],
    [
      "the others are of another product",
      () => list(hour(2, { productId: "W" }), hour(3), hour(4, { productId: "W" })),
      "delivery in 3 h",
      "→",
    ],
    [
      "older trades are gone",
      () => {
        answers["GET /dashboard/history/N-9"] = { ...HISTORY, isComplete: false };
      },
      "older trades are not known",
      "No trades",
    ],
    [
      "the trades can't be had",
      () => {
        answers["GET /dashboard/history/N-9"] = () => {
          throw new Refusal(404, { code: "not_found", message: "" });
        };
      },
      "The market knows no trades of this contract.",
      "on their way",
    ],
    [
      "no own orders are there",
      () => {
        answers["mkt_find_modules"] = ({ moduleType }: { moduleType: string }) => (
          { modules: moduleType === "CONTRACT" ? [FACTS] : [] }
        );
      },
      "Tick: 0.25",
      "own orders",
    ],
  ])("if %s", async (_name, change, has, hasNot) => {
    await change();
    const page = await contract();
    if (!page.text.includes(has)) expect(page.text.replaceAll("\n", " ")).toContain(has);
    expect(page.text).not.toContain(hasNot);
  });

  test("is that of the trades alone once delivery has begun", async () => {
    await list(hour(5));
    answers["mkt_find_modules"] = { modules: [{ ...FACTS, status: "expired" }] };
    const page = await contract();
    expect(page.text).toContain("N-9\n[All contracts](#/market)\nDelivery has started, so this contract is no longer");
    expect(page.text).toContain("▼ seller");
    expect(page.text).not.toMatch(/Order book|Bid, /);
  });

  test.each(
    [
      ["the market does not know it", { modules: [] }, {}, "No such contract\nThe market knows no contract X: "],
      [
        "the server is not connected",
        undefined,
        { connection: { status: "disconnected" } },
        "The market is not connected",
      ],
      ["the server is connected", undefined, {}, "X\n[All contracts](#/market)"],
      [
        "the server is about to be connected",
        undefined,
        { connection: { status: "connecting", asOf: null } },
        "X\n[All contracts](#/market)",
      ],
      ["the server is lost", undefined, { connection: { status: "reconnecting" } }, "The market is not connected"],
    ] as const,
  )("of an unknown contract, if %s", async (_name, answer, state, expected) => {
    if (answer === undefined) delete answers["mkt_find_modules"];
    else answers["mkt_find_modules"] = answer;
    inState(state);
    const { text } = await contract("X");
    expect(text).toContain(expected);
    expect(text).not.toMatch(/Order book|Delivery has started/);
    if (answer === undefined) expect(text).not.toContain("No such contract");
  });

  test.each([[false, false], [false, true], [true, true]])(
    "waits as long as the market is not known (%p) or may still tell of the contract (connected: %p)",
    async (isKnown, isConnected) => {
      delete answers["mkt_find_modules"];
      inState({ connection: { status: isConnected ? "connected" : "disconnected" } });
      market.isKnown.value = isKnown;
      const page = await contract("X");
      expect(page.all("skeleton")[0]!.attributes.get("aria-label")).toBe("The contract is on its way");
      expect(page.text).not.toContain("not connected");
    },
  );

  test("leads to the ones that are delivered before and after it, in whatever order they were listed", async () => {
    await list(hour(7), hour(4), hour(3), hour(1), hour(2));
    expect((await contract()).text).toContain(
      "[← NORTH, hour 8 of Nov 23](#/contract/N-8) [NORTH, hour 10 of Nov 23 →]",
    );
  });

  test("has the last price of the book between its sides, and a spread of its own levels", async () => {
    const page = await contract();
    await settle(() => applyUpdates([update({ books: [{ ...BOOK, contractId: "N-9", lastPrice: 4_625 }] })]));
    expect(page.readingOf(page.all("ladder")[0]!)).toContain("Last 46.25");
  });
});
