import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  decimalOf,
  dollarsOf,
  energyOf,
  kilowattsOf,
  megawattHoursOf,
  megawattsOf,
  minutesOf,
  notionalOf,
  roundedNumber,
} from "../../../sim/market/units.ts";

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
    expect(energy).toBe(6_000_000_000_000_000n);
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

  test("rounding goes half away from zero", () => {
    expect(roundedNumber(5n, 2n, 0)).toBe(3);
    expect(roundedNumber(-5n, 2n, 0)).toBe(-3);
    expect(roundedNumber(1n, 3n, 4)).toBe(0.3333);
    expect(roundedNumber(2n, 3n, 4)).toBe(0.6667);
    expect(roundedNumber(-1n, 100_000n, 2)).toBe(0);
    expect(roundedNumber(12_345n, 1000n, 3)).toBe(12.345);
  });
});
