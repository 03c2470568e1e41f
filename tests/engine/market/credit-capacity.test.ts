// The credit that a capacity leaves, compared with bigint.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { EXHAUSTED, PairCapacity } from "../../../engine/market/credit-capacity.ts";
import { ENERGY, NOTIONAL, PairUsage, QUANTITY } from "../../../engine/market/credit-usage.ts";
import { exactOf } from "../../../engine/market/exact-integer.ts";
import { size } from "../../support/sizes.ts";

const { MAX_SAFE_INTEGER } = Number;

describe("the credit that a capacity leaves", () => {
  test("is exact to the unit at any size", () => {
    let large = 0;
    const nearby = fc.record({
      minutes: fc.oneof(fc.constantFrom(15, 60, 44_640), fc.integer({ min: 1, max: 2 ** 31 })),
      price: fc.oneof(fc.integer({ min: -500_000, max: 500_000 }), fc.maxSafeInteger()),
      fits: fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 56n }), fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n })),
      fitsBits: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 56n })),
      over: fc.constantFrom(-1n, 0n, 1n),
      used: fc.array(fc.tuple(fc.maxSafeInteger().map(Math.abs), fc.nat(53)), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(nearby, fc.constantFrom(QUANTITY, ENERGY, NOTIONAL), (terms, measure) => {
        const { minutes, price, fits, fitsBits, over, used } = terms;
        const usage = new PairUsage(1);
        for (const [quantity, bits] of used) usage.add(0, Math.floor(quantity / 2 ** bits), minutes, price);
        const perKilowatt = [1n, BigInt(minutes), BigInt(minutes) * BigInt(Math.abs(price))][measure] ?? 0n;
        const left = (fits >> fitsBits) * perKilowatt + over;
        const limit = BigInt(usage.exact(0, measure)) + left;
        if (limit < 0n) return;
        if (limit > 2n ** 53n) large += 1;
        const capacity = new PairCapacity(1);
        capacity.set(0, measure, exactOf(limit));
        const available = capacity.available(0, usage, minutes, price);
        if (left <= 0n) expect(Math.max(available, 0)).toBe(0);
        else expect(available).toBe(perKilowatt === 0n ? MAX_SAFE_INTEGER : leastOf(left / perKilowatt));
        if (available === EXHAUSTED) expect(left).toBeLessThanOrEqual(0n);
      }),
      { numRuns: size(2_500, 1_000_000) },
    );
    expect(large).toBeGreaterThan(1000);
  });
});

function leastOf(available: bigint): number {
  return available > MAX_SAFE_INTEGER ? MAX_SAFE_INTEGER : Number(available);
}
