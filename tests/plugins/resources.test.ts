// The resources of the packs, read by an official client in this process. Alice and Bob trade; each resource must answer what
// its tool answers.

import { beforeAll, describe, expect, test } from "bun:test";
import { EVENT_CATEGORIES } from "../../protocol/index.ts";
import { MODULE_TYPES } from "../../protocol/modules/registry.ts";
import type { Value } from "./support/desk.ts";
import { BASE, ISLAND, PEAK } from "./support/market.ts";
import { PACKS } from "./support/packs.ts";
import { ResourceClient } from "./support/resource-client.ts";

const RESOURCES = PACKS.flatMap(({ resources }) => resources);
const OPEN_ORDERS = { value: ["working", "partial", "held"], operator: "in" };
let alice: ResourceClient;

function trade({ market }: ResourceClient): void {
  const order = { contractId: BASE, timeInForce: "gtc" } as const;
  market.execute("alice", "order.submit", { ...order, clientOrderId: "a-1", side: 0, price: 4500, quantity: 20 });
  market.execute("bob", "order.submit", { ...order, clientOrderId: "b-1", side: 1, price: 4500, quantity: 12 });
  market.execute("bob", "order.submit", { ...order, clientOrderId: "b-2", side: 1, price: 4700, quantity: 3 });
}

beforeAll(async () => {
  alice = await ResourceClient.open("alice");
  trade(alice);
});

/** The positions are of the time of the request. */
const withoutTime = ({ asOf: _asOf, ...value }: Value) => value;

describe("every resource answers as its tool", () => {
  test.each(
    [
      ["mkt://market", "mkt_get_market_state", {}],
      [`mkt://order-book/${BASE}`, "mkt_get_order_book", { contractId: BASE }],
      [`mkt://order-book/${ISLAND}`, "mkt_get_order_book", { contractId: ISLAND }],
      ["mkt://positions", "mkt_get_entity", { entityId: "alpha", positions: true }],
      ["mkt://positions/alpha", "mkt_get_entity", { entityId: "alpha", positions: true }],
      ["mkt://orders/bob", "mkt_find_modules", {
        moduleType: "ORDER",
        filters: { userId: "bob", status: OPEN_ORDERS },
        includeData: true,
      }],
      ...EVENT_CATEGORIES.map((category) =>
        [`mkt://events/${category}`, "mkt_get_recent_events", { category }] as const
      ),
      ["mkt://modules", "mkt_get_module_schema", {}],
      ...MODULE_TYPES.map((type) => [`mkt://modules/${type}`, "mkt_get_module_schema", { moduleType: type }] as const),
    ] as const,
  )("%s is %s", async (uri, tool, input) => {
    const { text, mimeType } = await alice.text(uri);
    expect(mimeType).toBe("application/json");
    expect(withoutTime(JSON.parse(text) as Value)).toEqual(withoutTime(await alice.call(tool, input)));
  });

  test("the contents are those of the trade", async () => {
    expect(await alice.read(`mkt://order-book/${BASE}`)).toMatchObject({
      contractId: BASE,
      lastPrice: 4500,
      spread: 200,
    });
    expect(await alice.read("mkt://positions")).toMatchObject({ id: "alpha", count: 1, totals: { netQuantity: 12 } });
    expect(await alice.read("mkt://orders/bob")).toMatchObject({
      total: 1,
      modules: [{ quantity: 3, status: "working" }],
    });
    expect(await alice.read("mkt://events/fill")).toMatchObject({ count: 3 });
  });
});

