import { beforeAll, describe, expect, test } from "bun:test";
import { addPhysical } from "../../../arena/score/physical.ts";
import { loadSolver, Programme } from "../../../arena/score/programme.ts";
import type { Asset } from "../../../arena/scenario/trading-terms.ts";

beforeAll(loadSolver);

describe("a programme", () => {
  test("finds the greatest sum within its bounds and rows", () => {
    const programme = new Programme();
    const chairs = programme.variable({ worth: 30 });
    const tables = programme.variable({ worth: 50 });
    programme.row([[chairs, 1], [tables, 2]], -Infinity, 40);
    programme.row([[chairs, 2], [tables, 1]], -Infinity, 50);
    programme.constant(7);
    const { worth, values } = programme.maximum();
    expect(worth).toBeCloseTo(1107);
    expect([...values]).toEqual([expect.closeTo(20), expect.closeTo(10)]);
  });

  test("keeps whole variables whole", () => {
    const programme = new Programme();
    const whole = programme.variable({ worth: 1, most: 2.5, isWhole: true });
    expect(programme.maximum().values[whole]).toBe(2);
  });

  test("of no variables is its constant", () => {
    const programme = new Programme();
    programme.constant(3);
    expect(programme.maximum().worth).toBe(3);
  });

  test("whose rows contradict each other throws", () => {
    const programme = new Programme();
    const one = programme.variable({ most: 1 });
    programme.row([[one, 1]], 2, 3);
    expect(() => programme.maximum()).toThrow("no optimum");
  });
});

describe("beside trades,", () => {
  /** Dollars for hours of these values, in which so much was bought. */
  function worth(
    { values, nets, asset = null, duty = null, fee = 0 }: {
      values: number[];
      nets?: number[];
      asset?: Asset | null;
      duty?: number | null;
      fee?: number;
    },
  ): number {
    const programme = new Programme();
    const periods = values.map((value, at) => ({ contractId: String(at), hours: 1, value }));
    const fixed = (nets ?? values.map(() => 0)).map((constant) => ({ constant, terms: [] }));
    addPhysical(programme, { asset, duty, imbalanceFee: fee }, periods, fixed);
    return programme.maximum().worth;
  }

  test("nothing is worth nothing", () => {
    expect(worth({ values: [40, 50], nets: [3, -3], fee: 10 })).toBe(0);
  });

  test("a duty is bought at spot, and what is missing or too much costs the fee", () => {
    expect(worth({ values: [40], nets: [5], duty: 5, fee: 10 })).toBeCloseTo(-200);
    expect(worth({ values: [40], nets: [3], duty: 5, fee: 10 })).toBeCloseTo(-220);
    expect(worth({ values: [40], nets: [8], duty: 5, fee: 10 })).toBeCloseTo(-230);
    expect(worth({ values: [40], nets: [5], duty: 0, fee: 10 })).toBeCloseTo(-50);
  });

  const plant: Asset = { kind: "plant", megawatts: 10, costPerMwh: 30, rampMw: 4 };

  test("a plant runs if the price is above its cost, no faster than its ramp", () => {
    expect(worth({ values: [50, 50, 50, 20], asset: plant })).toBeCloseTo(20 * (4 + 8 + 10) - 10 * 6);
    expect(worth({ values: [20, 20], asset: plant })).toBe(0);
  });

  test("what a plant generates without having sold it costs the fee", () => {
    expect(worth({ values: [50], nets: [-4], asset: plant, fee: 5 })).toBeCloseTo(4 * 20);
    expect(worth({ values: [50], nets: [0], asset: plant, fee: 5 })).toBeCloseTo(4 * 15);
    expect(worth({ values: [50], nets: [-6], asset: plant, fee: 5 })).toBeCloseTo(4 * 20 - 2 * 5);
  });

  const battery: Asset = { kind: "battery", megawatts: 10, hours: 2, efficiency: 0.8 };

  test("a battery charges in cheap hours and discharges in dear ones, with its loss", () => {
    expect(worth({ values: [10, 100], asset: battery })).toBeCloseTo(8 * 100 - 10 * 10);
    expect(worth({ values: [100, 10], asset: battery })).toBe(0);
    // It is full after two and a half hours, and gives back what it holds.
    expect(worth({ values: [10, 10, 10, 100, 100], asset: battery })).toBeCloseTo(20 * 100 - 25 * 10);
  });

  test("a battery never burns energy to be paid for it", () => {
    expect(worth({ values: [-50], asset: battery })).toBeCloseTo(500);
  });
});
