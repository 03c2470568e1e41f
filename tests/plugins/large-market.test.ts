// The size of answers in a large market: 150 entities and 1,000 users, credit of every kind, and a simulation of 1,000 personas
// that have faults. Every tool that reads is called with only its required parameters, about the entity that has most of
// everything. An answer is what a model reads, so its length is a cost.

import { expect, test } from "bun:test";
import { marketDefinition } from "../../engine/definition/market-definition.ts";
import { MODULE_TYPES } from "../../protocol/modules/registry.ts";
import { SIMULATOR_PATHS } from "../../protocol/index.ts";
import { wholeInputSchema } from "../support/schema-inputs.ts";
import { column, Desk, list, part, type Value } from "./support/desk.ts";
import { TOOLS } from "./support/packs.ts";
import { ScriptedSimulator, SPOT, STATUS } from "./support/scripted-simulator.ts";

const ENTITIES = 150;
const USERS = 1_000;
const CONTRACTS = 100;
const PERSONAS = 1_000;
/** Bytes of the text of an answer: of a list, and of any other. */
const LIST_BUDGET = 20_000;
const BUDGET = 12_000;
/** Characters of a reason, and of a note. */
const LONG = "because ".repeat(120);

const entityIdOf = (index: number) => `ENTITY${index}`;
const contractIdOf = (index: number) => `NORTH-DA-HOUR-2099-01-01-H${index}`;
const userIdOf = (index: number) => `trader-${index}`;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

const total = { limitType: "notional", scope: "total", limit: 123_456_789.25 } as const;
const perContract = numbers(CONTRACTS).flatMap((index) =>
  (["notional", "mw", "mwh"] as const).map((limitType) => (
    { limitType, scope: "per_contract", contractId: contractIdOf(index), limit: 123_456_789.25 } as const
  ))
);

const LARGE = marketDefinition.parse({
  markets: [{ id: "power", code: "PWR", name: "Power", timezone: "America/Chicago", nodes: ["NORTH"], schedule: null }],
  products: [{ id: "hour", marketId: "power", code: "HOUR", name: "Hour", type: "hour", node: "NORTH" }],
  contracts: numbers(CONTRACTS).map((index) => ({
    id: contractIdOf(index),
    productId: "hour",
    code: `H${index}`,
    name: `Hour ${index}`,
    deliveryStart: "2099-01-01T00:00:00Z",
    deliveryEnd: "2099-01-01T01:00:00Z",
    hours: 1,
  })),
  entities: numbers(ENTITIES).map((index) => ({
    id: entityIdOf(index),
    code: `E${index}`,
    name: `Energy Company ${index}`,
  })),
  users: numbers(USERS).map((index) => ({
    id: userIdOf(index),
    name: `User Number ${index}`,
    entityId: entityIdOf(0),
    permissions: ["Market.View", "Market.Operate", "Order.Submit", "Credit.View"],
  })),
  credit: numbers(ENTITIES).slice(1).map((index) => ({
    entityId: entityIdOf(0),
    counterpartyId: entityIdOf(index),
    limits: index === 1 ? [total, ...perContract] : [total],
    documentation: "docs_in_place",
    notes: LONG,
  })),
});

const desk = await Desk.open(LARGE);
const seat = await desk.connected(userIdOf(0), { MKT_SIM_URL: faultySimulator().url });
const entityId = entityIdOf(0);
const contractId = contractIdOf(0);
const { orderId } = await seat.ok("mkt_create_test_order", { contractId, side: "BUY", price: 100, quantity: 1 });
for (const index of numbers(60)) {
  await seat.ok("mkt_create_test_order", { contractId: contractIdOf(index), side: "BUY", price: 50, quantity: 1 });
}
const KNOWN: Value = {
  entityId,
  counterpartyId: entityIdOf(1),
  userId: userIdOf(1),
  productId: "hour",
  orderId,
  moduleType: "ORDER",
};

function faultySimulator(): ScriptedSimulator {
  const simulator = new ScriptedSimulator();
  const [persona] = STATUS.personas;
  const personas = numbers(PERSONAS).map((index) => ({ ...persona, id: `persona-number-${index}`, fault: LONG }));
  simulator.replies((line) =>
    Response.json(line.includes(SIMULATOR_PATHS.spot) ? SPOT : { ...STATUS, failure: LONG, personas })
  );
  return simulator;
}

