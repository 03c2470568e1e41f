import { describe, expect, test } from "bun:test";
import { PERMISSIONS } from "../../../protocol/index.ts";
import {
  BUILT_IN_OPERATOR_ID,
  BUILT_IN_OWN_USER_IDS,
  BUILT_IN_SIMULATOR_ID,
  BUILT_IN_VIEWER_ID,
  builtInMarket,
} from "../../../engine/definition/built-in-market.ts";
import { checkDefinition } from "../../../engine/definition/check-definition.ts";
import { contractsAt, listingsOf } from "../../../engine/definition/listed-contracts.ts";
import { size } from "../../support/sizes.ts";

const at = (time: string) => Date.parse(time);
/** Noon in Chicago: before an ordinary day, before clocks go forward, and before clocks go back. */
const ORDINARY = at("2026-01-14T18:00:00Z");
const BEFORE_SPRING = at("2026-03-07T18:00:00Z");
const BEFORE_AUTUMN = at("2026-10-31T17:00:00Z");

function contracts(now: number, product: string) {
  return contractsAt(builtInMarket(), now).filter(({ productId }) => productId === product);
}

describe("the built-in market", () => {
  test("passes the check of definitions from files", () => {
    const definition = builtInMarket();
    expect(checkDefinition(JSON.parse(JSON.stringify(definition)))).toEqual({ ok: true, definition });
  });

  test("lists the same contracts for the same time, each once", () => {
    for (const now of [ORDINARY, BEFORE_SPRING, BEFORE_AUTUMN]) {
      const listed = contractsAt(builtInMarket(), now);
      expect(contractsAt(builtInMarket(), now)).toEqual(listed);
      expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    }
  });

  test("with contracts of its own lists each once, also one that a rule lists, which then is as it is defined", () => {
    const market = builtInMarket();
    const listed = contractsAt(market, ORDINARY);
    const own = [{ ...listed[3]!, name: "mine" }, { ...listed[0]!, id: "OTHER", code: "OTHER" }];
    const all = contractsAt({ ...market, contracts: own }, ORDINARY);
    expect(all).toEqual([...own, ...listed.filter(({ id }) => id !== own[0]!.id)]);
  });

  test("lists contracts that pass the check of files, all year", () => {
    for (let now = at("2026-01-01T00:30:00Z"); now < at("2027-01-01T00:00:00Z"); now += size(601, 101) * 3_600_000) {
      const contracts = contractsAt(builtInMarket(), now);
      expect(checkDefinition({ ...builtInMarket(), contracts })).toMatchObject({ ok: true });
    }
  });

  test("trades around the clock at two nodes", () => {
    const [market] = builtInMarket().markets;
    expect(market?.schedule).toBeNull();
    expect(market?.nodes).toHaveLength(2);
  });

  test("lists tomorrow's hours, the next base, peak and weekend, weeks, months, quarters and years at each node", () => {
    for (const node of ["NORTH", "WEST"]) {
      const names = (product: string) =>
        contracts(ORDINARY, `${node}-${product}`).map(({ id }) => id.slice(`${node}-${product}-`.length));
      const tomorrow = names("DA-HOUR").filter((name) => name.startsWith("2026-01-15"));
      expect(tomorrow).toHaveLength(24);
      expect(names("DA-HOUR").filter((name) => name.startsWith("2026-01-14"))).toHaveLength(11);
      expect(names("DA-BASE")).toEqual(["2026-01-15"]);
      expect(names("DA-PEAK")).toEqual(["2026-01-15"]);
      expect(names("WE-BASE")).toEqual(["2026-W03-WE"]);
      expect(names("WK-BASE")).toEqual(["2026-W04", "2026-W05"]);
      expect(names("MO-BASE")).toEqual(["2026-02", "2026-03", "2026-04"]);
      expect(names("MO-PEAK")).toEqual(["2026-02", "2026-03", "2026-04"]);
      expect(names("QU-BASE")).toEqual(["2026-Q2", "2026-Q3", "2026-Q4"]);
      expect(names("YR-BASE")).toEqual(["2027", "2028"]);
    }
  });

  test("has at least eight companies with traders who may trade, see and manage credit", () => {
    const { entities, users } = builtInMarket();
    expect(entities.length).toBeGreaterThanOrEqual(9);
    const traders = users.filter(({ id }) => id.includes("-trader-"));
    expect(new Set(traders.map(({ entityId }) => entityId)).size).toBeGreaterThanOrEqual(8);
    expect(traders.map(({ id }) => id)).toContain(`${entities[0]!.id.toLowerCase()}-trader-1`);
    for (const { id, name, permissions } of traders) {
      expect(name.split(", trader ")[1]).toBe(id.split("-trader-")[1]!);
      expect(permissions).toEqual(["Market.View", "Order.Submit", "Credit.View", "Credit.Manage"]);
    }
  });

  test("has an operator with an entity and every permission but Spot.Publish, a viewer and a simulator", () => {
    const user = (id: string) => builtInMarket().users.find((candidate) => candidate.id === id);
    expect(user(BUILT_IN_OPERATOR_ID)?.entityId).toBe("OPERATOR");
    expect(user(BUILT_IN_OPERATOR_ID)?.permissions).toEqual(PERMISSIONS.filter((name) => name !== "Spot.Publish"));
    expect(user(BUILT_IN_VIEWER_ID)).toMatchObject({ entityId: null, permissions: ["Market.View"] });
    expect(user(BUILT_IN_SIMULATOR_ID)?.permissions).toContain("Spot.Publish");
  });

  test("has a user for the personas of each company that is simulated, who may only submit orders", () => {
    const { entities, users } = builtInMarket();
    const simulated = entities.filter(({ business }) => business !== undefined).map(({ id }) => id);
    const personas = users.filter(({ id }) => id.startsWith("sim-"));
    expect(personas.map(({ id, entityId }) => [id, entityId])).toEqual(
      simulated.map((id) => [`sim-${id.toLowerCase()}`, id]),
    );
    expect(personas.map(({ permissions }) => permissions)).toEqual(personas.map(() => ["Order.Submit"]));
    expect(new Set(entities.map(({ business }) => business))).toEqual(
      new Set(["generation", "utility", "retail", "trading", undefined]),
    );
  });

  test("has companies that nobody simulates, with a trader each, who are those for people and agents", () => {
    const { entities, users } = builtInMarket();
    const own = entities.filter(({ simulated }) => simulated === false).map(({ id }) => id);
    expect(own).toEqual(["WILLOW", "JUNIPER", "ASPEN", "HAWTHORN"]);
    expect(BUILT_IN_OWN_USER_IDS).toEqual(own.map((id) => `${id.toLowerCase()}-trader-1`));
    for (const id of own) {
      const ofCompany = users.filter(({ entityId }) => entityId === id);
      expect(ofCompany.map((user) => user.id)).toEqual([`${id.toLowerCase()}-trader-1`]);
    }
    expect(entities.filter(({ simulated }) => simulated === true)).toEqual([]);
  });

  test("trades MW at whole cents from -500 to 5000 dollars, and the peak only of days and months", () => {
    const { products, markets } = builtInMarket();
    expect(products).toHaveLength(18);
    for (const product of products) {
      expect(product).toMatchObject({ lot: 1, tick: 1, minimumPrice: -50_000, maximumPrice: 500_000, currency: "USD" });
      const isPeakOfMonth = product.id === `${product.node}-MO-PEAK`;
      expect(product.listing).toMatchObject({ at: "00:00", hours: isPeakOfMonth ? "peak" : "base" });
      expect(product.code).toBe(product.id);
    }
    expect(products.filter(({ type }) => type === "peak").map(({ id }) => id)).toEqual([
      "NORTH-DA-PEAK",
      "WEST-DA-PEAK",
    ]);
    expect(markets[0]?.keepDeliveredHours).toBe(72);
    expect(contracts(ORDINARY, "NORTH-MO-PEAK").map(({ hours }) => hours)).toEqual([20 * 16, 22 * 16, 22 * 16]);
  });

  test("grants all companies ample credit with each other, with documents in place", () => {
    expect([builtInMarket().credit, builtInMarket().creditDefaults]).toEqual([[], {
      limits: [{ limitType: "notional", scope: "total", limit: 1e12, marginPercent: 100 }],
      documentation: "docs_in_place",
    }]);
  });
});

