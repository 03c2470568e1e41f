import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { aggressivenessOf, targetPrice } from "../../../sim/strategies/aggressiveness.ts";

const INTRA = { limit: 150, equilibrium: 100, worst: 0, theta: 2 };
const EXTRA = { limit: 80, equilibrium: 100, worst: 0, theta: 2 };
/** (e - 1) / (e^2 - 1) */
const HALF_WAY = 0.2689414;

const finite = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const curves = fc.record({
  limit: finite(20, 400),
  equilibrium: finite(20, 400),
  worst: finite(-100, 0),
  theta: finite(-8, 2),
});

describe("the target price", () => {
  test("of a trader who can gain runs from the worst price through the equilibrium to the limit", () => {
    expect([-1, 0, 1].map((aggressiveness) => targetPrice(INTRA, aggressiveness))).toEqual([0, 100, 150]);
    expect(targetPrice(INTRA, 0.5)).toBeCloseTo(100 + 50 * HALF_WAY, 5);
    expect(targetPrice({ ...INTRA, theta: 0 }, 0.5)).toBe(125);
    // (e^.025 - 1) / (e^.05 - 1) = 1 / (e^.025 + 1)
    expect(targetPrice({ ...INTRA, theta: 0.05 }, 0.5)).toBeCloseTo(100 + 50 / (Math.exp(0.025) + 1), 9);
    // If all trade at the worst price, no other is less willing.
    expect(targetPrice({ ...INTRA, equilibrium: 0 }, -0.5)).toBe(0);
  });

  test("of a trader who can't gain is at most the limit", () => {
    expect([-1, 0, 1].map((aggressiveness) => targetPrice(EXTRA, aggressiveness))).toEqual([0, 80, 80]);
    expect(targetPrice(EXTRA, -0.5)).toBeCloseTo(80 - 80 * HALF_WAY, 5);
  });

  test("has no kink at the equilibrium for any curvature", () => {
    const step = 1e-6;
    for (const theta of [-8, -3, -1, -1e-5, 0, 0.5, 2]) {
      for (const limit of [105, 150, 300]) {
        const curve = { ...INTRA, limit, theta };
        const above = targetPrice(curve, step) - 100;
        const below = 100 - targetPrice(curve, -step);
        expect({ theta, limit, ratio: below / above }).toEqual({ theta, limit, ratio: expect.closeTo(1, 3) });
      }
    }
  });

  test("grows with aggressiveness, and lies between the worst price and the limit", () => {
    fc.assert(fc.property(curves, finite(-1, 1), finite(-1, 1), (curve, one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)].map((each) => targetPrice(curve, each));
      expect(low).toBeLessThanOrEqual((high ?? NaN) + 1e-9);
      expect(low).toBeGreaterThanOrEqual(curve.worst - 1e-9);
      expect(high).toBeLessThanOrEqual(curve.limit + 1e-9);
    }));
  });
});

describe("the aggressiveness implied by a price", () => {
  test("is the one with this price as its target", () => {
    fc.assert(fc.property(curves, finite(-0.99, 0.99), (curve, aggressiveness) => {
      const price = targetPrice(curve, aggressiveness);
      expect(targetPrice(curve, aggressivenessOf(curve, price))).toBeCloseTo(price, 5);
    }));
  });

  test("is bounded by -1 and 1, and by 0 for a trader who can't gain", () => {
    expect(aggressivenessOf(INTRA, 200)).toBe(1);
    expect(aggressivenessOf(INTRA, -50)).toBeCloseTo(-1, 12);
    expect(aggressivenessOf(EXTRA, 90)).toBe(0);
    expect(aggressivenessOf({ ...EXTRA, limit: 100 }, 110)).toBe(0);
    expect(aggressivenessOf(EXTRA, -10)).toBeCloseTo(-1, 12);
  });
});
