import { describe, expect, test } from "bun:test";
import { DayPackage } from "../../../sim/personas/day-package.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { contract, HOUR, profileOf } from "./support.ts";

const BASE = contract(0);
const hourOf = (at: number, changes: Partial<TradedContract> = {}) => {
  const deliveryStart = BASE.deliveryStart + at * HOUR;
  return contract(1 + at, { type: "hour", minutes: 60, deliveryStart, deliveryEnd: deliveryStart + HOUR, ...changes });
};
const HOURS = Array.from({ length: 24 }, (_, at) => hourOf(at));
const [FIRST = BASE, SECOND = BASE] = HOURS;

function packageOf(seen: TradedContract, contracts: readonly TradedContract[]): DayPackage | null {
  return DayPackage.of(seen, profileOf(contracts, ["NORTH", "WEST"], 2));
}

describe("the package of a day", () => {
  test("is its base and all of its hours at the node", () => {
    const west = HOURS.map((hour) => ({ ...hour, index: 100 + hour.index, node: "WEST" }));
    const tomorrow = hourOf(24);
    const found = packageOf(BASE, [BASE, tomorrow, ...west, ...HOURS]);
    expect(found?.hours).toEqual(HOURS);
    expect(packageOf(SECOND, [BASE, tomorrow, ...west, ...HOURS])).toMatchObject({ base: BASE, hours: HOURS });
  });

  test("is none without all hours, without the base, or for another product", () => {
    expect(packageOf(BASE, [BASE, ...HOURS.slice(1)])).toBeNull();
    expect(packageOf(FIRST, HOURS)).toBeNull();
    expect(packageOf(contract(50, { type: "week" }), [BASE, ...HOURS])).toBeNull();
  });

  test("shows the base the mean quotes and positions of the hours, and none if one hour lacks a quote", () => {
    const found = packageOf(BASE, [BASE, ...HOURS]);
    const book = ({ index }: TradedContract) => ({ bestBid: 100 + index, bestAsk: 200 + index, lastPrice: null });
    const means = { role: "base" as const, bestBid: 112.5, bestAsk: 212.5, position: -12.5 };
    expect(found?.view(book, ({ index }) => -index)).toEqual(means);
    const bidless = found?.view((each) => ({ ...book(each), ...(each === SECOND && { bestBid: null }) }), () => 0);
    expect(bidless).toMatchObject({ bestBid: null, bestAsk: 212.5 });
  });

  test("shows an hour the position in the base", () => {
    const found = packageOf(SECOND, [BASE, ...HOURS]);
    const seen = found?.view(() => expect.unreachable(), ({ index }) => index + 7);
    expect(seen).toEqual({ role: "hour", bestBid: null, bestAsk: null, position: 7 });
  });
});