test("the cursor of open orders continues in the tool, with the filters that docs/mcp.md gives", async () => {
  const many = await ResourceClient.open("alice");
  const order = { contractId: BASE, timeInForce: "gtc", side: 0, price: 100, quantity: 1 } as const;
  for (let index = 0; index < 103; index += 1) {
    many.market.execute("alice", "order.submit", { ...order, clientOrderId: `many-${index}` });
  }
  const first = await many.read("mkt://orders/alice");
  expect(first).toMatchObject({ total: 103, returned: 100, hasMore: true });
  const document = await Bun.file(new URL("../../docs/mcp.md", import.meta.url)).text();
  const [, filters = ""] = /`(\{"userId": "USERID".*\})`/.exec(document) ?? [];
  const rest = await many.call("mkt_find_modules", {
    moduleType: "ORDER",
    filters: JSON.parse(filters.replace("USERID", "alice")) as Value,
    cursor: first["cursor"],
  });
  expect(rest).toMatchObject({ returned: 3, hasMore: false });
  expect(new Set([...first["ids"] as string[], ...rest["ids"] as string[]]).size).toBe(103);
});

describe("an id of something that does not exist", () => {
  test.each(
    [
      ["mkt://order-book/base-2", "mkt_get_order_book", { contractId: "base-2" }],
      ["mkt://order-book/nothing%20like%2Fit", "mkt_get_order_book", { contractId: "nothing like/it" }],
      ["mkt://positions/delta", "mkt_get_entity", { entityId: "delta", positions: true }],
      ["mkt://orders/alicia", "mkt_find_modules", { moduleType: "ORDER", filters: { userId: "alicia" } }],
    ] as const,
  )("%s is refused with the words of the tool", async (uri, tool, input) => {
    const { code, message, data } = await alice.failure(uri);
    expect({ code, data }).toEqual({ code: -32602, data: { uri } });
    expect(message).toBe(await alice.toolFailure(tool, input));
  });

  test("a category and a module type that don't exist are refused with those that do", async () => {
    expect((await alice.failure("mkt://events/weather")).message).toBe(
      'There is no event category "weather". Give one of order, fill, pricing, market, credit, system, other.',
    );
    expect((await alice.failure("mkt://modules/CONTRAKT")).message).toContain("Give one of MARKET, PRODUCT, CONTRACT");
  });

  test("a URI of no resource is refused with the nearest one, and where all are named", async () => {
    expect(await alice.failure("mkt://markt")).toEqual({
      code: -32602,
      message:
        "Resource mkt://markt not found (did you mean mkt://market?); resources/list and resources/templates/list " +
        "have all.",
      data: { uri: "mkt://markt" },
    });
    for (const uri of ["mkt://order-book/", "mkt://order-book/a/b", "mkt://order-book/%", "file:///etc/passwd"]) {
      expect((await alice.failure(uri)).message).toContain("not found");
    }
  });

  test("ids in another case mean the same as in the tool", async () => {
    expect(await alice.read("mkt://order-book/BASE-1")).toEqual(await alice.read(`mkt://order-book/${BASE}`));
    expect(await alice.read("mkt://modules/order")).toMatchObject({ moduleType: "ORDER" });
    expect(await alice.read("mkt://events/Fill")).toMatchObject({ count: 3 });
  });

  test("an id with odd characters is read percent-encoded", async () => {
    const id = "a/b c?d#e%é.1";
    const odd = await ResourceClient.open("alice");
    const { snapshot } = odd.market;
    const contract = snapshot.get("CONTRACT", BASE)!;
    const engine = snapshot.get("ENGINE", contract.engineId)!;
    const asOf = snapshot.asOf!;
    snapshot.apply({ statePath: `/ENGINE/e`, state: { ...engine, id: "e", contractId: id } }, asOf);
    snapshot.apply({ statePath: `/CONTRACT/${id}`, state: { ...contract, id, engineId: "e" } }, asOf);
    const uri = `mkt://order-book/${encodeURIComponent(id)}`;
    expect(await odd.read(uri)).toMatchObject({ contractId: id });
    expect((await odd.client.listResources()).resources.map((resource) => resource.uri)).toContain(uri);
  });
});

