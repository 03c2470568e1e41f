import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sumOf } from "../../../engine/market/exact-integer.ts";
import { dollarsOf } from "../../../engine/market/units.ts";
import { TradingAccount } from "../../../sim/personas/trading-account.ts";
import { contract, HOUR } from "./support.ts";

/** One hour, so that a MW at 100 cents/MWh is a dollar. */
const HOURLY = contract(0, { minutes: 60 });

describe("a trading account", () => {
  test("pays for bought and receives for sold quantity, and values the position", () => {
    const account = new TradingAccount();
    account.fill(HOURLY, 0, 4_000, 10_000);
    account.fill(HOURLY, 1, 4_500, 4_000);
    expect(dollarsOf(account.cash)).toBe(-400 + 180);
    expect(account.position(HOURLY)).toBe(6_000);
    expect(dollarsOf(account.profitAndLoss(() => 5_000))).toBe(-220 + 300);
    expect([account.trades, account.volume]).toEqual([2, 14_000]);
  });

  test("keeps what was bought and sold in a contract, for its results", () => {
    const account = new TradingAccount();
    account.fill(contract(0), 0, 4_000, 10_000);
    account.fill(contract(0), 1, 4_500, 4_000);
    const [holding] = account.holdings;
    expect(holding!.traded).toEqual({
      ...{ net: 6_000, bought: 10_000, sold: 4_000 },
      cash: (-4_000 * 10_000 + 4_500 * 4_000) * 1_440,
      cost: 4_000 * 6_000 * 1_440,
    });
  });

  test("settles a position into cash and removes the holding", () => {
    const account = new TradingAccount();
    account.fill(HOURLY, 0, 4_000, 10_000);
    account.settle(HOURLY, () => 4_500);
    expect(dollarsOf(account.cash)).toBe(-400 + 450);
    expect([...account.holdings]).toEqual([]);
    account.settle(HOURLY, () => {
      throw new Error("no price is needed without a position");
    });
    expect([account.trades, account.volume]).toEqual([1, 10_000]);
  });

  test("has a position over a delivery from all contracts that deliver then at its node", () => {
    const day = contract(0);
    const part = (index: number, from: number, hours: number, changes = {}) => {
      const deliveryStart = day.deliveryStart + from * HOUR;
      return contract(index, {
        deliveryStart,
        deliveryEnd: deliveryStart + hours * HOUR,
        minutes: hours * 60,
        ...changes,
      });
    };
    const [hour, peak] = [part(1, 8, 1), part(2, 6, 16)];
    const month = part(3, -24 * 6, 24 * 10, { minutes: 24 * 10 * 30 });
    const account = new TradingAccount();
    account.fill(day, 1, 4_000, 10_000);
    account.fill(hour, 0, 4_000, 3_000);
    account.fill(peak, 1, 4_000, 6_000);
    account.fill(part(4, 8, 1, { node: "WEST" }), 0, 4_000, 1_000);
    expect([hour, peak, day, part(5, 24, 1)].map((each) => account.positionOver(each))).toEqual(
      [-13_000, -16_000 + 3_000 / 16, -10_000 - 4_000 + 3_000 / 24, 0],
    );
    account.fill(month, 0, 4_000, 2_000);
    expect(account.positionOver(part(5, 24, 1))).toBe(1_000);
    expect(account.positionOver(month)).toBeCloseTo(2_000 + (-10_000 * 12 + 3_000 * 0.5 - 6_000 * 8) / 120, 6);
  });

  test("receives cash for a purchase at a negative price", () => {
    const account = new TradingAccount();
    account.fill(HOURLY, 0, -1_000, 1_000);
    expect(dollarsOf(account.cash)).toBe(10);
    expect(dollarsOf(account.profitAndLoss(() => -1_500))).toBe(-5);
  });

  test("has the mean entry price of a position", () => {
    const account = new TradingAccount();
    const after = (side: 0 | 1, price: number, quantity: number) => {
      account.fill(HOURLY, side, price, quantity);
      return account.averagePrice(HOURLY);
    };
    expect(account.averagePrice(HOURLY)).toBeNull();
    expect(after(0, 4_000, 1_000)).toBe(4_000);
    expect(after(0, 5_000, 3_000)).toBe(4_750);
    expect(after(1, 9_000, 1_000)).toBe(4_750);
    expect(after(1, 4_100, 5_000)).toBe(4_100);
    expect(after(1, 4_200, 2_000)).toBe(4_150);
    expect(after(0, 4_000, 4_000)).toBeNull();
  });

  test("is exact for any fills, and one account's gain is the other's loss", () => {
    const fill = fc.tuple(
      fc.integer({ min: -50_000, max: 500_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.boolean(),
    );
    fc.assert(fc.property(fc.array(fill), fc.integer({ min: -50_000, max: 500_000 }), (fills, mark) => {
      const long = contract(1, { minutes: 131_040 });
      const [one, other] = [new TradingAccount(), new TradingAccount()];
      let cash = 0n;
      for (const [price, quantity, buys] of fills) {
        one.fill(long, buys ? 0 : 1, price, quantity);
        other.fill(long, buys ? 1 : 0, price, quantity);
        cash += BigInt(buys ? -price : price) * BigInt(quantity) * 131_040n;
      }
      expect(BigInt(one.cash)).toBe(cash);
      expect(one.position(long) + other.position(long)).toBe(0);
      expect(sumOf(one.profitAndLoss(() => mark), other.profitAndLoss(() => mark))).toBe(0);
    }));
  });
});
