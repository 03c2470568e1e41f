// What is reported of personas and of a run as a whole.

import { expect, test } from "bun:test";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { NO_ECONOMICS, type PersonaEconomics } from "../../../sim/personas/economics.ts";
import type { Persona } from "../../../sim/personas/persona.ts";
import {
  markCounts,
  personaReport,
  reasonsWithTotals,
  runTotals,
  valuesAndReasons,
} from "../../../sim/personas/persona-report.ts";
import type { Mark } from "../../../sim/personas/run-metrics.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { TradingAccount } from "../../../sim/personas/trading-account.ts";
import { contract, START } from "./support.ts";

type Fill = readonly [TradedContract, Side, number, number];
/** Contracts of an hour: 1 MW is 1 MWh. */
const [ONE, OTHER, CLOSED] = [0, 1, 2].map((index) => contract(index, { minutes: 60 })) as [
  TradedContract,
  TradedContract,
  TradedContract,
];
const DOLLARS = 6_000_000;
const mark = (price: number): Mark => ({ price, source: "book" });

function persona(fills: readonly Fill[], economics: Partial<PersonaEconomics> = {}): Persona {
  const account = new TradingAccount();
  for (const fill of fills) account.fill(...fill);
  return {
    id: "zip-1",
    strategy: "zip",
    userId: "u",
    entityId: "e",
    fault: null,
    workingOrders: 3,
    counts: { orders: 10, changes: 4, cancels: 2, rejected: 1 },
    account,
    economics: { ...NO_ECONOMICS, ...economics },
  } as unknown as Persona;
}

const FILLS: readonly Fill[] = [
  [ONE, BUY, 4_000, 3_000],
  [OTHER, SELL, 5_000, 5_000],
  [CLOSED, BUY, 1_000, 1_000],
  [CLOSED, SELL, 1_500, 1_000],
];

test("a persona's volume is what it bought and sold, its positions are those that are left, and both have their signs", () => {
  expect(personaReport(persona(FILLS), (of) => mark(of === ONE ? 4_100 : 5_200))).toEqual({
    id: "zip-1",
    strategy: "zip",
    userId: "u",
    entityId: "e",
    workingOrders: 3,
    orders: 10,
    changes: 4,
    cancels: 2,
    rejected: 1,
    trades: 4,
    volumeMw: 10,
    netPositionMw: -2,
    positions: [{ contractId: ONE.id, netPositionMw: 3 }, { contractId: OTHER.id, netPositionMw: -5 }],
    // -3 x $40 + 5 x $50 + $5.
    cash: 135,
    // + 3 x $41 - 5 x $52.
    profitAndLoss: -2,
    tradingResult: -2,
    physicalResult: null,
    surplus: null,
    lossLimit: null,
    stoppedUntil: null,
    stoppedForLosses: 0,
  });
});

test("a persona's report has what it earned besides trades, what stops it, and why its strategy was stopped", () => {
  const economics = {
    surplus: 7 * DOLLARS,
    physicalResult: -2 * DOLLARS,
    lossLimit: 50,
    stoppedUntil: START,
    stops: 2,
  };
  const stopped = { ...persona([], economics), fault: "it failed" } as Persona;
  expect(personaReport(stopped, () => mark(0))).toMatchObject({
    surplus: 7,
    physicalResult: -2,
    lossLimit: 50,
    stoppedUntil: new Date(START).toISOString(),
    stoppedForLosses: 2,
    fault: "it failed",
  });
});

test("the totals add up the personas, those without a figure too, but trades count once", () => {
  const report = (economics: Partial<PersonaEconomics>) => personaReport(persona(FILLS, economics), () => mark(4_000));
  const all = [report({ surplus: 3 * DOLLARS, stops: 2 }), report({ stops: 1 }), report({ surplus: -DOLLARS })];
  const totals = runTotals(all, { trades: 5, volume: 8_500 } as never);
  expect(totals).toEqual({
    personas: 3,
    workingOrders: 9,
    orders: 30,
    changes: 12,
    cancels: 6,
    rejected: 3,
    trades: 5,
    volumeMw: 8.5,
    physicalResult: null,
    surplus: 2,
    stoppedForLosses: 3,
  });
  expect(runTotals(all, undefined)).toMatchObject({ trades: 0, volumeMw: 0 });
  const cents = [10, 20].map((amount) => report({ surplus: amount * DOLLARS / 100 }));
  expect(runTotals(cents, undefined).surplus).toBe(0.3);
  expect(runTotals([report({ physicalResult: 4 * DOLLARS }), report({})], undefined)).toMatchObject({
    physicalResult: 4,
    surplus: null,
  });
});

test("each contract in which somebody has a position counts once, by what it is valued", () => {
  const sources = { [ONE.id]: "lastTrade", [OTHER.id]: "forecast", [CLOSED.id]: "delivery" } as const;
  const markOf = ({ id }: TradedContract) => ({ price: 0, source: sources[id]! });
  const people = [persona(FILLS), persona([[ONE, SELL, 4_000, 3_000]])];
  expect(markCounts(people, markOf)).toEqual({ book: 0, lastTrade: 1, forecast: 1, delivery: 0 });
  expect(markCounts(people, () => ({ price: 0, source: "book" }))).toMatchObject({ book: 2 });
});

test("a figure without a value has a reason, also a total, and a figure with a value has none", () => {
  const { metrics, reasons } = valuesAndReasons({
    smithsAlpha: { value: 0 },
    meanSpread: { value: null, reason: "no book" },
    twoSidedBooks: { value: 50 },
    allocativeEfficiency: { value: null, reason: "no assignment was traded" },
  } as never);
  expect(metrics).toEqual({ smithsAlpha: 0, meanSpread: null, twoSidedBooks: 50, allocativeEfficiency: null });
  expect(reasons).toEqual({ meanSpread: "no book", allocativeEfficiency: "no assignment was traded" });
  const none = "nobody trades by assignments";
  const assets = "nobody has a generating unit or a load to serve";
  const totals = { physicalResult: 0, surplus: 0 } as never;
  expect(reasonsWithTotals(reasons, totals)).toEqual(reasons);
  expect(reasonsWithTotals(reasons, { physicalResult: null, surplus: 1 } as never)).toEqual({
    ...reasons,
    physicalResult: assets,
  });
  expect(reasonsWithTotals(reasons, { physicalResult: 1, surplus: null } as never)).toEqual({
    meanSpread: "no book",
    surplus: none,
    allocativeEfficiency: none,
  });
  expect(reasonsWithTotals({}, { physicalResult: 1, surplus: null } as never)).toEqual({ surplus: none });
});