describe("what a resource needs", () => {
  const LIVE = [
    "mkt://market",
    `mkt://order-book/${BASE}`,
    "mkt://positions",
    "mkt://orders/alice",
    "mkt://events/order",
  ];

  test("without a connection live resources are refused, and the others are read", async () => {
    const apart = await ResourceClient.open();
    for (const uri of LIVE) {
      expect(await apart.failure(uri)).toMatchObject({
        message: "There is no connection to the market. Connect to the market first.",
        data: { code: "not_connected" },
      });
    }
    for (const uri of ["mkt://positions/alpha", "mkt://modules", "mkt://market-rules", "mkt://protocol"]) {
      expect((await apart.text(uri)).text.length).toBeGreaterThan(100);
    }
    expect(() => apart.version("mkt://positions/alpha")).toThrow("There is no connection to the market.");
  });

  test("positions of another entity need Scope.Global", async () => {
    const { message, data } = await alice.failure("mkt://positions/beta");
    expect(data).toMatchObject({ code: "forbidden" });
    expect(message).toBe(await alice.toolFailure("mkt_get_entity", { entityId: "beta", positions: true }));
    expect(() => alice.version("mkt://positions/beta")).toThrow("Scope.Global");
    const olga = await ResourceClient.open("olga");
    expect(await olga.read("mkt://positions/beta")).toMatchObject({ id: "beta" });
  });

  test("positions have the version of the entity that is meant, and of an unknown one none", async () => {
    const olga = await ResourceClient.open("olga");
    expect(olga.version("mkt://positions/BETA")).toBe(olga.version("mkt://positions/beta"));
    expect(() => olga.version("mkt://positions/beat")).toThrow(/beat/);
  });

  test("a user of no entity has no positions", async () => {
    const olga = await ResourceClient.open("olga");
    expect(await olga.failure("mkt://positions")).toMatchObject({
      message:
        "User olga belongs to no entity, and so has no positions. Read mkt://positions/{entityId} of an entity; " +
        "mkt_list_entities gives the entities.",
    });
    expect(() => olga.version("mkt://positions")).toThrow("belongs to no entity");
  });

  test("while a lost connection is being restored, what comes from it is marked, and positions are not", async () => {
    const lost = await ResourceClient.open("alice");
    lost.market.lose();
    const { asOf } = lost.market.snapshot;
    for (const uri of LIVE.filter((uri) => uri !== "mkt://positions")) {
      expect(await lost.read(uri)).toMatchObject({ stale: true, asOf });
    }
    expect(await lost.read("mkt://positions")).not.toHaveProperty("stale");
    expect(await lost.read("mkt://modules")).not.toHaveProperty("stale");
  });
});

const VIEW_URIS = RESOURCES.map(({ uri }) => uri).filter((uri) => uri.startsWith("ui://"));
/** Resources without parameters. */
const FIXED = 6 + VIEW_URIS.length;

