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

  test("are counted once, also at the end, in the order in which they wait, with what each side was told", () => {
    const { trades, booked, pass } = watch();
    trades.note(fill("TRD-1", 1, { price: 480 }));
    trades.note(fill("TRD-1", 0, { price: 480, assignment }));
    trades.note(fill("TRD-2", 0, { price: 490, fundamental: 520 }));
    pass(1999);
    // Another fill looks for those that have waited for too long.
    trades.note(fill("TRD-3", 1, { price: 500 }));
    expect(booked.map(({ price }) => price)).toEqual([480]);
    pass(1);
    trades.note(fill("TRD-4", 0, { price: 510 }));
    expect(booked.map(({ price }) => price)).toEqual([480, 490]);
    trades.settle({ isOver: true });
    trades.settle({ isOver: true });
    expect(booked.map(({ price }) => price)).toEqual([480, 490, 500, 510]);
    expect(booked[1]).toMatchObject({ quantity: 1000, fundamental: 520, buyer: null, seller: null });
  });
});
