import { describe, expect, test } from "bun:test";
import { BUILT_IN_AS_OF } from "../../../sim/experiment/start-time.ts";
import { orderFacts } from "../../../sim/facts/order-life.ts";
import { TapeCollector } from "../../../sim/facts/tape-collector.ts";
import type { Cell } from "../../../sim/tape/tables.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { handMadeTape, HOUR_MS, MINUTE_MS, NOON_HOUR, quotesOf, tradesOf, valueOf } from "./support.ts";

/** Of the day's hours, the one that these tapes show from six hours before its delivery. */
const NOON_MS = 12 * HOUR_MS;
const ofNoon = (samples: ReturnType<typeof orderFacts.measure>, figure: string) =>
  samples.find((sample) => sample.figure === figure && sample.contractId === NOON_HOUR)?.value;

describe("orders on a tape", () => {
  test("live from their submission to their cancel, and a change is neither", () => {
    const rows: [number, string, number][] = [
      [0, "submit", 1],
      [1_000, "submit", 2],
      [4_000, "change", 1],
      [5_000, "cancel", 2],
      [9_000, "submit", 3],
      [60_000, "cancel", 1],
    ];
    const collector = new TapeCollector(Infinity);
    for (const [after, action, id] of rows) {
      collector.append("orders", BUILT_IN_AS_OF + after, [BUILT_IN_AS_OF + after, action, id] satisfies Cell[]);
    }
    const { orders } = collector.tape(builtInMarket(), BUILT_IN_AS_OF, BUILT_IN_AS_OF + HOUR_MS);
    expect(orders).toEqual({ submits: 3, changes: 1, cancels: 2, lifetimes: Float64Array.of(4_000, 60_000) });
  });

  test("are counted for each submitted order and for each trade", () => {
    const trades = new Map([[NOON_HOUR, tradesOf([{ afterMs: 0 }, { afterMs: 1 }])]]);
    const lifetimes = Float64Array.from({ length: 1_001 }, (_, at) => 1_000 * at);
    const samples = orderFacts.measure(
      handMadeTape({ trades, orders: { submits: 20, changes: 4, cancels: 16, lifetimes } }),
    );
    expect(valueOf(samples, "orders.cancelled")).toBe(0.8);
    expect(valueOf(samples, "orders.changed")).toBe(0.2);
    expect(valueOf(samples, "orders.messages")).toBe(20);
    expect(valueOf(samples, "orders.lifetime")).toBe(500);
    expect(valueOf(samples, "orders.longest")).toBe(1.98);
  });

  test("have a tail with the exponent of their lifetimes", () => {
    const lifetimes = Float64Array.from({ length: 20_000 }, (_, at) => (1 - at / 20_000) ** (-1 / 1.2));
    const samples = orderFacts.measure(handMadeTape({ orders: { submits: 1, changes: 0, cancels: 1, lifetimes } }));
    expect(valueOf(samples, "orders.tail")).toBeCloseTo(1.2, 1);
  });
});

describe("an hour before its delivery", () => {
  test("has its last trade at the gate, and most trades in one of the last hours", () => {
    const minutesBefore = [400, 170, 130, 125, 100, 70, 8];
    const trades = new Map([[
      NOON_HOUR,
      tradesOf(minutesBefore.map((each) => ({ afterMs: NOON_MS - each * MINUTE_MS }))),
    ]]);
    const samples = orderFacts.measure(handMadeTape({ trades }));
    expect(ofNoon(samples, "orders.gate")).toBe(8);
    expect(valueOf(samples, "orders.busiest")).toBe(3);
    expect(valueOf(samples, "orders.lastHours")).toBe(6 / 7);
  });

  test("has a spread that is compared with that of three to six hours before", () => {
    const quotes = quotesOf([
      [0, 100, 900],
      [NOON_MS - 6 * HOUR_MS, 100, 110],
      [NOON_MS - 2 * HOUR_MS, 100, NaN],
      [NOON_MS - HOUR_MS, 100, 120],
      [NOON_MS - 5 * MINUTE_MS, 100, 900],
    ]);
    expect(ofNoon(orderFacts.measure(handMadeTape({ quotes: new Map([[NOON_HOUR, quotes]]) })), "orders.spread")).toBe(
      2,
    );
  });

  test("is left out unless the run shows its last six hours", () => {
    const ids = orderFacts.measure(handMadeTape({}, 8)).flatMap(({ contractId }) => contractId ?? []);
    expect(ids.toSorted().filter((id) => id.startsWith("NORTH")).at(0)).toContain("H07");
    expect(ids).not.toContain(NOON_HOUR);
  });
});