describe("resources/list", () => {
  test("has the fixed resources, and the order book of each listed contract with product and delivery", async () => {
    const { resources } = await alice.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "mkt://market",
      "mkt://positions",
      "mkt://modules",
      "mkt://protocol",
      "mkt://protocol-schema",
      "mkt://market-rules",
      ...VIEW_URIS,
      `mkt://order-book/${BASE}`,
      `mkt://order-book/${PEAK}`,
      `mkt://order-book/${ISLAND}`,
    ]);
    expect(resources.at(-1)).toEqual({
      uri: `mkt://order-book/${ISLAND}`,
      name: `order-book/${ISLAND}`,
      title: "Order book: ISLB, 2099-01-01 01:00 to 2099-01-02 01:00",
      mimeType: "application/json",
    });
    expect(new Set(resources.map(({ name }) => name)).size).toBe(resources.length);
    for (const { description, mimeType } of resources.slice(0, 6)) {
      expect(description).toEndWith(".");
      expect(mimeType).toMatch(/^(application\/(schema\+)?json|text\/markdown)$/);
    }
  });

  test("has pages of 100, as completions have, and says if the entry after which a page begins is gone", async () => {
    const many = await ResourceClient.open("alice");
    const { snapshot } = many.market;
    const [contract, asOf] = [snapshot.get("CONTRACT", BASE)!, snapshot.asOf!];
    const idOf = (index: number) => `many-${String(index).padStart(3, "0")}`;
    for (let index = 0; index < 250; index += 1) {
      snapshot.apply({ statePath: `/CONTRACT/${idOf(index)}`, state: { ...contract, id: idOf(index) } }, asOf);
    }
    const page = (cursor?: string) => many.client.request({ method: "resources/list", params: { cursor } });
    const first = await page();
    expect(first.resources).toHaveLength(100);
    const second = await page(first.nextCursor);
    const third = await page(second.nextCursor);
    expect(third.nextCursor).toBeUndefined();
    const uris = [first, second, third].flatMap(({ resources }) => resources).map(({ uri }) => uri);
    expect(uris).toHaveLength(FIXED + 3 + 250);
    expect(new Set(uris).size).toBe(uris.length);
    expect(uris.slice(FIXED + 1, FIXED + 251)).toEqual(
      Array.from({ length: 250 }, (_, index) => `mkt://order-book/${idOf(index)}`),
    );
    const ref = { type: "ref/resource", uri: "mkt://order-book/{contractId}" } as const;
    const { completion } = await many.client.complete({ ref, argument: { name: "contractId", value: "" } });
    expect({ ...completion, values: completion.values.length }).toEqual({ values: 100, total: 253, hasMore: true });
    const last = first.resources.at(-1)!.uri.replace("mkt://order-book/", "");
    snapshot.apply({ statePath: `/CONTRACT/${last}`, state: null }, asOf);
    await expect(page(first.nextCursor)).rejects.toThrow(
      "the last item of that page is gone. Start again without cursor.",
    );
    await expect(page("made up")).rejects.toThrow("cursor is not a cursor from an answer. Start again without cursor.");
  });

  test("has the other order books also if the id of a contract can't be in a URI", async () => {
    const odd = await ResourceClient.open("alice");
    const { snapshot } = odd.market;
    const id = "odd\ud800";
    snapshot.apply({ statePath: `/CONTRACT/${id}`, state: { ...snapshot.get("CONTRACT", BASE)!, id } }, snapshot.asOf!);
    const uris = (await odd.client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toContain(`mkt://order-book/${BASE}`);
    expect(uris).toContain(`mkt://order-book/${ISLAND}`);
  });

  test("has no order book without a connection", async () => {
    const { resources } = await (await ResourceClient.open()).client.listResources();
    expect(resources).toHaveLength(FIXED);
  });

  test("templates have a title, a description and parameters that complete", async () => {
    const { resourceTemplates } = await alice.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "mkt://order-book/{contractId}",
      "mkt://positions/{entityId}",
      "mkt://orders/{userId}",
      "mkt://modules/{moduleType}",
      "mkt://events/{category}",
    ]);
    for (const { title, description, mimeType } of resourceTemplates) {
      expect(title).not.toBe("");
      expect(description).toEndWith(".");
      expect(mimeType).toBe("application/json");
    }
  });
});

describe("completion", () => {
  const complete = async (uri: string, name: string, value: string) =>
    (await alice.client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } })).completion;

  test.each([
    ["mkt://order-book/{contractId}", "contractId", "isl", [ISLAND]],
    ["mkt://positions/{entityId}", "entityId", "", ["alpha"]],
    ["mkt://orders/{userId}", "userId", "gre", ["greta"]],
    ["mkt://events/{category}", "category", "cr", ["credit"]],
    ["mkt://modules/{moduleType}", "moduleType", "qu", ["QUEUE"]],
  ])("of %s", async (uri, name, value, values) => {
    expect(await complete(uri, name, value)).toEqual({ values, total: values.length, hasMore: false });
  });

  test("an unknown template or parameter is refused by name", async () => {
    await expect(complete("mkt://nothing/{a}", "a", "")).rejects.toThrow("resources/templates/list names all");
    await expect(complete("mkt://events/{category}", "kind", "")).rejects.toThrow(
      "has no argument kind. It has category",
    );
  });

  test("without a connection contracts can't be completed", async () => {
    const { client } = await ResourceClient.open();
    const ref = { type: "ref/resource", uri: "mkt://order-book/{contractId}" } as const;
    await expect(client.complete({ ref, argument: { name: "contractId", value: "" } })).rejects.toThrow(
      "no connection",
    );
  });
});
