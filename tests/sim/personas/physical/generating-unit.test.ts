import { describe, expect, test } from "bun:test";
import { GeneratingUnit } from "../../../../sim/personas/physical/generating-unit.ts";
import { shareOf } from "../../../../sim/personas/physical/product-shares.ts";
import { contract, HOUR, START } from "../support.ts";

/** Its marginal cost is 7 x 300 + 200 = 2,300. */
const PARAMETERS = { capacity: 100_000, heatRate: 7, fuelPrice: 300, variableCost: 200 };
const FIRST_HOUR = { start: START, from: START, end: START + HOUR, fuelFactor: 1 };
const hour = (price: number, changes = {}) => ({ ...FIRST_HOUR, price, ...changes });
/** In cents/MWh x kW x min. */
const WHOLE_HOUR = 100_000 * 60;

function unit(fuelFactor = 1): GeneratingUnit {
  return new GeneratingUnit("NORTH", PARAMETERS, () => fuelFactor);
}

describe("a generating unit", () => {
  test("earns the spot price less its marginal cost in an hour in which the price is at least that", () => {
    const running = unit();
    for (const [price, result] of [[2_299, 0], [2_300, 0], [4_300, WHOLE_HOUR * 2_000]] as const) {
      running.settle(hour(price));
      expect(running.result).toBe(result);
    }
  });

  test("pays more for fuel during a fuel shock", () => {
    const running = unit();
    running.settle(hour(4_300, { fuelFactor: 2 }));
    expect(running.result).toBe(0);
    running.settle(hour(4_300, { fuelFactor: 1.5 }));
    expect(running.result).toBe(WHOLE_HOUR * (4_300 - 3_350));
    expect(unit(1.5).termsOf(contract(0), START)?.unitCost).toBe(3_350);
  });

  test("does not run during an outage, and runs the rest of the hour", () => {
    const running = unit();
    running.goDown("outage", START + HOUR / 4, START + HOUR);
    running.goDown("outage", START + HOUR / 4, START + HOUR * 0.75);
    running.goUp("outage", START + HOUR / 2);
    running.goUp("another", START);
    const isUp = [0, 0.25, 0.49, 0.5].map((share) => running.isUpAt(START + share * HOUR));
    expect(isUp).toEqual([true, false, false, true]);
    running.settle(hour(2_400));
    expect(running.result).toBe(WHOLE_HOUR * 0.75 * 100);
    running.settle(hour(2_400, { start: START + HOUR, from: START + HOUR, end: START + 2 * HOUR }));
    expect(running.result).toBe(WHOLE_HOUR * 1.75 * 100);
  });

  test("settles an hour in which the run begins from then on", () => {
    const running = unit();
    running.settle(hour(2_400, { from: START + HOUR / 2 }));
    expect(running.result).toBe(WHOLE_HOUR * 0.5 * 100);
  });

  test.each([
    ["over before the run begins", [[-1, 0.2]], 45],
    ["since before the run", [[0.1, 0.5]], 30],
    ["and the next one before its end", [[0, 0.7], [0.3, 1]], 0],
    ["after the hour", [[2, 3]], 45],
  ])("runs in the rest of an hour of a run without the minutes of an outage %s", (_when, outages, minutes) => {
    const running = unit();
    for (const [id, [from, until]] of outages.entries()) {
      running.goDown(`outage ${id}`, START + from! * HOUR, START + until! * HOUR);
    }
    running.settle(hour(2_400, { from: START + HOUR / 4 }));
    expect(running.result).toBe(100_000 * minutes * 100);
  });

  test("was out until the end that was known, though it is told later, and has all of a delivery after that", () => {
    const running = unit();
    const day = contract(0);
    const whole = PARAMETERS.capacity * shareOf(day);
    running.goDown("outage", day.deliveryStart, day.deliveryStart + 6 * HOUR);
    running.goUp("outage", day.deliveryStart + 9 * HOUR);
    expect(running.termsOf(day, START)?.quantity).toBe(whole * 0.75);
    expect(running.termsOf(day, day.deliveryStart + 6 * HOUR)?.quantity).toBe(whole);
    running.goDown("next", day.deliveryStart, day.deliveryEnd);
    expect(running.termsOf(day, START)?.quantity).toBe(0);
  });

  test("has its share of capacity in a contract at its node, less what an outage takes away", () => {
    const running = unit();
    const day = contract(0);
    const whole = PARAMETERS.capacity * shareOf(day);
    expect(running.termsOf(day, START)?.quantity).toBe(whole);
    expect(running.termsOf(contract(1, { node: "WEST" }), START)).toBeNull();
    running.goDown("outage", START, day.deliveryStart + 6 * HOUR);
    expect(running.termsOf(day, START)?.quantity).toBe(whole * 0.75);
    const first = contract(2, { type: "hour", deliveryEnd: day.deliveryStart + HOUR });
    expect(running.termsOf(first, START)?.quantity).toBe(0);
    const deliveryStart = day.deliveryStart + 6 * HOUR;
    const after = contract(3, { type: "hour", deliveryStart, deliveryEnd: deliveryStart + HOUR });
    expect(running.termsOf(after, START)?.quantity).toBe(PARAMETERS.capacity * shareOf(after));
  });
});
