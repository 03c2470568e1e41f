// The row of each thing that happens: its cells in the order of the columns, in the units of the tape. A run can't tell a buyer
// from a seller, or a bid from an ask, because its tape is all that there is.

import { expect, test } from "bun:test";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { NO_LEVEL } from "../../../engine/market/price-levels.ts";
import type { Persona } from "../../../sim/personas/persona.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import type { ObservedBook, ObservedMarket } from "../../../sim/tape/run-observer.ts";
import { type Cell, type TableName, TABLES } from "../../../sim/tape/tables.ts";
import { Tape } from "../../../sim/tape/tape.ts";
import { contract, HOUR, START } from "../personas/support.ts";

const CONTRACT = contract(0);
const OTHER = contract(1);

/** Levels of price and kW, best first; two orders at each. A level is its place in both sides, from 1. */
function bookOf(bids: [number, number][], asks: [number, number][]): ObservedBook {
  const levels = [[NaN, NaN] as const, ...bids, ...asks];
  const firstAsk = bids.length + 1;
  const book: ObservedBook = {
    bestLevel: (side: Side) => side === BUY ? Math.min(1, bids.length) : asks.length > 0 ? firstAsk : NO_LEVEL,
    nextLevel: (level) => level + 1 === firstAsk || level + 1 === levels.length ? NO_LEVEL : level + 1,
    priceOfLevel: (level) => levels[level]![0],
    volumeOfLevel: (level) => levels[level]![1],
    orderCountOfLevel: () => 2,
  };
  return book;
}

function personaOf(id: string, holdings: { contract: TradedContract; position: number }[] = [], cash = 0): Persona {
  return { id, account: { cash, holdings }, forecast: () => 4_000.126 } as unknown as Persona;
}

/** The rows that were written, by table, each with its columns. */
function taped(happens: (tape: Tape) => void) {
  const rows: [TableName, Record<string, Cell>][] = [];
  const tape = new Tape({
    append: (table, time, row) => {
      const columns = Object.keys(TABLES[table]);
      expect(row).toHaveLength(columns.length);
      expect(row[0]).toBe(time);
      rows.push([table, Object.fromEntries(columns.slice(1).map((name, at) => [name, row[at + 1]!]))]);
    },
  });
  happens(tape);
  return rows;
}

test("an order, a change and a cancel have their action, side, price and MW", () => {
  const order = { key: 7, side: SELL, price: -25, quantity: 1_500 };
  const rows = taped((tape) => {
    tape.onOrder(START, "submit", order, CONTRACT, personaOf("zip-1"));
    tape.onOrder(START + 1, "cancel", { ...order, side: BUY }, CONTRACT, personaOf("zip-1"));
  });
  const shared = { orderId: 7, contractId: "C0", price: -25, quantity: 1.5, persona: "zip-1" };
  expect(rows).toEqual([
    ["orders", { ...shared, action: "submit", side: "SELL" }],
    ["orders", { ...shared, action: "cancel", side: "BUY" }],
  ]);
});

test("a trade has its buyer, its seller and whose order crossed the book", () => {
  const rows = taped((tape) => {
    for (const side of [BUY, SELL]) {
      tape.onTrade(START, CONTRACT, 4_000, 2_500, side, personaOf("buyer"), personaOf("seller"));
    }
  });
  const shared = { contractId: "C0", price: 4_000, quantity: 2.5, buyer: "buyer", seller: "seller" };
  expect(rows.map(([, row]) => row)).toEqual([
    { ...shared, aggressorSide: "BUY" },
    { ...shared, aggressorSide: "SELL" },
  ]);
});

test("a change of any price or volume at the top is a row of quotes, and nothing else is", () => {
  const books = [
    bookOf([], []),
    bookOf([[3_900, 1_000], [3_800, 9_000]], []),
    bookOf([[3_900, 1_000], [3_800, 5_000]], []),
    bookOf([[3_900, 2_000]], []),
    bookOf([[3_900, 2_000]], [[4_100, 500]]),
    bookOf([[3_900, 2_000]], [[4_100, 700]]),
    bookOf([[3_900, 2_000]], [[4_200, 700]]),
    bookOf([[3_950, 2_000]], [[4_200, 700]]),
    bookOf([], [[4_200, 700]]),
  ];
  const rows = taped((tape) => {
    books.forEach((book, at) => tape.onBook(START + at, CONTRACT, book));
    tape.onBook(START, OTHER, books.at(-1)!);
    tape.onBook(START, CONTRACT, books.at(-1)!);
    tape.onDelivery(CONTRACT);
    tape.onBook(START, CONTRACT, bookOf([], []));
  });
  expect(rows.map(([, row]) => Object.values(row))).toEqual([
    ["C0", 3_900, 1, null, null],
    ["C0", 3_900, 2, null, null],
    ["C0", 3_900, 2, 4_100, 0.5],
    ["C0", 3_900, 2, 4_100, 0.7],
    ["C0", 3_900, 2, 4_200, 0.7],
    ["C0", 3_950, 2, 4_200, 0.7],
    ["C0", null, null, 4_200, 0.7],
    ["C1", null, null, 4_200, 0.7],
  ]);
});

test("each point has depth and best forecasts, and each full hour what personas hold and expect", () => {
  const bids = Array.from({ length: 12 }, (_, at): [number, number] => [3_900 - at, 1_000]);
  const flat = { contract: OTHER, position: 0 };
  const personas = [
    personaOf("a", [{ contract: CONTRACT, position: -2_500 }, flat], 60 * 1_000 * 100),
    personaOf("b", [flat]),
  ];
  const market = (time: number) => ({
    time,
    timezone: "America/Chicago",
    tradedNow: [CONTRACT],
    personas,
    bookOf: () => bookOf(bids, [[4_100, 500]]),
    bestForecast: () => 4_000.126,
  } as unknown as ObservedMarket);
  const at = (time: number) => taped((tape) => tape.onPoint(market(time)));
  const ofPoint = at(START + 1);
  expect(ofPoint.filter(([table]) => table === "depth").map(([, { level, side }]) => `${side} ${level}`)).toEqual([
    ...Array.from({ length: 10 }, (_, level) => `BUY ${level + 1}`),
    "SELL 1",
  ]);
  expect(ofPoint.at(9)![1]).toEqual({
    contractId: "C0",
    side: "BUY",
    level: 10,
    price: 3_891,
    volume: 1,
    orderCount: 2,
  });
  expect(ofPoint.at(-1)).toEqual(["forecasts", { contractId: "C0", forecaster: "best", price: 4_000.13 }]);
  const ofHour = at(Math.ceil(START / HOUR) * HOUR).slice(ofPoint.length);
  expect(ofHour).toEqual([
    ["positions", { persona: "a", contractId: "C0", positionMw: -2.5, cash: 1 }],
    ["forecasts", { contractId: "C0", forecaster: "a", price: 4_000.13 }],
    ["positions", { persona: "b", contractId: null, positionMw: null, cash: 0 }],
    ["forecasts", { contractId: "C0", forecaster: "b", price: 4_000.13 }],
  ]);
});
