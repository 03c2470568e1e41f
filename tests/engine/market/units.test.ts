import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { exactOf } from "../../../engine/market/exact-integer.ts";
import {
  decimalOf,
  dollarsOf,
  energyOf,
  kilowattsOf,
  megawattHoursOf,
  megawattsOf,
  minutesOf,
  multipleNearestToZero,
  notionalOf,
  wholeKilowatts,
  wholeNotional,
} from "../../../engine/market/units.ts";
import * as reference from "./support/bigint-units.ts";

describe("units", () => {
  test("a quantity in MW becomes whole kW, or null if it is not a whole number of kW", () => {
    expect(kilowattsOf(1)).toBe(1000);
    expect(kilowattsOf(1.001)).toBe(1001);
    expect(kilowattsOf(0.3)).toBe(300);
    expect(kilowattsOf(1_000_000)).toBe(1_000_000_000);
    expect(kilowattsOf(0.0005)).toBeNull();
    expect(kilowattsOf(1.0000001)).toBeNull();
    expect(kilowattsOf(NaN)).toBeNull();
    expect(kilowattsOf(Infinity)).toBeNull();
  });

  test("whole kW are the same after conversion to MW and back", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (kilowatts) => {
      expect(kilowattsOf(megawattsOf(kilowatts))).toBe(kilowatts);
    }));
  });

  test("quarters of an hour are whole minutes; other fractions throw", () => {
    expect(minutesOf(0.25)).toBe(15);
    expect(minutesOf(743)).toBe(44_580);
    expect(() => minutesOf(0.001)).toThrow("whole number of minutes");
  });

  test("notional is |price| x MWh, also for negative prices, in dollars to 1/100 cent", () => {
    const hour = energyOf(10_000, 60);
    expect(megawattHoursOf(hour)).toBe(10);
    expect(dollarsOf(notionalOf(4_550, hour))).toBe(455);
    expect(dollarsOf(notionalOf(-4_550, hour))).toBe(455);
    expect(dollarsOf(notionalOf(1, energyOf(1, 15)))).toBe(0);
    expect(dollarsOf(notionalOf(3, energyOf(1, 100)))).toBe(0.0001);
  });

  test("the greatest possible order is exact", () => {
    const energy = energyOf(1_000_000_000, 6_000_000);
    expect(energy).toBe(6_000_000_000_000_000);
    expect(notionalOf(-1_000_000_000, energy)).toBe(6_000_000_000_000_000_000_000_000n);
    expect(dollarsOf(notionalOf(1_000_000_000, energy))).toBe(1e18);
  });

  test("a decimal is the number as it prints", () => {
    expect(decimalOf(0.1)).toEqual({ coefficient: 1n, scale: 1 });
    expect(decimalOf(12.5)).toEqual({ coefficient: 125n, scale: 1 });
    expect(decimalOf(1e12)).toEqual({ coefficient: 1_000_000_000_000n, scale: 0 });
    expect(decimalOf(1e21)).toEqual({ coefficient: 10n ** 21n, scale: 0 });
    expect(decimalOf(1.5e-7)).toEqual({ coefficient: 15n, scale: 8 });
    expect(decimalOf(-2.25)).toEqual({ coefficient: -225n, scale: 2 });
    expect(() => decimalOf(NaN)).toThrow("finite");
  });

  test("a bound in dollars or MW is rounded down to whole units", () => {
    expect(wholeNotional(0.1)).toBe(600_000);
    expect(wholeNotional(1e-7)).toBe(0);
    expect(wholeNotional(1e15)).toBe(6_000_000_000_000_000_000_000n);
    expect(wholeKilowatts(1.0019)).toBe(1001);
    expect(wholeKilowatts(1e15)).toBe(1e18);
    const bound = fc.oneof(
      fc.double({ min: 0, max: 1e15, noNaN: true }),
      fc.nat(10_000_000).map((cents) => cents / 100),
    );
    fc.assert(fc.property(bound, (value) => {
      const { coefficient, scale } = decimalOf(value);
      expect(wholeNotional(value)).toBe(exactOf(coefficient * 6_000_000n / 10n ** BigInt(scale)));
      expect(wholeKilowatts(value)).toBe(Number(coefficient * 1000n / 10n ** BigInt(scale)));
    }));
  });

  test("energy and notional are those of bigint, at any size", () => {
    const prices = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    fc.assert(
      fc.property(prices, fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 6e6 }), (price, kw, minutes) => {
        const energy = reference.energyOf(kw, minutes);
        const notional = reference.notionalOf(price, energy);
        expect(energyOf(kw, minutes)).toBe(exactOf(energy));
        expect(notionalOf(price, exactOf(energy))).toBe(exactOf(notional));
        expect(dollarsOf(exactOf(notional))).toBe(reference.roundedNumber(notional, 6_000_000n, 4));
        expect(megawattHoursOf(exactOf(energy))).toBe(reference.roundedNumber(energy, 60_000n, 6));
      }),
    );
  });

  test("the allowed price nearest to 0 is a multiple of the step within the bounds, if there is one", () => {
    const cases: [step: number, least: number, most: number, nearest: number | null][] = [
      [5, -10, 10, 0],
      [5, 0, 10, 0],
      [5, -10, 0, 0],
      [5, 5, 10, 5],
      [5, 6, 14, 10],
      [5, -14, -6, -10],
      [5, -10, -5, -5],
      [5, 6, 9, null],
      [5, -9, -6, null],
      [1, 7, 7, 7],
    ];
    for (const [step, least, most, nearest] of cases) {
      expect([step, least, most, multipleNearestToZero(step, least, most)]).toEqual([step, least, most, nearest]);
    }
  });
});
