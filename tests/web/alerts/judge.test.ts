// When an alert is due: once for each crossing, of what the acting user has asked for.

import { describe, expect, test } from "bun:test";
import type { CreditPair } from "../../../web/contract/credit.ts";
import { conditionWords } from "../../../web/dashboard/alerts/alert-words.ts";
import { type Condition, conditionOf, keyOf } from "../../../web/dashboard/alerts/conditions.ts";
import { backOfPrice, Crossing } from "../../../web/dashboard/alerts/crossing.ts";
import { Judge } from "../../../web/dashboard/alerts/judge.ts";
import { hour, MARKET } from "../support/market.ts";

describe("a limit", () => {
  const told = (side: "above" | "below", values: readonly (number | null)[]) => {
    const crossing = new Crossing({ side, limit: 100, back: 10 });
    return values.flatMap((value, index) => crossing.reaches(value) ? [index] : []);
  };

  test("that is crossed is told once, and again only after the value has gone back", () => {
    expect(told("above", [90, 99, 100, 101, 99, 100, 91, 105, 90, 100, 200])).toEqual([2, 9]);
    expect(told("below", [110, 101, 100, 99, 101, 100, 109, 90, 110, 100, 0])).toEqual([2, 9]);
  });

  test("that a value trembles at is told once", () => {
    expect(told("above", [99, ...Array.from({ length: 100 }, (_, index) => 100 - index % 2)])).toEqual([1]);
  });

  test("is not told of a value that is beyond it already, nor of none", () => {
    expect(told("above", [150, 120, 100])).toEqual([]);
    expect(told("above", [null, 150, null, 90, null, 100])).toEqual([5]);
    expect(told("below", [99, 110, 100])).toEqual([2]);
  });

  test("of a price lets it go back by half a percent, at least 5 cents/MWh", () => {
    expect([0, 500, 5_000, -5_000, 100_000].map(backOfPrice)).toEqual([5, 5, 25, 25, 500]);
  });

  test("of something that is or is not is told each time it begins", () => {
    const crossing = new Crossing({ side: "above", limit: 1, back: 1 });
    expect([0, 1, 1, 0, 1].map((value) => crossing.reaches(value))).toEqual([false, true, false, false, true]);
  });
});

const PRICE: Condition = { kind: "price", contractId: "N-6", of: "last", side: "above", limit: 5_000 };
const name = (contractId: string) => `<${contractId}>`;

function judgeOf(...conditions: Condition[]): Judge {
  const judge = new Judge(name);
  judge.judgeBy(conditions);
  return judge;
}