const calls = TOOLS.flatMap((tool): [name: string, input: Value][] => {
  const { name, annotations } = tool;
  const required = (wholeInputSchema(tool)["required"] ?? []) as readonly string[];
  if (!annotations.readOnlyHint || required.some((parameter) => !(parameter in KNOWN))) return [];
  const input = Object.fromEntries(required.map((parameter) => [parameter, KNOWN[parameter]]));
  return "moduleType" in input
    ? MODULE_TYPES.map((moduleType) => [name, { ...input, moduleType, includeData: true }])
    : [[name, input]];
});
const further: readonly [name: string, input: Value][] = [
  ["mkt_get_entity", { entityId, positions: true }],
  ["mkt_connect_pubsub", {}],
  ["mkt_flush_all_orders", {}],
];

test.each([...calls, ...further])("%s %p keeps its budget", async (name, input) => {
  const bytes = Buffer.byteLength(JSON.stringify(await seat.ok(name, input)));
  const isList = name.startsWith("mkt_list_") || ["mkt_find_modules", "mkt_get_credit_status"].includes(name);
  const budget = isList || name === "mkt_sim_status" ? LIST_BUDGET : BUDGET;
  expect({ bytes, most: Math.max(bytes, budget) }).toEqual({ bytes, most: budget });
});

test("credit status gives each counterparty once on its pages, sums up all, and says that it leaves out limits", async () => {
  const seen: unknown[] = [];
  const sums = new Set<unknown>();
  let cursor: unknown = undefined;
  do {
    const page = await seat.ok("mkt_get_credit_status", { entityId, cursor });
    seen.push(...column(page, "creditLimits", "counterpartyId"));
    sums.add(page["availableCredit"]);
    expect(page).toMatchObject({ total: ENTITIES - 1, count: list(page, "creditLimits").length });
    const configs = list(page, "enhancedLimitConfigs");
    if (cursor === undefined) {
      expect(page["note"]).toBe(
        "enhancedLimitConfigs leaves out 290 limits of these counterparties: mkt_list_credit_limit_configs lists all.",
      );
    } else expect(configs.map(({ counterpartyId }) => counterpartyId)).toEqual(seen.slice(-configs.length));
    cursor = page["cursor"] ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(numbers(ENTITIES).slice(1).map(entityIdOf));
  expect(sums.size).toBe(1);
  const narrow = await seat.ok("mkt_get_credit_status", { entityId, limit: 2, fields: ["usedCredit"] });
  expect(list(narrow, "creditLimits")).toEqual([
    { counterpartyId: "ENTITY1", usedCredit: 0 },
    { counterpartyId: "ENTITY2", usedCredit: 0 },
  ]);
  expect(await seat.failure("mkt_get_credit_status", { entityId, fields: ["used"] })).toMatchObject({
    code: "invalid_input",
    message: 'fields: "used" is not a property of creditLimits.',
  });
});

test("the credit for one counterparty shows the limits that hold for all contracts first, and counts the others", async () => {
  const credit = await seat.ok("mkt_get_extended_credit", { entityId, counterpartyId: entityIdOf(1) });
  const { notional, mw, mwh } = part(credit, "limits") as Record<string, Value[]>;
  expect([notional?.length, mw?.length, mwh?.length, notional?.[0]?.["scope"]]).toEqual([15, 15, 15, "total"]);
  expect(credit["note"]).toStartWith("limits leaves out 256 limits");
});

test("an entity with many users shows the first, and counts the others", async () => {
  const [first] = list(await seat.ok("mkt_list_entities"), "entities");
  expect(first).toMatchObject({ userIds: numbers(5).map(userIdOf), usersLeftOut: USERS - 5 });
  expect(await seat.ok("mkt_get_entity", { entityId })).toMatchObject({ usersLeftOut: USERS - 200 });
  expect(await seat.ok("mkt_get_entity", { entityId: entityIdOf(1) })).not.toHaveProperty("usersLeftOut");
});
