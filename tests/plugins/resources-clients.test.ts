// Resources, templates and completion by an official client keep their budgets in the demo's market, after a simulation of a
// busy day.

import { beforeAll, expect, test } from "bun:test";
import { EVENT_CATEGORIES } from "../../protocol/index.ts";
import { MODULE_TYPES } from "../../protocol/modules/registry.ts";
import { expandUri } from "../../core/resources/uri-template.ts";
import { httpServerHere } from "../support/in-process.ts";
import { startSimulatedMarket } from "../support/power-market.ts";
import { until } from "../support/until.ts";
import { modernOverHttp } from "../support/subscriber.ts";

const OPERATOR = "operator";
/** Bytes of one answer. */
const BUDGET = 20_000;
const DOCUMENT_BUDGETS: Readonly<Record<string, number>> = {
  "mkt://protocol": 60_000,
  "mkt://protocol-schema": 200_000,
  "mkt://market-rules": 60_000,
};
/** Bytes of an entry of a list, on average. */
const ENTRY_BUDGET = 250;

type Value = Readonly<Record<string, unknown>>;
type Client = Awaited<ReturnType<typeof modernOverHttp>>["client"];

const engine = await startSimulatedMarket();
const server = await httpServerHere({ ...engine.environmentFor(OPERATOR), MKT_SIM_URL: engine.url });

async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Value> {
  const result = await client.callTool({ name, arguments: input });
  const [content] = result.content;
  if (result.isError || content?.type !== "text") throw new Error(`${name}: ${JSON.stringify(result)}`);
  return JSON.parse(content.text) as Value;
}

async function textOf(client: Client, uri: string): Promise<string> {
  const { contents: [content] } = await client.readResource({ uri });
  if (content === undefined || !("text" in content)) throw new Error(`${uri} has no text`);
  expect(content.uri).toBe(uri);
  return content.text;
}

const { client } = await modernOverHttp(server.url);

beforeAll(async () => {
  await call(client, "mkt_connect_pubsub");
  await call(client, "mkt_sim_start", { preset: "stress", seed: 1, speed: 200 });
  await until(() => call(client, "mkt_list_fills", { limit: 150 }), (fills) => fills["count"] === 150);
  await call(client, "mkt_sim_stop");
}, 60_000);

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
  const { ids } = await call(client, "mkt_find_modules", {
    moduleType: "CONTRACT",
    filters: { status: "listed" },
    limit: 1000,
  });
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

/** Views are for browsers: no model reads them. */
test("reads every listed resource but views within its budget", async () => {
  const listed = (await pages()).flatMap(({ resources }) => resources);
  const own = listed.filter(({ uri }) => uri !== "mkt://positions" && !uri.startsWith("ui://"));
  for (const { uri, mimeType } of own) {
    const text = await textOf(client, uri);
    expect({ uri, isWithin: Buffer.byteLength(text) <= (DOCUMENT_BUDGETS[uri] ?? BUDGET) }).toEqual({
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
      expect({ uriTemplate, value, isWithin: Buffer.byteLength(text) <= BUDGET }).toMatchObject({ isWithin: true });
    }
  }
  expect(counts).toEqual({
    "mkt://order-book/{contractId}": expect.any(Number),
    "mkt://positions/{entityId}": 14,
    "mkt://orders/{userId}": 38,
    "mkt://modules/{moduleType}": MODULE_TYPES.length,
    "mkt://events/{category}": EVENT_CATEGORIES.length,
  });
});
