// Parts of pages, each alone: every field with its unit, side, colour and link, and both sides of each limit.

import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { settle, show } from "../../support/browser.ts";
import { openDashboard } from "../../support/dashboard.ts";
import { at, EMPTY, hour, NOON } from "../../support/market.ts";
import { update } from "../../updates.ts";
import { HOUR_MS } from "../../../../protocol/time-units.ts";
import type { CreditPair, CreditUse } from "../../../../web/contract/credit.ts";
import type { EventFeed } from "../../../../web/dashboard/live/event-feed.ts";
import type { ContractRow } from "../../../../web/contract/market.ts";

const { answers, applyUpdates } = await openDashboard();
const { sparkPrices, startSparks } = await import("../../../../web/dashboard/live/sparks.ts");
const { marketNow } = await import("../../../../web/dashboard/live/market-clock.ts");
const { ContractRowView } = await import("../../../../web/dashboard/pages/contracts/contract-row.tsx");
const { Facts, PriceFigures } = await import("../../../../web/dashboard/pages/contracts/contract-summary.tsx");
const { CreditPairDetails } = await import("../../../../web/dashboard/pages/credit/pair.tsx");
const { CreditTable } = await import("../../../../web/dashboard/pages/credit/table.tsx");
const { EventTable } = await import("../../../../web/dashboard/pages/event-table.tsx");
const { EventDetails } = await import("../../../../web/dashboard/pages/event-details.tsx");

test("the details of an event have each field with its unit, its side in words, and links to what it names", async () => {
  const data = {
    ...{ id: "O-1", contractId: "N-6", entityId: "ELM", side: 1, aggressorSide: 0, price: 4_675, quantity: 5 },
    ...{ bestBid: 4_600, bestAsk: 4_700, lastPrice: 4_650, sideNote: "b", terms: { lot: 1 }, closeReason: null },
  };
  let closed = 0;
  const event = { sequence: 42, category: "order" as const, type: "new.order", time: NOON, data };
  const page = await show(h(EventDetails, { event, onClose: () => void closed++ }));
  const lines = page.text.split("\n");
  expect(lines[0]).toStartWith("new.order");
  expect(lines.slice(lines.findIndex((line) => line.startsWith("number")))).toEqual([
    ...["number: 42", "category: order", "id: [O-1](#/order/O-1)", "contractId: [N-6](#/contract/N-6)"],
    ...["entityId: [ELM](#/entities/ELM)", "side: sell", "aggressorSide: buy", "price: 46.75 $/MWh", "quantity: 5"],
    ...["bestBid: 46.00 $/MWh", "bestAsk: 47.00 $/MWh", "lastPrice: 46.50 $/MWh", "sideNote: b"],
    ...['terms: { "lot": 1 }', "closeReason: null"],
  ]);
  await page.click("Close the details");
  expect(closed).toBe(1);
});

test.each([
  [null, "Events may be missing here: the page lost its connection."],
  [0, "Events may be missing here: the page lost its connection."],
  [1_234, "1,234 events are missing here: they came faster than they could be sent."],
])("a gap of %p events reads: %s", async (missed, words) => {
  const entries = [
    { sequence: 9, category: "fill", type: "new.trade", time: NOON, data: { buyEntityId: "ELM", sellEntityId: "ASH" } },
    { kind: "gap", sequence: 5, missed },
  ];
  const feed = { length: 2, isPaused: true, at: (index: number) => entries[index] } as unknown as EventFeed;
  const nothing = () => {};
  const page = await show(h(EventTable, { feed, selected: null, onSelect: nothing, onScrollAway: nothing }));
  const cells = page.all("td").map((cell) => page.readingOf(cell).replace(/ ?\|$/, ""));
  expect(cells.slice(4)).toEqual(["[ELM](#/entities/ELM) · [ASH](#/entities/ASH)", "", words, "", "", ""]);
});

