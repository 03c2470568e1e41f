// What a persona earns besides its trades.

import { expect, test } from "bun:test";
import { dollarsOf } from "../../../engine/market/units.ts";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { Economics } from "../../../sim/personas/economics.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { LocalCalendar } from "../../../sim/spot/local-calendar.ts";
import { contract, START } from "./support.ts";

const CONTRACT = contract(0);
const options = (dollars: number | null) => ({
  dollars,
  calendar: new LocalCalendar("UTC"),
  random: new SeededRandom(1),
});
/** So much in the unit of cash is a dollar. */
const DOLLAR = Math.round(1e6 / dollarsOf(1e6));

test("the surplus is the gain of the clients on each side, and none without assignments", () => {
  const economics = new Economics({ hasAssignments: true, asset: null, ...options(null) });
  expect(economics.surplus).toBe(0);
  const filled = (side: 0 | 1, limitPrice: number, price: number, kw: number) => {
    economics.filled({ contract: CONTRACT, side, limitPrice } as never, price, kw);
    return Number(economics.surplus) / CONTRACT.minutes;
  };
  expect(filled(BUY, 500, 480, 1_000)).toBe(20_000);
  expect(filled(SELL, 500, 530, 100)).toBe(23_000);
  expect(filled(BUY, 500, 501, 1_000)).toBe(22_000);
  expect(new Economics({ hasAssignments: false, asset: null, ...options(null) }).surplus).toBeNull();
});

test("the loss limit counts the physical result, and is told as it is", () => {
  const asset = { result: 600 * DOLLAR, termsOf: () => null };
  const stopped = (own: typeof asset | null, result: number) => {
    const economics = new Economics({ hasAssignments: false, asset: own as never, ...options(1_000) });
    const isStopped = economics.isStoppedAt(START, () => result * DOLLAR);
    const { lossLimit, physicalResult, stops, sizeShare, stoppedUntil } = economics;
    expect([lossLimit, physicalResult]).toEqual([1_000, own?.result ?? null]);
    expect([stops, sizeShare, stoppedUntil === null]).toEqual(isStopped ? [1, 0.5, false] : [0, 1, true]);
    return isStopped;
  };
  expect([stopped(null, -1_001), stopped(null, -1_000), stopped(asset, -1_599), stopped(asset, -1_601)])
    .toEqual([true, false, false, true]);
  expect(new Economics({ hasAssignments: false, asset: null, ...options(null) }).lossLimit).toBeNull();
});

test("its own asset is seen with the position over the whole delivery, not in the contract alone", () => {
  const account = { positionOver: () => 700, position: () => 100 };
  const own = { viewIn: (seen: unknown, time: number) => seen === CONTRACT && time === START ? { name: "P" } : null };
  const terms = { termsOf: (...given: unknown[]) => given, result: 0 };
  const economics = new Economics({
    hasAssignments: false,
    asset: terms as never,
    own: own as never,
    ...options(null),
  });
  expect(economics.assetIn(CONTRACT, START, account as never)).toEqual({ name: "P", position: 700 } as never);
  expect(economics.assetIn(contract(1), START, account as never)).toBeNull();
  expect(economics.physicalTerms(CONTRACT, START)).toEqual([CONTRACT, START] as never);
  const without = new Economics({ hasAssignments: false, asset: null, ...options(null) });
  expect([without.assetIn(CONTRACT, START, account as never), without.physicalTerms(CONTRACT, START)])
    .toEqual([null, null]);
});
