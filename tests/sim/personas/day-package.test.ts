import { describe, expect, test } from "bun:test";
import { DayPackage } from "../../../sim/personas/day-package.ts";
import type { ContractBook } from "../../../sim/personas/persona.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { contract, HOUR, profileOf } from "./support.ts";

const BASE = contract(0);
const hourOf = (at: number, changes: Partial<TradedContract> = {}) => {
  const deliveryStart = BASE.deliveryStart + at * HOUR;
  return contract(1 + at, { type: "hour", minutes: 60, deliveryStart, deliveryEnd: deliveryStart + HOUR, ...changes });
};
const HOURS = Array.from({ length: 24 }, (_, at) => hourOf(at));
/** Hours 7 to 22. */
const PEAK = contract(60, {
  type: "peak",
  minutes: 16 * 60,
  deliveryStart: BASE.deliveryStart + 6 * HOUR,
  deliveryEnd: BASE.deliveryStart + 22 * HOUR,
});
const NO_BOOK: ContractBook = { bestBid: null, bestAsk: null, lastPrice: null };
const HOUR_BOOK: ContractBook = { ...NO_BOOK, bestBid: 100, bestAsk: 200 };
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

  test.each<[string, Partial<TradedContract>]>([
    ["of another market", { marketId: "OTHER" }],
    ["at another node", { node: "WEST" }],
    ["that begins before it", { deliveryStart: BASE.deliveryStart - HOUR }],
    ["that ends after it", { deliveryStart: BASE.deliveryEnd - HOUR / 2, deliveryEnd: BASE.deliveryEnd + HOUR / 2 }],
  ])("has no hour %s", (_name, changes) => {
    const [, ...rest] = HOURS;
    expect(packageOf(BASE, [BASE, { ...FIRST, ...changes }, ...rest])).toBeNull();
    expect(packageOf({ ...FIRST, ...changes }, [BASE, ...HOURS])).toBeNull();
  });

  test("is none without all hours, without the base, or for another product", () => {
    expect(packageOf(BASE, [BASE, ...HOURS.slice(1)])).toBeNull();
    expect(packageOf(FIRST, HOURS)).toBeNull();
    expect(packageOf(BASE, [BASE, ...HOURS, contract(50, { ...FIRST, productId: "twice" })])).toBeNull();
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

  test("has the peak of the day, whose price may be better than that of its hours", () => {
    const found = packageOf(BASE, [BASE, PEAK, ...HOURS]);
    expect(found).toMatchObject({ peak: PEAK });
    expect(found?.legs).toEqual([PEAK, ...HOURS]);
    const book = (peak: ContractBook) => ({ index }: TradedContract) => index === PEAK.index ? peak : HOUR_BOOK;
    const seen = (peak: ContractBook) => found?.view(book(peak), () => 0);
    expect(seen(NO_BOOK)).toMatchObject({ bestBid: 100, bestAsk: 200 });
    expect(seen({ ...NO_BOOK, bestBid: 112, bestAsk: 188 })).toMatchObject({ bestBid: 108, bestAsk: 192 });
    expect(seen({ ...NO_BOOK, bestBid: 88, bestAsk: 212 })).toMatchObject({ bestBid: 100, bestAsk: 200 });
  });

  test("shows the peak its hours and what the others hold in them", () => {
    const found = packageOf(PEAK, [BASE, PEAK, ...HOURS]);
    const held = ({ type, deliveryStart }: TradedContract) =>
      type === "base" ? 5 : type === "hour" && deliveryStart < PEAK.deliveryEnd ? -3 : 100;
    expect(found?.view(() => HOUR_BOOK, held)).toEqual({
      role: "peak",
      bestBid: 100,
      bestAsk: 200,
      // 5 in the base and -3 in each of its hours; 100 in the later hours and in itself don't count.
      position: 2,
    });
  });

  test("counts the peak's position in its hours, and in the base by its share of the day", () => {
    const contracts = [BASE, PEAK, ...HOURS];
    const held = ({ index }: TradedContract) => index === PEAK.index ? 6 : index === BASE.index ? 1 : 0;
    const positionSeenFrom = (contract: TradedContract) =>
      packageOf(contract, contracts)?.view(() => HOUR_BOOK, held).position;
    expect(positionSeenFrom(BASE)).toBe(4);
    expect(positionSeenFrom(FIRST)).toBe(1);
    expect(positionSeenFrom(HOURS[6] ?? BASE)).toBe(7);
    expect(positionSeenFrom(HOURS[21] ?? BASE)).toBe(7);
    expect(positionSeenFrom(HOURS[22] ?? BASE)).toBe(1);
  });

  test("shows an hour the position in the base", () => {
    const found = packageOf(SECOND, [BASE, ...HOURS]);
    const seen = found?.view(() => expect.unreachable(), ({ index }) => index + 7);
    expect(seen).toEqual({ role: "hour", bestBid: null, bestAsk: null, position: 7 });
  });
});
