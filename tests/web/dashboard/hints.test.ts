// What the mouse and a screen reader find on each page beside its text: labels, titles, order and pictures (`◇name`).

import { beforeEach, expect, test } from "bun:test";
import { h } from "preact";
import { settle, show } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { at, BOOK, hour, NOON } from "../support/market.ts";
import { update } from "../updates.ts";

const { answers, applyUpdates } = await openDashboard();
const { PAGES } = await import("../../../web/dashboard/page-list.ts");

const TRADE = { id: "T", contractId: "N-8", price: 5, quantity: 1, aggressorSide: 1 };
const ENDS = { buyEntityId: "ASH", sellEntityId: "ELM" };
const PROFIT = { cash: 3, realisedProfit: 5, unrealisedProfit: 6, profit: 11, netEnergy: 2 };
const ENTITY = { id: "ASH", name: "Ash", code: "AS", userIds: ["anna"], creditStatus: "ok" };
const POSITIONS = {
  ...{ ...ENTITY, asOf: NOON, count: 1, total: 1, cursor: null },
  totals: { ...PROFIT, creditUsed: 4, netQuantity: 7, settled: { contracts: 1, profit: 8 } },
  positions: [{
    ...{
      ...PROFIT,
      contractId: "N-8",
      netQuantity: 2,
      boughtQuantity: 3,
      soldQuantity: 1,
      averagePrice: 4,
      creditUsed: 9,
    },
    ...{ mark: 4_700, markSource: "book" },
  }],
};
const PAIR = {
  ...{ entityId: "ASH", counterpartyId: "ELM", tradable: true, reason: null, sentence: "They can.", limitsLeftOut: 0 },
  limits: [{ limitType: "notional", contractId: null, limit: 9, used: 1, available: 8, ownOrders: 2 }],
  documentation: { entity: "docs_in_place", counterparty: "docs_in_place" },
};
const OTHER = { ...PAIR, entityId: "ELM", counterpartyId: "ASH", tradable: false, reason: "entity_limit" };
const ORDER = {
  ...{ id: "O", contractId: "N-8", marketId: "M", entityId: "ASH", userId: "anna", side: "BUY", timeInForce: "gtc" },
  ...{ createdAt: NOON, updatedAt: at(1), price: 1, quantity: 5, filledQuantity: 2, remainingQuantity: 3 },
  ...{ averagePrice: 1, status: "partial", closeReason: null, blockedBy: [] },
};
const RUN = {
  ...{ status: "running", preset: "calm", seed: 7, speed: 1, startedAt: NOON, simulatedTime: NOON, metrics: {} },
  totals: { personas: 1, connected: 1, workingOrders: 2, orders: 3, cancels: 4, rejected: 5, trades: 6, volumeMw: 7 },
  strategies: [{
    strategy: "zip",
    personas: 1,
    orders: 3,
    trades: 6,
    workingOrders: 2,
    profitAndLoss: 1,
  }],
  ...{ count: 1, total: 1, cursor: null },
  personas: [{
    ...{ id: "P", entityId: "ASH", strategy: "zip", workingOrders: 2, orders: 3, trades: 6 },
    ...{ profitAndLoss: 1, fault: "broken" },
  }],
};
const SPOT = {
  ...{ status: "running", congested: true },
  events: [{ id: "E", type: "heat_wave", node: "NORTH", size: 1, startedAt: NOON, endsAt: at(3) }],
  nodes: ["NORTH", "WEST"].map((node) => (
    { node, price: 4_673, regime: "spike", time: NOON, history: [{ time: at(-1), price: 4_600, regime: "base" }] }
  )),
};

beforeEach(async () => {
  Object.assign(answers, {
    "GET /dashboard/sparks": { epoch: 7, sequence: 0, prices: { "N-8": [100, 200] } },
    "GET /dashboard/history/N-8": {
      ...{ contractId: "N-8", epoch: 7, sequence: 0, interval: 60, known: 1, isComplete: false },
      trades: [{ ...TRADE, time: NOON }],
      candles: [{ time: Date.parse(NOON) / 1_000, open: 1, high: 4, low: 1, close: 2, volume: 9, trades: 3 }],
    },
    "GET /dashboard/credit": {
      ...{ revision: 1, asOf: NOON, total: 2, truncated: false, pairs: [PAIR, OTHER] },
      entities: ["ASH", "ELM"].map((id) => ({ id, name: `${id} Ltd`, code: id.slice(0, 2) })),
    },
    mkt_list_entities: { entities: [ENTITY], cursor: null },
    mkt_list_users: { users: [{ id: "anna", name: "Anna", connected: true, permissions: [] }], cursor: null },
    mkt_get_entity: ({ by, positions }: { by?: string; positions?: boolean }) =>
      by === "day"
        ? { total: 2, sums: [{ ...PROFIT, day: "2026-11-23", contracts: 1 }] }
        : positions
        ? POSITIONS
        : ENTITY,
    mkt_find_modules: ({ moduleType }: { moduleType: string }) => (
      { modules: moduleType === "ORDER" ? [{ side: "BUY", price: 4_600, remainingQuantity: 1.5 }] : [] }
    ),
    mkt_get_order: ORDER,
    mkt_get_order_events: {
      ...{ orderId: "O", hasMore: false, cursor: null },
      events: [{
        id: "A",
        time: NOON,
        event: "orderQueued",
        userId: "anna",
        details: { side: "BUY", price: 1, quantity: 5 },
      }],
    },
    mkt_sim_status: RUN,
    mkt_sim_get_spot_prices: SPOT,
  });
  const events = [{
    sequence: 1,
    type: "new.trade",
    category: "fill" as const,
    time: NOON,
    data: { ...TRADE, ...ENDS },
  }];
  const contracts = [hour(0.5), hour(2, { bestAsk: 4_500 })];
  await settle(() =>
    applyUpdates([
      update({ isWhole: true, continues: false, contracts, books: [{ ...BOOK, contractId: "N-8" }], events }),
    ])
  );
});

