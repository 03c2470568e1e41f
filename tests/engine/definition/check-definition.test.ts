import { describe, expect, test } from "bun:test";
import { checkDefinition } from "../../../engine/definition/check-definition.ts";

/** A small valid market; each test breaks one thing in it. */
function validDefinition() {
  return {
    markets: [{
      id: "M",
      code: "M",
      name: "Market",
      timezone: "Europe/Berlin",
      nodes: ["A", "B"],
      schedule: { days: ["mon", "tue"], preopen: "08:00", open: "09:00", close: "17:00" },
    }],
    products: [{ id: "P", marketId: "M", code: "P", name: "Product", type: "base", node: "A" }],
    contracts: [{
      id: "C",
      productId: "P",
      code: "C",
      name: "Contract",
      deliveryStart: "2026-01-15T00:00:00Z",
      deliveryEnd: "2026-01-16T00:00:00Z",
      hours: 24,
    }],
    entities: [{ id: "X", code: "X", name: "X" }, { id: "Y", code: "Y", name: "Y" }],
    users: [{ id: "u", name: "U", entityId: "X", permissions: ["Market.View"] }],
    credit: [{
      entityId: "X",
      counterpartyId: "Y",
      limits: [{ limitType: "mw", scope: "per_contract", contractId: "C", limit: 10 }],
    }],
  };
}

/** The valid definition with one value replaced. `path`: such as `markets[0].id`. */
function withValue(path: string, value: unknown): unknown {
  const definition: unknown = validDefinition();
  const keys = path.match(/[^.[\]]+/g) ?? [];
  let target = definition as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) target = target[key] as Record<string, unknown>;
  target[keys.at(-1) ?? ""] = value;
  return definition;
}

function faultsOf(definition: unknown): readonly string[] {
  const checked = checkDefinition(definition);
  return checked.ok ? [] : checked.faults;
}

const base = validDefinition();
const [contract] = base.contracts;
const [pair] = base.credit;
const limit = pair?.limits[0];

