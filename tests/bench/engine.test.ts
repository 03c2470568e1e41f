import { describe, expect, test } from "bun:test";
import { cellsOf } from "../../bench/engine/cells.ts";
import { checkEngine, checkPeer } from "../../bench/engine/checks.ts";
import { Flow } from "../../bench/engine/flow.ts";
import { PlainMarket } from "../../bench/engine/plain-market.ts";
import { size } from "../support/sizes.ts";

describe("the flow", () => {
  test("is the same for a seed, and another for another", () => {
    const operations = (seed: number) => {
      const flow = new Flow(10, 100, seed);
      flow.addMixed(2_000);
      return flow.operations;
    };
    expect(operations(7)).toEqual(operations(7));
    expect(operations(8)).not.toEqual(operations(7));
  });

  test("keeps the mix and the number of resting orders, most submits trade, and credit prevents some trades", () => {
    const flow = new Flow(10, 100, 1);
    const from = flow.addMixed(8_000);
    const share = (kind: string) => flow.operations.slice(from).filter((each) => each.kind === kind).length / 8_000;
    for (const [kind, expected] of [["submit", 0.55], ["cancel", 0.35], ["modify", 0.1]] as const) {
      expect(Math.abs(share(kind) - expected)).toBeLessThan(0.02);
    }
    expect(Math.abs(flow.market.book.orderCount - 100)).toBeLessThan(20);
    expect(flow.market.record.trades / (8_000 * share("submit"))).toBeGreaterThan(0.5);
    const withoutCredit = new PlainMarket(null);
    for (const operation of flow.operations) withoutCredit.play(operation);
    expect(withoutCredit.record.trades).toBeGreaterThan(flow.market.record.trades);
  });

  test("has the same trades in the engine, and those of a market without credit in the peer, for several seeds", () => {
    for (const seed of size([1], [1, 2, 3])) {
      const flow = new Flow(10, 100, seed);
      flow.addMixed(3_000);
      expect(() => checkEngine(flow, 10)).not.toThrow();
      expect(() => checkPeer(flow)).not.toThrow();
    }
  });

  test("of other trades fails the check", () => {
    const flow = new Flow(10, 100, 1);
    flow.addMixed(1_000);
    flow.market.record.add(1, 2, 3, 4);
    expect(() => checkEngine(flow, 10)).toThrow();
  });
});

test("counts the cells that work allocates", () => {
  const kept: unknown[] = [];
  const cells = cellsOf(() => {
    for (let count = 0; count < 5_000; count++) kept.push({ inner: { count } });
  });
  expect(cells / 5_000).toBeGreaterThan(1.9);
  expect(cells / 5_000).toBeLessThan(2.5);
});