describe("a judge", () => {
  const rows = (change: Parameters<typeof hour>[1]) => new Map([["N-6", hour(0, change)]]);

  test("tells that a price or a spread has reached its limit, with its page", () => {
    const judge = judgeOf(PRICE, { kind: "spread", contractId: "N-6", side: "above", limit: 100 });
    const seen = [
      { lastPrice: 4_900, bestBid: 4_800, bestAsk: 4_850 },
      { lastPrice: 5_010, bestBid: 4_800, bestAsk: 4_850 },
      { lastPrice: 5_020, bestBid: 4_700, bestAsk: null },
      { lastPrice: 5_020, bestBid: 4_700, bestAsk: 4_850 },
    ].map((change) => judge.contracts(rows(change)));
    expect(seen).toEqual([
      [],
      [{ text: "Last price of <N-6> is 50.10 $/MWh: up to 50.00", address: "#/contract/N-6" }],
      [],
      [{ text: "Spread of <N-6> is 1.50 $/MWh: up to 1.00", address: "#/contract/N-6" }],
    ]);
  });

  test("goes on with conditions that stay, and begins anew with one that was set again", () => {
    const judge = judgeOf(PRICE);
    expect(judge.contracts(rows({ lastPrice: 4_900 }))).toEqual([]);
    judge.judgeBy([{ kind: "halt" }, PRICE]);
    expect(judge.contracts(rows({ lastPrice: 5_100 }))).toHaveLength(1);
    expect(judge.contracts(rows({ lastPrice: 4_000 }))).toEqual([]);
    judge.judgeBy([]);
    expect(judge.contracts(rows({ lastPrice: 5_100 }))).toEqual([]);
    judge.judgeBy([PRICE]);
    expect(judge.contracts(rows({ lastPrice: 5_100 }))).toEqual([]);
  });

  test("tells of each pair of the own entity whose credit is used, and of no other", () => {
    const judge = judgeOf({ kind: "credit", limit: 80 });
    const pair = (entityId: string, counterpartyId: string, used: number, limit: number | null = 1_000) => {
      const use = { limitType: "notional", contractId: null, used, available: 0, ownOrders: null } as const;
      const limits = limit === null ? [] : [{ ...use, limit }];
      return { entityId, counterpartyId, limits } as unknown as CreditPair;
    };
    const pairs = (used: number) => [
      pair("OWN", "A", used),
      pair("B", "OWN", used),
      pair("B", "A", used),
      pair("OWN", "C", used, null),
      pair("OWN", "D", used, 0),
    ];
    expect(judge.credit(pairs(100), "OWN")).toEqual([]);
    expect(judge.credit(pairs(856), "OWN")).toEqual([
      { text: "85 % of the credit limit that OWN set for A is used", address: "#/credit/OWN" },
      { text: "85 % of the credit limit that B set for OWN is used", address: "#/credit/B" },
    ]);
    expect([judge.credit(pairs(790), "OWN"), judge.credit(pairs(810), "OWN")]).toEqual([[], []]);
    expect([judge.credit(pairs(700), "OWN"), judge.credit(pairs(810), "OWN")].map(({ length }) => length)).toEqual([
      0,
      2,
    ]);
  });

  test("tells of a halt and of a lost connection once each", () => {
    const judge = judgeOf({ kind: "halt" }, { kind: "connection" });
    const halted = { ...MARKET, halted: true, haltReason: "a fault" };
    expect([judge.markets([MARKET]), judge.markets([halted]), judge.markets([halted])])
      .toEqual([[], [{ text: "Plains is halted: a fault", address: "#/market" }], []]);
    expect([false, true, true, null, true, false, true].map((away) => judge.connection(away).length))
      .toEqual([0, 1, 0, 0, 0, 0, 1]);
  });

  test("tells of fills that came together once for each contract, and only if it was asked to", () => {
    const fill = { orderId: "O", contractId: "N-6", side: 0, price: 4_650, quantity: 5 };
    expect(judgeOf(PRICE).fills([fill])).toEqual([]);
    const judge = judgeOf({ kind: "fill" });
    expect(judge.fills([])).toEqual([]);
    expect(judge.fills([fill, { ...fill, contractId: "N-7", side: 1 }])).toEqual([
      { text: "Bought 5 MW of <N-6> at 46.50 $/MWh", address: "#/order/O" },
      { text: "Sold 5 MW of <N-7> at 46.50 $/MWh", address: "#/order/O" },
    ]);
    expect(judge.fills([fill, { ...fill, orderId: "P", side: 1 }]))
      .toEqual([{ text: "Traded 10 MW of <N-6> in 2 fills", address: "#/contract/N-6" }]);
  });
});

describe("a condition that a browser has kept", () => {
  const whole: Condition[] = [
    PRICE,
    { kind: "spread", contractId: "N-6", side: "below", limit: -5 },
    { kind: "credit", limit: 80 },
    { kind: "halt" },
    { kind: "fill" },
    { kind: "connection" },
  ];

  test("is the same again", () => {
    expect(whole.map((condition) => conditionOf(JSON.parse(JSON.stringify(condition))))).toEqual(whole);
    expect(new Set(whole.map(keyOf)).size).toBe(whole.length);
    expect(keyOf({ limit: 80, kind: "credit" })).toBe(keyOf({ kind: "credit", limit: 80 }));
  });

  test("is left out if it is none", () => {
    const others: unknown[] = [
      ...[null, undefined, "price", [], {}, { kind: "other" }],
      ...[{ ...PRICE, of: "mid" }, { ...PRICE, side: "beside" }, { ...PRICE, limit: "5000" }],
      ...[{ ...PRICE, limit: 50.5 }, { ...PRICE, limit: NaN }, { ...PRICE, limit: 1e12 }],
      ...[{ ...PRICE, contractId: "" }, { ...PRICE, contractId: "x".repeat(300) }, { ...PRICE, contractId: 5 }],
      ...[{ kind: "credit", limit: 0 }, { kind: "credit", limit: 101 }],
    ];
    expect(others.map(conditionOf)).toEqual(others.map(() => null));
  });

  test("has nothing but what it needs", () => {
    expect(conditionOf({ kind: "halt", address: "javascript:1" })).toEqual({ kind: "halt" });
  });
});

test("every condition is said in words, with a page", () => {
  const said = (condition: Condition) => Object.values(conditionWords(condition, name)).join(" ");
  expect(said(PRICE)).toBe("Last price of <N-6> rises to 50.00 $/MWh #/contract/N-6");
  expect(said({ ...PRICE, of: "bid", side: "below" })).toBe("Best bid of <N-6> falls to 50.00 $/MWh #/contract/N-6");
  expect(said({ kind: "spread", contractId: "N-6", side: "above", limit: 25 }))
    .toBe("Spread of <N-6> rises to 0.25 $/MWh #/contract/N-6");
  expect((["halt", "fill", "connection"] as const).map((kind) => said({ kind }))).toEqual([
    "A market is halted #/market",
    "An own order trades #/events",
    "The page is no longer live #/market",
  ]);
  expect(said({ kind: "credit", limit: 80 })).toBe("80 % of a credit limit is used #/credit");
});
