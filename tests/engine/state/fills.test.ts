import { expect, test } from "bun:test";
import { fillKeyOf, fillsOf } from "../../../engine/state/fills.ts";
import type { Order, Trade } from "../../../engine/state/market-state.ts";

test.each([[0, 0, 8], [0, 1, 7], [1, 0, 7], [1, 1, 8]] as const)(
  "if side %d is the aggressor, the fill of side %d has the number %d",
  (aggressorSide, side, key) => {
    expect(fillKeyOf({ aggressorSide, restingFill: 7 } as Trade, { side })).toBe(key);
  },
);

test("fills are listed oldest first, whatever the order of their orders", () => {
  const trade = (restingFill: number) => ({ aggressorSide: 1, restingFill }) as Trade;
  const orders = [{ side: 0, trades: [trade(1), trade(5)] }, { side: 0, trades: [trade(3), trade(11)] }, {
    side: 1,
    trades: [trade(1), trade(3), trade(5), trade(11)],
  }] as unknown as Order[];
  for (const given of [orders, orders.toReversed()]) {
    expect(fillsOf(given).map(({ key }) => key)).toEqual([1, 2, 3, 4, 5, 6, 11, 12]);
  }
  expect(fillsOf([])).toEqual([]);
});
