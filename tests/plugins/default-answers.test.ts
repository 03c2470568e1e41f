// The size of answers in a busy market: the demo's market with its first orders and the stress preset, until it has more
// orders, fills and events than a list shows. Every tool that reads is called with only its required parameters; further
// calls have the parameters that make an answer longer. An answer is what a model reads, so its length is a cost.

import { beforeAll, expect, test } from "bun:test";
import { logger } from "../../common/logger.ts";
import { MODULE_TYPES } from "../../protocol/modules/registry.ts";
import { BUILT_IN_OPERATOR_ID, builtInMarket } from "../../engine/definition/built-in-market.ts";
import { placeInitialOrders } from "../../sim/live/initial-orders.ts";
import { embedSimulator } from "../../sim/live/embedded-simulator.ts";
import { atEnd } from "../support/at-end.ts";
import { wholeInputSchema } from "../support/schema-inputs.ts";
import { until } from "../support/until.ts";
import { Desk, list, part, type Seat, text, type Value } from "./support/desk.ts";
import { TOOLS } from "./support/packs.ts";

type Input = Record<string, unknown>;

const SEED = 1;
/** Simulated time passes so many times faster, so the market fills in seconds. */
const SPEED = 200;
/** More than any list shows by default. */
const MANY = 150;

/** Bytes of the text of an answer. */
const LIST_BUDGET = 20_000;
const BUDGET = 12_000;
/** The newest 50 events of a market that trades: their bytes depend on what happened last, 11,300 on the median. */
const EVENTS_BUDGET = 13_000;
const BUDGETS: Readonly<Record<string, number>> = {
  mkt_sim_status: 6_000,
  mkt_get_recent_events: EVENTS_BUDGET,
  mkt_get_audit_log: EVENTS_BUDGET,
};

const desk = await Desk.open(builtInMarket());
let operator: Seat;
let known: Input;

beforeAll(async () => {
  const { engine } = desk;
  placeInitialOrders(engine, SEED, Date.now());
  const simulator = embedSimulator({ engine, log: logger("test"), now: Date.now });
  atEnd(() => simulator.close());
  operator = await desk.connected(BUILT_IN_OPERATOR_ID, { MKT_SIM_URL: engine.url });
  await simulator.start({ preset: "stress", seed: SEED, speed: SPEED });
  await until(() => operator.ok("mkt_list_fills", { limit: MANY }), (fills) => fills["count"] === MANY);
  await until(() => operator.ok("mkt_sim_status"), (status) => Number(part(status, "totals")["orders"]) >= 3 * MANY);
  known = await knownIds();
}, 60_000);

/** Ids of modules with long answers: the order with most fills, one of its fills, their entities, and a product. */
async function knownIds(): Promise<Input> {
  const fills = list(await operator.ok("mkt_list_fills", { limit: 1000, fields: ["all"] }), "fills");
  const ofOrder = Map.groupBy(fills, (fill) => text(fill, "orderId"));
  const [fill] = [...ofOrder.values()].toSorted((one, other) => other.length - one.length)[0] ?? [];
  const [product] = list(await operator.ok("mkt_list_products"), "products");
  const { id: fillId, orderId, entityId, counterpartyId, userId } = fill ?? {};
  return { fillId, orderId, entityId, counterpartyId, userId, productId: product?.["id"] };
}

const READS = TOOLS.filter(({ annotations }) => annotations.readOnlyHint);

const byDefault = READS.flatMap(({ name, ...tool }): [name: string, input: Input][] => {
  const required = (wholeInputSchema({ name, ...tool })["required"] ?? []) as readonly string[];
  return required.includes("moduleType") ? MODULE_TYPES.map((moduleType) => [name, { moduleType }]) : [[name, {}]];
});

const longer: readonly (readonly [name: string, input: Input])[] = [
  ...MODULE_TYPES.map((moduleType) => ["mkt_find_modules", { moduleType, includeData: true }] as const),
  ...MODULE_TYPES.map((moduleType) => ["mkt_get_module_schema", { moduleType }] as const),
  ["mkt_list_products", { contracts: true }],
  ["mkt_get_entity", { positions: true }],
];

const label = (name: string, input: Input) =>
  Object.keys(input).length === 0 ? name : `${name} ${JSON.stringify(input)}`;

test.each([...byDefault, ...longer].map(([name, input]) => [label(name, input), name, input] as const))(
  "%s keeps its budget",
  async (title, name, input) => {
    const value = await operator.ok(name, { ...requiredOf(name), ...input });
    const bytes = Buffer.byteLength(JSON.stringify(value));
    const budget = BUDGETS[name] ?? (isList(name) ? LIST_BUDGET : BUDGET);
    expect({ title, bytes, most: Math.max(bytes, budget) }).toEqual({ title, bytes, most: budget });
  },
);

function isList(name: string): boolean {
  return name.startsWith("mkt_list_") || name === "mkt_find_modules";
}

/** The ids that the tool requires. */
function requiredOf(name: string): Input {
  const tool = READS.find((candidate) => candidate.name === name) ?? expect.unreachable();
  const names = (wholeInputSchema(tool)["required"] ?? []) as readonly string[];
  return Object.fromEntries(
    names.filter((required) => required in known).map((required) => [required, known[required]]),
  );
}

test("the lists are as long as they get by default", async () => {
  const full: [name: string, items: string][] = [["mkt_list_orders", "orders"], ["mkt_list_fills", "fills"]];
  for (const [name, items] of full) expect(list(await operator.ok(name), items)).toHaveLength(100);
  const found: Value = await operator.ok("mkt_find_modules", { moduleType: "TRADE", includeData: true });
  expect(list(found, "modules")).toHaveLength(100);
  // The answer has 50 events, or fewer if they are long.
  expect(list(await operator.ok("mkt_get_recent_events"), "events").length).toBeGreaterThan(40);
});