const page = (name: string, argument = "") => h(PAGES.find((page) => page.name === name)!.component, { argument });

/** Of NOON. */
const TIME = "Mon, Nov 23, 2026, 05:00:00 MST (2026-11-23T12:00:00.000Z)";

/** Of the table of credit limits, as far as its first row. */
const USES = [
  ...[TIME, "Form", "◇check", "Use of credit limits", "Of the limit, by open trades", "descending"],
  ...["Sorted by the share of the limit"],
  "If this counterparty alone filled all open orders of your entity, at their prices",
  ...["ASH Ltd to ELM Ltd", "◇check"],
];

test.each<[name: string, argument: string, expected: string[]]>([
  ["market", "", [
    "Length of the slider",
    "Filter contracts by name, product or id",
    "Delivery",
    "Node NORTH",
    "Hours of Mon, Nov 23, NORTH",
    "ascending",
    "Best bid, $/MWh",
    "Best ask, $/MWh",
    "Best ask less best bid, $/MWh",
    "Price of the last trade, $/MWh; the arrow compares it with the 40th last one",
    "MW traded since the market began",
    "Change over the last 40 trades, $/MWh",
    "Orders in the book",
    "NORTH, hour 6 of Nov 23 (N-6.5)",
    "Until delivery starts and trading ends",
    "◇clock",
    "NORTH, hour 8 of Nov 23 (N-8)",
    "The best bid is not below the best ask",
    "◇alert",
    "up",
    ...["Copy Contracts", "◇copy", "Save as CSV: Contracts", "◇save"],
  ]],
  ["contract", "N-8", [
    "The best bid is not below the best ask",
    "◇alert",
    "◇clock",
    "◇star",
    "Length of the slider",
    "Over the last trades, at most 40",
    TIME,
    "Order book by price",
    "Sum: MW of this level and of the better ones",
    "MW of this level and of the better ones",
    "#: Number of orders",
    "Number of orders",
    "Bid: MW that buyers want",
    "MW that buyers want",
    "Ask: MW that sellers offer",
    "MW that sellers offer",
    "#: Number of orders",
    "Number of orders",
    "Sum: MW of this level and of the better ones",
    "MW of this level and of the better ones",
    "Own orders: 1.5 MW",
    "Depth: 5 MW wanted, 7.5 MW offered",
    "The market keeps its newest trades only",
    "Length of a candle",
    "Price of NORTH, hour 8 of Nov 23 in candles of 5 min, with volume",
    "Price of NORTH, hour 8 of Nov 23 in candles of 5 min, with volume. Last price 0.02 dollars; the last 1 candles lie between 0.01 and 0.04. Arrow keys scroll, plus and minus zoom, Home shows all.",
    "◇pause",
    "Trades, newest first",
  ]],
  ["spot", "", [
    "Time shown",
    "Market events that act now",
    "Mean of the last whole hour before it began, and spot price now, $/MWh",
    "Mean of the last whole hour before it began, and spot price now, $/MWh",
    TIME,
    "Mon, Nov 23, 2026, 08:00:00 MST (2026-11-23T15:00:00.000Z)",
    "◇up",
    "◇up",
    "◇alert",
    TIME,
    "Spot prices",
    "Spot prices, $/MWh. NORTH is 46.73 dollars, from 46.00 to 46.73 in this time, regime spike. WEST is 46.73 dollars, from 46.00 to 46.73 in this time, regime spike. Left and right read out an hour, Home and End the ends.",
  ]],
  ["entities", "", [
    "Search entities by name or id",
    "Entities",
    "descending",
    "Bought less sold, over all contracts",
    "Received for what it sold, less paid for what it bought",
    "Gross notional of open trades",
    "◇check",
  ]],
  ["entities", "ASH", [
    "◇check",
    TIME,
    "Positions by contract",
    "Bought less sold",
    "Price at which the open position was entered",
    "What values the position",
    "Of what was bought and sold again, or delivered",
    "Of the open position, at its mark",
    "Gross notional of open trades",
    "bought 3, sold 1 MW",
    "Table of profit by day of delivery",
    "Local day on which delivery ends",
    "Table of users",
    "◇link",
  ]],
  ["simulation", "", [
    "◇stop",
    "◇bolt",
    "◇play",
    "Strategies",
    "Cash and the value of positions",
    "descending",
    "Show only its personas",
    "Personas",
    "descending",
    "broken",
    "◇alert",
  ]],
  ["credit", "", [...USES, "ELM Ltd to ASH Ltd", "◇stop"]],
  ["credit", "ASH", USES],
  ["events", "", ["◇pause", "Categories", "Search events by type, id or name", "Events", TIME, "N-8", "ASH", "ELM", ...[
    "Copy Events",
    "◇copy",
    "Save as CSV: Events",
    "◇save",
  ]]],
  ["order", "O", ["◇up", TIME, "◇check", TIME]],
  ["operate", "", ["◇play", "◇stop", "◇check", "◇snow", "◇link", "◇unlink"]],
])("the page %s of %p", async (name, argument, expected) => {
  expect((await show(page(name, argument))).hints).toEqual(expected);
});