describe("the row of a contract", () => {
  const shown = async (inHours: number, change: Partial<ContractRow> = {}) => {
    const row = hour(inHours, change);
    await settle(() => applyUpdates([update({ isWhole: true, contracts: [row] })]));
    const page = await show(h(ContractRowView, { contractId: row.contractId, index: 0 }));
    return { page, cells: page.all("td").map((cell) => page.readingOf(cell).replace(/ ?\|$/, "")) };
  };

  test("has bid, ask, spread, last, volume and orders in this order", async () => {
    const { cells } = await shown(5);
    expect(cells).toEqual(["‹bid›46.005", "‹ask›46.757.5", "0.75", "46.50", "1,234", "", "", "12"]);
    const empty = await shown(5, EMPTY);
    expect(empty.cells).toEqual(["‹bid›–", "‹ask›–", "–", "–", "", "", "", "0"]);
  });

  test.each([
    [HOUR_MS + 1, ""],
    [HOUR_MS, "1 h"],
    [1_000, "1 s"],
    [0, "delivers"],
    [-1, "delivers"],
  ])("%p ms before its delivery is marked %p", async (left, mark) => {
    const { page } = await shown(5, EMPTY);
    await settle(() => void (marketNow.value = Date.parse(at(5)) - left));
    expect(page.all("badge").map((badge) => page.readingOf(badge).replace(/^‹info›/, "")).join()).toBe(mark);
    await settle(() => void (marketNow.value = null));
    expect(page.all("badge").length).toBe(0);
  });

  test.each([[4_674, ""], [4_675, "‹warning›locked"], [4_676, "‹warning›crossed"]])(
    "with a bid of %p cents and an ask of 4675 is marked %p",
    async (bestBid, mark) => {
      const { page } = await shown(5, { bestBid });
      expect(page.all("badge").map((badge) => page.readingOf(badge)).join()).toBe(mark);
    },
  );

  test.each([[[1, 3], "‹up›▲", "‹up›▲ +0.02"], [[3, 1], "‹down›▼", "‹down›▼ −0.02"], [[2, 2], "", "‹none›0.00"]])(
    "after the prices %p has the arrow %p and the change %p",
    async (prices, arrow, change) => {
      answers["GET /dashboard/sparks"] = { epoch: 1, sequence: 0, prices: { "N-11": prices } };
      startSparks();
      await settle(() => applyUpdates([update({ continues: false, isWhole: true, contracts: [hour(5)] })]));
      expect(sparkPrices("N-11").value).toEqual(prices);
      const { cells } = await shown(5);
      expect([cells[3], cells[6]]).toEqual([`${arrow}46.50`, change]);
    },
  );
});

test("the figures of a contract have units, and a word in place of what is not there", async () => {
  const of = async (row: ContractRow) => (await show(h(PriceFigures, { row }))).text.split("\n");
  expect(await of(hour(8))).toEqual([
    ...["Last, $/MWh: 46.50 / of the last trade", "Bid, $/MWh: ‹bid›46.00 / 5 MW", "Ask, $/MWh: ‹ask›46.75 / 7.5 MW"],
    ...[
      "Spread, $/MWh: 0.75 / ask less bid",
      "Traded, MW: 1,234 / since the market began",
      "Orders: 12 / in the book",
    ],
  ]);
  expect(await of(hour(8, EMPTY))).toEqual([
    ...["Last, $/MWh: – / no trades yet", "Bid, $/MWh: ‹bid›– / none", "Ask, $/MWh: ‹ask›– / none"],
    ...["Spread, $/MWh: – / needs both sides", "Traded, MW: 0 / since the market began", "Orders: 0 / in the book"],
  ]);
  for (const side of ["bestBid", "bestAsk"]) {
    expect((await of(hour(8, { [side]: null })))[3]).toBe("Spread, $/MWh: – / needs both sides");
  }
});

test("the facts of a contract have their units", async () => {
  const facts = {
    ...{
      id: "N-6",
      name: "n",
      productId: "P",
      marketId: "M",
      status: "active",
      deliveryStart: NOON,
      deliveryEnd: at(1),
    },
    ...{ hours: 24, lot: 0.5, tick: 25, minimumPrice: -10_000, maximumPrice: 99_900 },
  } as unknown as Parameters<typeof Facts>[0]["facts"];
  expect((await show(h(Facts, { facts }))).text.split("\n").slice(1)).toEqual([
    ...["Hours: 24 h", "Lot: 0.5 MW", "Tick: 0.25 $/MWh", "Prices: −100.00 to 999.00 $/MWh", "Product: P"],
    "Contract: N-6",
  ]);
});