test("a rule lists in the time zone of its product's market, at its own time and as far ahead as it says", () => {
  const market = builtInMarket();
  const [plains] = market.markets;
  const [base] = market.products.filter(({ id }) => id === "NORTH-DA-BASE");
  const kolkata = { ...plains!, id: "EAST", code: "EAST", timezone: "Asia/Kolkata" };
  const listing = { ahead: 2, at: "06:30", hours: "base" as const };
  const products = [base!, { ...base!, id: "E", code: "C", name: "N", marketId: "EAST", listing }, {
    ...base!,
    id: "UNLISTED",
    code: "UNLISTED",
    listing: undefined,
  }];
  const both = { ...market, markets: [plains!, kolkata], products };
  expect(listingsOf(both).map(({ product, rule }) => [product.id, rule])).toEqual([
    ["NORTH-DA-BASE", { kind: "base", hours: "base", ahead: 1, at: "00:00", timezone: "America/Chicago" }],
    ["E", { kind: "base", hours: "base", ahead: 2, at: "06:30", timezone: "Asia/Kolkata" }],
  ]);
  // 06:29 and 06:30 in Kolkata.
  expect(contractsAt(both, at("2026-01-15T00:59:00Z")).map(({ id }) => id)).toEqual([
    "NORTH-DA-BASE-2026-01-15",
    "E-2026-01-16",
  ]);
  expect(contractsAt(both, at("2026-01-15T01:00:00Z")).slice(1)).toEqual(["2026-01-16", "2026-01-17"].map((day) => ({
    id: `E-${day}`,
    productId: "E",
    code: `C-${day}`,
    name: `N ${day}`,
    deliveryStart: new Date(at(`${day}T00:00:00+05:30`)).toISOString(),
    deliveryEnd: new Date(at(`${day}T24:00:00+05:30`)).toISOString(),
    hours: 24,
  })));
});
