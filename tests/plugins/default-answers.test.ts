// The size of answers in a busy market: the demo's market with its first orders and the stress preset, until it has more
// orders, fills and events than a list shows. Every tool that reads is called with only its required parameters; further
// calls have the parameters that make an answer longer. Resources follow. An answer is what a model reads, so its length is
// a cost.

import { beforeAll, describe, expect, test } from "bun:test";
import { logger } from "../../common/logger.ts";
import { MODULE_TYPES } from "../../protocol/modules/registry.ts";
import { BUILT_IN_OPERATOR_ID, builtInMarket } from "../../engine/definition/built-in-market.ts";
import { placeInitialOrders } from "../../sim/live/initial-orders.ts";
import { embedSimulator } from "../../sim/live/embedded-simulator.ts";
import { atEnd } from "../support/at-end.ts";
import { EVENT_CATEGORIES } from "../../protocol/index.ts";
import { expandUri } from "../../core/resources/uri-template.ts";
import { httpServerHere } from "../support/in-process.ts";
import { modernOverHttp } from "../support/subscriber.ts";
import { wholeInputSchema } from "../support/schema-inputs.ts";
import { size } from "../support/sizes.ts";
import { until } from "../support/until.ts";
import { Desk, list, type Seat, text, type Value } from "./support/desk.ts";
import { TOOLS } from "./support/packs.ts";

type Input = Record<string, unknown>;
type Client = Awaited<ReturnType<typeof modernOverHttp>>["client"];

const SEED = 1;
/** Simulated time passes so many times faster, so the market fills in seconds. */
const SPEED = 200;
const DOCUMENT_BUDGETS: Readonly<Record<string, number>> = {
  "mkt://protocol": 60_000,
  "mkt://protocol-schema": 200_000,
  "mkt://market-rules": 60_000,
};
/** Bytes of an entry of a list of resources, on average. */
const ENTRY_BUDGET = 250;

/** More than any list shows by default. */
const MANY = 150;
/** Two for each trade, of which a list shows 100 by default. */
const FILLS = size(220, 2 * MANY);

/** Bytes of the text of an answer. */
const LIST_BUDGET = 20_000;
const BUDGET = 12_000;
/** The newest 50 events of a market that trades, of 300 bytes at most: 11,300 on the median, by what happened last. */
const EVENTS_BUDGET = 15_000;
const BUDGETS: Readonly<Record<string, number>> = {
  mkt_sim_status: 6_000,
  mkt_watch_market: EVENTS_BUDGET,
  mkt_watch_orders: EVENTS_BUDGET,
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
  await until(() => operator.ok("mkt_list_fills", { limit: FILLS }), (fills) => fills["count"] === FILLS);
  await until(() => simulator.status().totals.orders >= 3 * MANY, "many orders");
  // A market that trades on would take most of the time of the tests.
  await operator.ok("mkt_halt_market");
  known = await knownIds();
});

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

describe("resources, templates and completion by an official client", async () => {
  const server = await httpServerHere({
    MKT_HOST: `127.0.0.1:${desk.engine.port}`,
    MKT_BASE_URL: desk.engine.url,
    MKT_USER_ID: BUILT_IN_OPERATOR_ID,
    MKT_AUTO_CONNECT: "1",
  });
  const { client } = await modernOverHttp(server.url);

  // While the market's time runs, contracts come and go.
  beforeAll(() => operator.ok("mkt_sim_stop"));

  async function pages(): Promise<Awaited<ReturnType<Client["listResources"]>>[]> {
    const first = await client.listResources();
    const all = [first];
    // The client of 2026-07-28 gives all pages at once.
    for (let last = first; last.nextCursor !== undefined && all.length < 20;) {
      last = await client.listResources({ cursor: last.nextCursor });
      all.push(last);
    }
    return all;
  }

  test("lists the order book of every listed contract, each once, on pages", async () => {
    const listed = (await pages()).flatMap(({ resources }) => resources);
    const contracts = { moduleType: "CONTRACT", filters: { status: "listed" }, limit: 1000 };
    const { ids } = await operator.ok("mkt_find_modules", contracts);
    const books = listed.filter(({ uri }) => uri.startsWith("mkt://order-book/"));
    expect(books.map(({ uri }) => uri).toSorted()).toEqual(
      (ids as string[]).map((id) => `mkt://order-book/${id}`).toSorted(),
    );
    expect(books.length).toBeGreaterThan(50);
    for (const { title, name } of books) {
      expect(`${title} ${name}`).toMatch(/^Order book: [A-Z-]+, \d{4}-\d\d-\d\d.* order-book/);
    }
    expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
  });

  test("a page keeps its budget, and a made-up cursor is refused", async () => {
    for (const page of await pages()) {
      const bytes = Buffer.byteLength(JSON.stringify(page.resources));
      expect(bytes).toBeLessThanOrEqual(page.resources.length * ENTRY_BUDGET);
    }
    await expect(client.listResources({ cursor: "made up" })).rejects.toThrow("Start again without cursor");
  });

  test("reads every listed resource but views within its budget", async () => {
    const listed = (await pages()).flatMap(({ resources }) => resources);
    const own = listed.filter(({ uri }) => uri !== "mkt://positions" && !uri.startsWith("ui://"));
    for (const { uri, mimeType } of own) {
      const text = await textOf(client, uri);
      expect({ uri, isWithin: Buffer.byteLength(text) <= (DOCUMENT_BUDGETS[uri] ?? LIST_BUDGET) }).toEqual({
        uri,
        isWithin: true,
      });
      if (mimeType?.endsWith("json")) JSON.parse(text);
    }
  });

  test("completes each template, and reads what was completed, within the budget", async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    const counts: Record<string, number> = {};
    for (const { uriTemplate } of resourceTemplates) {
      const [, name = ""] = /\{(\w+)\}/.exec(uriTemplate) ?? [];
      const ref = { type: "ref/resource", uri: uriTemplate } as const;
      const { completion } = await client.complete({ ref, argument: { name, value: "" } });
      const { values, total = 0, hasMore } = completion;
      expect(hasMore).toBe(total > 100);
      expect(values).toHaveLength(Math.min(total, 100));
      counts[uriTemplate] = total;
      for (const value of values.slice(0, 15)) {
        const text = await textOf(client, expandUri(uriTemplate, { [name]: value }));
        JSON.parse(text);
        expect({ uriTemplate, value, isWithin: Buffer.byteLength(text) <= LIST_BUDGET }).toMatchObject({
          isWithin: true,
        });
      }
    }
    expect(counts).toEqual({
      "mkt://order-book/{contractId}": expect.any(Number),
      "mkt://positions/{entityId}": 18,
      "mkt://orders/{userId}": 42,
      "mkt://modules/{moduleType}": MODULE_TYPES.length,
      "mkt://events/{category}": EVENT_CATEGORIES.length,
    });
  });
});

async function textOf(client: Client, uri: string): Promise<string> {
  const { contents: [content] } = await client.readResource({ uri });
  if (content === undefined || !("text" in content)) throw new Error(`${uri} has no text`);
  expect(content.uri).toBe(uri);
  return content.text;
}