describe("credit", () => {
  const limit = (change: Partial<CreditUse> = {}): CreditUse => ({
    ...{ limitType: "notional", contractId: null, limit: 4_000, used: 1_000, available: 3_000, ownOrders: null },
    ...change,
  });
  const pair = (entityId: string, counterpartyId: string, change: Partial<CreditPair> = {}): CreditPair => ({
    ...{ entityId, counterpartyId, tradable: true, reason: null, sentence: "WHY", limits: [limit()], limitsLeftOut: 0 },
    documentation: { entity: "docs_in_place", counterparty: "docs_in_place" },
    ...change,
  });

  test("of two entities has each one's documents, and what each grants the other", async () => {
    const of = async (one: CreditPair, back?: CreditPair) =>
      (await show(h(CreditPairDetails, { pair: one, back, onClose: () => {} }))).text.split("\n");
    const hidden = await of(pair("ASH", "ELM", {
      ...{ tradable: false, reason: "entity_documents" },
      documentation: { entity: "pending", counterparty: "no_docs" },
    }));
    expect(hidden.filter((line) => line.includes("says"))).toEqual([
      "[ASH](#/entities/ASH) says: ‹warning›pending",
      "[ELM](#/entities/ELM) says: ‹warning›none",
    ]);
    expect([hidden.includes("WHY"), hidden.at(-2), hidden.at(-1)])
      .toEqual([true, "ELM for ASH", "Hidden from you, or not set."]);
    const both = await of(pair("ASH", "ELM"), pair("ELM", "ASH", { limits: [] }));
    expect(both).not.toContain("WHY");
    expect(both.slice(both.indexOf("Documents") + 1)).toEqual([
      ...["[ASH](#/entities/ASH) says: ‹good›in place", "[ELM](#/entities/ELM) says: ‹good›in place"],
      ...["ASH grants ELM", "Used, all contracts: ‹good›▭25% 25.0 % 1,000 $ of 4,000 $", "Left: 3,000 $"],
      ...["ELM grants ASH", "No limit is set."],
    ]);
  });

  test("of two entities has each limit in its unit, with its warning, and what own orders would leave of it", async () => {
    const limits = [
      limit({ limitType: "mwh", limit: 10, used: 12, available: -2, contractId: "gone" }),
      limit({ limitType: "mw", limit: 10, used: 9, available: 1, ownOrders: 3.5 }),
    ];
    const one = pair("ASH", "ELM", { limits, limitsLeftOut: 4 });
    const page = await show(h(CreditPairDetails, { pair: one, back: undefined, onClose: () => {} }));
    expect(page.text).toContain(`ASH grants ELM
Used, gone: ‹danger›used up ‹danger›▭100% 120.0 % 12 MWh of 10 MWh
Left: none, over by 2 MWh
Used, all contracts: ‹warning›above 80 % ‹warning›▭90% 90.0 % 9 MW of 10 MW
Left: 1 MW
After own orders: none, over by 2.5 MW
4 limits that are used less are left out.`);
  });

  test("of an entity lists its own pairs, the chosen one marked", async () => {
    const names = { ASH: "Ash", ELM: "Elm" };
    const matrix = {
      ...{ revision: 1, asOf: NOON, total: 2, truncated: false, pairs: [pair("ASH", "ELM"), pair("ELM", "ASH")] },
      entities: Object.entries(names).map(([id, name]) => ({ id, name, code: id })),
    };
    const seen: string[] = [];
    const given = {
      matrix,
      entityId: "ELM",
      onEntity: (id: string) => seen.push(id),
      onSelect: (id: string) => seen.push(id),
    };
    const one = await show(h(CreditTable, { ...given, granting: ["ELM"], selected: null }));
    expect([one.all("select").length, one.all("tr").length]).toEqual([0, 2]);
    await one.click("ASH");
    const two = await show(h(CreditTable, { ...given, granting: ["ASH", "ELM"], selected: seen[0]! }));
    expect(two.text).toContain("{all, Ash, Elm*}");
    expect(two.text).toContain("> <ASH>");
    await two.type("Entity{all, Ash, Elm*}", "ASH", "change");
    expect(seen.at(-1)).toBe("ASH");
  });

  test("of very many pairs shows the first 100 rows, and says so", async () => {
    const of = (count: number) => {
      const pairs = Array.from({ length: count }, (_, at) => pair("ASH", `E${at}`));
      const matrix = { ...{ revision: 1, asOf: NOON, total: count, truncated: false, pairs }, entities: [] };
      const given = { matrix, granting: ["ASH"], entityId: "", selected: null };
      return show(h(CreditTable, { ...given, onEntity: () => {}, onSelect: () => {} }));
    };
    const [most, more] = [await of(100), await of(101)];
    expect([most, more].map((page) => page.all("tr").length)).toEqual([101, 101]);
    expect([most, more].map((page) => page.text.includes("The first 100 of 101 rows are shown."))).toEqual([
      false,
      true,
    ]);
  });
});
