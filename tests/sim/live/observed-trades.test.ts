import { describe, expect, test } from "bun:test";
import type { Assignment } from "../../../sim/personas/assignments.ts";
import type { MetricTrade } from "../../../sim/personas/run-metrics.ts";
import { type ObservedFill, ObservedTrades } from "../../../sim/live/observed-trades.ts";

const assignment = { limitPrice: 100 } as Assignment;

function fill(tradeId: string, side: 0 | 1, about: Partial<ObservedFill> = {}): ObservedFill {
  return { tradeId, side, price: 500, quantity: 1000, assignment: null, fundamental: 510, ...about };
}

function watch() {
  const booked: MetricTrade[] = [];
  let now = 0;
  const trades = new ObservedTrades((trade) => booked.push(trade), () => now);
  return { booked, trades, pass: (ms: number) => void (now += ms) };
}

describe("trades derived from fills", () => {
  test("count once if both sides are personas, with the assignment of each", () => {
    const { trades, booked } = watch();
    trades.note(fill("TRD-1", 1));
    expect(booked).toEqual([]);
    trades.note(fill("TRD-1", 0, { assignment }));
    expect(booked).toMatchObject([{ price: 500, quantity: 1000, fundamental: 510, buyer: assignment, seller: null }]);
  });

  test("count once, after a wait, if the other side is not a persona", () => {
    const { trades, booked, pass } = watch();
    trades.note(fill("TRD-1", 1, { assignment }));
    trades.settle();
    expect(booked).toEqual([]);
    pass(2000);
    trades.settle();
    trades.settle();
    expect(booked).toMatchObject([{ buyer: null, seller: assignment }]);
  });

  test("count without a wait once the run is over", () => {
    const { trades, booked } = watch();
    trades.note(fill("TRD-1", 1, { assignment }));
    trades.settle({ isOver: true });
    expect(booked).toMatchObject([{ buyer: null, seller: assignment }]);
  });
});