describe("a market definition", () => {
  test("that is valid is parsed, with all defaults filled in", () => {
    const checked = checkDefinition(validDefinition());
    if (!checked.ok) throw new Error(checked.faults.join("\n"));
    expect(checked.definition.products[0]).toMatchObject({ lot: 1, tick: 1, minimumPrice: -50_000, currency: "USD" });
    expect(checked.definition.credit[0]?.documentation).toBe("no_docs");
  });

  const market = base.markets[0];
  const schedule = market?.schedule;
  const tooLong = "make a session of 24 hours or more; leave time between close and the next preopen";
  /** Path of the changed value, the expected fault after that path, and the value. */
  const faults: [string, string, unknown][] = [
    ["markets[1]", '.id: "M" is already used by markets[0]', { ...market, code: "N" }],
    ["markets[1]", '.code: "M" is already used by markets[0]', { ...market, id: "N" }],
    [
      "markets[0].schedule",
      `: preopen 09:00, open 09:00, close 09:00 ${tooLong}`,
      { ...schedule, preopen: "09:00", close: "09:00" },
    ],
    ["markets[0].timezone", ': unknown time zone "Mars/Olympus"', "Mars/Olympus"],
    ["markets[0].nodes", '[1]: "A" repeats markets[0].nodes[0]', ["A", "A"]],
    ["markets[0].schedule.days", '[1]: "mon" repeats markets[0].schedule.days[0]', ["mon", "mon"]],
    [
      "markets[0].schedule",
      `: preopen 16:59, open 09:00, close 17:00 ${tooLong}`,
      { ...schedule, preopen: "16:59" },
    ],
    ["markets[0].schedule", `: preopen 08:00, open 09:00, close 09:00 ${tooLong}`, { ...schedule, close: "09:00" }],
    ["products[0].marketId", ': no market with id "Z"', "Z"],
    ["products[0].node", ': market "M" has no node "Z"', "Z"],
    ["products[0].minimumPrice", ": 600000 is above maximumPrice, 500000", 600_000],
    ["products[1]", '.code: "P" is already used by products[0]', { ...base.products[0], id: "Q" }],
    ["contracts[0].productId", ': no product with id "Z"', "Z"],
    ["contracts[1]", '.id: "C" is already used by contracts[0]', { ...contract, code: "D" }],
    ["contracts[1]", '.code: "C" is already used by contracts[0]', { ...contract, id: "D" }],
    ["contracts[0].deliveryEnd", ": is not after deliveryStart", "2026-01-15T00:00:00Z"],
    ["contracts[0].hours", ": 24.25 is more than the 24 hours from deliveryStart to deliveryEnd", 24.25],
    ["entities[1].code", ': "X" is already used by entities[0]', "X"],
    [
      "entities[0].business",
      ': there is no "mining"; give one of generation, retail, utility, trading',
      "mining",
    ],
    ["users[0].entityId", ': no entity with id "Z"', "Z"],
    ["users[1]", '.id: "u" is already used by users[0]', base.users[0]],
    ["users[0].permissions", '[1]: "Market.View" repeats users[0].permissions[0]', ["Market.View", "Market.View"]],
    ["credit[0].entityId", ': no entity with id "Z"', "Z"],
    ["credit[0].counterpartyId", ': no entity with id "Z"', "Z"],
    ["products[1]", '.id: "P" is already used by products[0]', { ...base.products[0], code: "Q" }],
    ["entities[2]", '.id: "X" is already used by entities[0]', { ...base.entities[0], code: "Z" }],
    ["credit[0].counterpartyId", ": is the same as entityId", "X"],
    ["credit[1]", ": has the same entityId and counterpartyId as credit[0]", pair],
    ["credit[0].limits[0]", ".contractId: is required if scope is per_contract", { ...limit, contractId: undefined }],
    ["credit[0].limits[0]", ".contractId: is only allowed if scope is per_contract", { ...limit, scope: "total" }],
    ["credit[0].limits[0].contractId", ': no contract with id "Z"', "Z"],
    ["credit[0].limits[1]", ": has the same limitType, scope and contractId as credit[0].limits[0]", limit],
    [
      "creditDefaults",
      '.limits[0].contractId: no contract with id "Z"',
      { documentation: "pending", limits: [{ ...limit, contractId: "Z" }] },
    ],
  ];

  const listingFaults = (type: string, listing: unknown) =>
    faultsOf(withValue("products[0]", { ...base.products[0], type, listing }));

  test("lists 1 to 60 periods ahead, and hours of 1 to 14 days", () => {
    expect(listingFaults("base", { ahead: 1 })).toEqual([]);
    expect(listingFaults("base", { ahead: 60 })).toEqual([]);
    expect(listingFaults("hour", { ahead: 14 })).toEqual([]);
    expect(listingFaults("base", { ahead: 0 })[0]).toStartWith("products[0].listing.ahead: ");
    expect(listingFaults("base", { ahead: 61 })[0]).toStartWith("products[0].listing.ahead: ");
    expect(listingFaults("hour", { ahead: 15 })).toEqual([
      "products[0].listing.ahead: 15 is more than 14 days, the most for type hour",
    ]);
    expect(listingFaults("base", { ahead: 1, at: "24:00" })[0]).toStartWith("products[0].listing.at: ");
  });

  test("lists peak hours only of weeks, months, quarters and years", () => {
    for (const type of ["week", "month", "quarter", "year"]) {
      expect(listingFaults(type, { ahead: 1, hours: "peak" })).toEqual([]);
    }
    for (const type of ["hour", "base", "peak", "weekend"]) {
      expect(listingFaults(type, { ahead: 1, hours: "peak" })).toEqual([
        `products[0].listing.hours: type ${type} has no peak hours; use type peak for the peak of a day`,
      ]);
    }
  });

  test("keeps delivered contracts for 0 to 8760 hours", () => {
    const faultsOfKeeping = (hours: number) => faultsOf(withValue("markets[0].keepDeliveredHours", hours));
    expect([faultsOfKeeping(0), faultsOfKeeping(8760)]).toEqual([[], []]);
    expect(faultsOfKeeping(-1)[0]).toStartWith("markets[0].keepDeliveredHours: ");
    expect(faultsOfKeeping(8761)[0]).toStartWith("markets[0].keepDeliveredHours: ");
  });

  test("needs contracts or a listing", () => {
    const { contracts: _, credit: __, ...bare } = validDefinition();
    expect(faultsOf(bare)).toEqual(["contracts: is empty, and no product has a listing; add contracts or a listing"]);
    expect(faultsOf({ ...bare, products: [{ ...bare.products[0], listing: { ahead: 1 } }] })).toEqual([]);
  });

  test.each(faults)("may have the fault %s%s", (path, fault, value) => {
    expect(faultsOf(withValue(path, value))).toEqual([path + fault]);
  });

  test("may have what only looks like a fault", () => {
    const definition = validDefinition();
    const market = { ...definition.markets[0]!, id: "N", code: "N", nodes: ["C"] };
    const second = { ...contract!, id: "D", code: "D" };
    const ofPair = [limit!, { ...limit!, limitType: "mwh" }, { ...limit!, contractId: "D" }, {
      limitType: "mw",
      scope: "total",
      limit: 1,
    }];
    const session = { days: ["mon"], preopen: "09:01", open: "09:01", close: "09:00" };
    const valid = {
      ...definition,
      markets: [{ ...definition.markets[0], schedule: session }, market],
      products: [
        { ...base.products[0], minimumPrice: 5, maximumPrice: 5 },
        { ...base.products[0], id: "Q", code: "Q", marketId: "N", node: "C" },
      ],
      contracts: [contract, second],
      users: [...base.users, { id: "nobody's", name: "U", entityId: null, permissions: [] }],
      credit: [{ ...pair, limits: ofPair }, { ...pair, entityId: "Y", counterpartyId: "X" }],
    };
    expect(faultsOf(valid)).toEqual([]);
    // A node is one of the product's own market.
    const products = [{ ...base.products[0], node: "C" }];
    expect(faultsOf({ ...valid, products, credit: [] })).toEqual(['products[0].node: market "M" has no node "C"']);
  });

  const refused: [path: string, values: unknown[]][] = [
    ["markets[0].id", ["", "-M", ".M", " M", "M M", "M\n", "\u00c4", "M/1", "M:1", "x".repeat(101)]],
    ["markets[0].schedule.preopen", ["8:30", "24:00", "08:60", "08:300", "108:30", "08:30:00", " 08:30", "0830"]],
    ["markets[0].nodes", [[]]],
    ["markets[0].schedule.days", [[], ["MON"]]],
    ["products[0].lot", [0, 0.0001, 10_001, -1]],
    ["products[0].tick", [0, 0.5, 1.5, -1, 100_001]],
    ["products[0].minimumPrice", [0.5, -1_000_000_001]],
    ["products[0].currency", ["US", "DOLLAR"]],
    ["contracts[0].hours", [0, -1, 0.1, 23.9]],
    ["contracts[0].deliveryStart", ["2026-01-15", "2026-01-15T00:00:00", "tomorrow", 5]],
    ["contracts[0].deliveryEnd", ["2026-01-16", "2026-01-16T00:00:00"]],
    ["users[0].id", ["", "a b", "\u00e4", "a\n", "x".repeat(201)]],
    ["users[0].permissions", [["Market.Trade"]]],
    ["credit[0].limits[0].limit", [-1, 1e12 + 1, null]],
    ["credit[0].limits[0].marginPercent", [-1, 101]],
    ["credit[0].documentation", ["none"]],
    ["credit[0].notes", ["x".repeat(1001)]],
  ];
  test.each(refused)("has no %s such as %j", (path, values) => {
    for (const value of values) {
      const faults = faultsOf(withValue(path, value));
      expect([value, faults.length === 0 ? "accepted" : faults[0]]).toEqual([value, expect.stringContaining(path)]);
    }
  });

  const accepted: [path: string, values: unknown[]][] = [
    ["markets[0].name", ["x", "\u00c4 name of the market", "x".repeat(200)]],
    ["markets[0].code", ["m", "0", "a.b_c-D", "x".repeat(100)]],
    ["markets[0].schedule", [null, { days: ["sun"], preopen: "00:00", open: "00:00", close: "23:59" }]],
    ["products[0].lot", [0.001, 0.5, 10_000]],
    ["products[0].minimumPrice", [-1_000_000_000, 0]],
    ["contracts[0].hours", [0.25, 23.75]],
    ["contracts[0].deliveryEnd", ["2026-01-16T02:00:00+02:00", "2026-01-16T00:00:00.000Z"]],
    ["users[0].id", ["!", 'a@b.c/"~', "x".repeat(200)]],
    ["credit[0].limits[0].limit", [0, 1e12, 0.01]],
    ["credit[0].limits[0].marginPercent", [0, 100, 12.5]],
  ];
  test.each(accepted)("may have a %s such as %j", (path, values) => {
    for (const value of values) expect([value, faultsOf(withValue(path, value))]).toEqual([value, []]);
  });

  test("says for each value that it leaves out what then holds", () => {
    const checked = checkDefinition({ ...validDefinition(), credit: [{ entityId: "X", counterpartyId: "Y" }] });
    if (!checked.ok) throw new Error(checked.faults.join("\n"));
    const { markets, products, credit, creditDefaults } = checked.definition;
    expect([markets[0]?.keepDeliveredHours, products[0]?.maximumPrice, products[0]?.listing]).toEqual([
      72,
      500_000,
      undefined,
    ]);
    expect([credit, creditDefaults]).toEqual([
      [{ entityId: "X", counterpartyId: "Y", limits: [], documentation: "no_docs" }],
      undefined,
    ]);
    const listed = checkDefinition(withValue("products[0].listing", { ahead: 1 }));
    expect(listed.ok && listed.definition.products[0]?.listing).toEqual({ ahead: 1, at: "00:00", hours: "base" });
    expect(listed.ok && listed.definition.credit[0]?.limits[0]?.marginPercent).toBe(100);
  });

  test("with several invalid values names the path of each", () => {
    const definition = { ...validDefinition(), users: [], contracts: [{ ...contract, hours: -1, name: "" }], extra: 1 };
    const faults = faultsOf(definition).map((fault) => fault.slice(0, fault.indexOf(":"))).toSorted();
    expect(faults).toEqual(["contracts[0].hours", "contracts[0].name", "definition", "users"]);
  });

  test("with several unknown references names each", () => {
    const definition = validDefinition();
    definition.contracts = definition.contracts.map((each) => ({ ...each, productId: "Z", hours: 25 }));
    definition.users = definition.users.map((each) => ({ ...each, entityId: "Z" }));
    expect(faultsOf(definition)).toHaveLength(3);
  });

  test("that is not an object is refused without throwing", () => {
    for (const value of [null, 1, "x", [], undefined]) expect(faultsOf(value)).toHaveLength(1);
  });
});
