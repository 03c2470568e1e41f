import { describe, expect, test } from "bun:test";
import { PERMISSIONS } from "../../../core/protocol/index.ts";
import {
  BUILT_IN_OPERATOR_ID,
  BUILT_IN_SIMULATOR_ID,
  BUILT_IN_VIEWER_ID,
  builtInMarket,
} from "../../../sim/definition/built-in-market.ts";
import { checkDefinition } from "../../../sim/definition/check-definition.ts";

const at = (time: string) => Date.parse(time);
/** Noon in Chicago, before an ordinary day, the day clocks go forward, and the day they go back. */
const ORDINARY = at("2026-01-14T18:00:00Z");
const BEFORE_SPRING = at("2026-03-07T18:00:00Z");
const BEFORE_AUTUMN = at("2026-10-31T17:00:00Z");

function contracts(now: number, product: string) {
  return builtInMarket(now).contracts.filter(({ productId }) => productId === product);
}

describe("the built-in market", () => {
  test("passes the check that definitions from files must pass", () => {
    for (const now of [ORDINARY, BEFORE_SPRING, BEFORE_AUTUMN]) {
      expect(checkDefinition(JSON.parse(JSON.stringify(builtInMarket(now))))).toEqual({
        ok: true,
        definition: builtInMarket(now),
      });
    }
  });

  test("is the same for the same moment", () => {
    expect(JSON.stringify(builtInMarket(ORDINARY))).toBe(JSON.stringify(builtInMarket(ORDINARY)));
  });

  test("trades around the clock at two nodes", () => {
    const [market] = builtInMarket(ORDINARY).markets;
    expect(market?.schedule).toBeNull();
    expect(market?.nodes).toHaveLength(2);
  });

  test("lists the next day's hours, base and peak, a week, three months and two quarters at each node", () => {
    for (const node of ["NORTH", "WEST"]) {
      const counts = ["DA-HOUR", "DA-BASE", "DA-PEAK", "WK-BASE", "MO-BASE", "MO-PEAK", "QU-BASE"]
        .map((product) => contracts(ORDINARY, `${node}-${product}`).length);
      expect(counts).toEqual([24, 1, 1, 1, 3, 3, 2]);
    }
  });

  test("has 23 hours on the day when clocks go forward and 25 when they go back", () => {
    for (const [now, hours] of [[BEFORE_SPRING, 23], [BEFORE_AUTUMN, 25], [ORDINARY, 24]] as const) {
      expect(contracts(now, "WEST-DA-HOUR")).toHaveLength(hours);
      expect(contracts(now, "WEST-DA-BASE")[0]?.hours).toBe(hours);
    }
  });

  test("has hours that follow one another without gap or overlap, also when clocks change", () => {
    for (const now of [ORDINARY, BEFORE_SPRING, BEFORE_AUTUMN]) {
      const hours = contracts(now, "NORTH-DA-HOUR");
      hours.slice(1).forEach((hour, index) => expect(hour.deliveryStart).toBe(hours[index]?.deliveryEnd ?? ""));
      expect(new Set(hours.map(({ id }) => id)).size).toBe(hours.length);
    }
  });

  test("counts a month's base hours by the calendar: March loses one, November gains one", () => {
    const march = contracts(ORDINARY, "NORTH-MO-BASE").find(({ id }) => id.endsWith("2026-03"));
    const november = contracts(at("2026-10-01T12:00:00Z"), "NORTH-MO-BASE").find(({ id }) => id.endsWith("2026-11"));
    expect(march?.hours).toBe(31 * 24 - 1);
    expect(november?.hours).toBe(30 * 24 + 1);
  });

  test("counts peak hours on weekdays from 06:00 to 22:00", () => {
    // February 2026 has 20 weekdays.
    const february = contracts(ORDINARY, "NORTH-MO-PEAK").find(({ id }) => id.endsWith("2026-02"));
    expect(february?.hours).toBe(20 * 16);
    expect(february?.deliveryStart).toBe("2026-02-02T12:00:00Z");
    expect(february?.deliveryEnd).toBe("2026-02-28T04:00:00Z");
  });

  test("offers Monday's peak on a Friday and on a Saturday", () => {
    for (const day of ["2026-01-16", "2026-01-17"]) {
      expect(contracts(at(`${day}T18:00:00Z`), "NORTH-DA-PEAK")[0]?.id).toBe("NORTH-DA-PEAK-2026-01-19");
    }
  });

  test("names the week that an ISO calendar gives, also around the new year", () => {
    expect(contracts(at("2026-12-30T18:00:00Z"), "NORTH-WK-BASE")[0]?.id).toBe("NORTH-WK-BASE-2027-W01");
    expect(contracts(at("2026-12-23T18:00:00Z"), "NORTH-WK-BASE")[0]?.id).toBe("NORTH-WK-BASE-2026-W53");
  });

  test("lists nothing that delivers within the hour, at any hour of the year", () => {
    for (let now = at("2026-01-01T00:30:00Z"); now < at("2027-01-01T00:00:00Z"); now += 5 * 3_600_000) {
      for (const contract of builtInMarket(now).contracts) {
        expect(Date.parse(contract.deliveryStart)).toBeGreaterThanOrEqual(now + 3_600_000);
      }
    }
  });

  test("brings at least eight companies with traders who may trade, see and manage credit", () => {
    const { entities, users } = builtInMarket(ORDINARY);
    expect(entities.length).toBeGreaterThanOrEqual(9);
    const traders = users.filter(({ id }) => id.includes("-trader-"));
    expect(new Set(traders.map(({ entityId }) => entityId)).size).toBeGreaterThanOrEqual(8);
    for (const { permissions } of traders) {
      expect(permissions).toEqual(["Market.View", "Order.Submit", "Credit.View", "Credit.Manage"]);
    }
  });

  test("has an operator with an entity and every permission but Spot.Publish, a viewer and a simulator", () => {
    const user = (id: string) => builtInMarket(ORDINARY).users.find((candidate) => candidate.id === id);
    expect(user(BUILT_IN_OPERATOR_ID)?.entityId).toBe("OPERATOR");
    expect(user(BUILT_IN_OPERATOR_ID)?.permissions).toEqual(PERMISSIONS.filter((name) => name !== "Spot.Publish"));
    expect(user(BUILT_IN_VIEWER_ID)).toMatchObject({ entityId: null, permissions: ["Market.View"] });
    expect(user(BUILT_IN_SIMULATOR_ID)?.permissions).toContain("Spot.Publish");
  });
});
