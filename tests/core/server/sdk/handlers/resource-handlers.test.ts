// How a resource is run, recorded and answered; and subscriptions of older clients, which follow a URI as it was written.

import { expect, test } from "bun:test";
import { ResourceCatalogue } from "../../../../../core/resources/resource-catalogue.ts";
import type { Resource } from "../../../../../core/resources/resource.ts";
import { serveResources } from "../../../../../core/server/sdk/handlers/resource-handlers.ts";
import { refuseSubscriptions, serveSubscriptions } from "../../../../../core/server/sdk/handlers/subscribe-handlers.ts";
import { ToolError } from "../../../../../core/error.ts";
import { CALL, SCOPE, served } from "./support.ts";

const BOOK = "odd://book/{id}";

const resource = (own: Partial<Resource>): Resource => (
  { name: "book", uri: BOOK, title: "Book", description: "of orders", read: () => "", ...own }
);

function serving(own: Partial<Resource>, era: "legacy" | "modern" = "modern") {
  const catalogue = new ResourceCatalogue([resource(own)]);
  return served((mcp, requests) => serveResources(mcp, { catalogue, requests, era }));
}

const read = async (own: Partial<Resource>, era?: "legacy" | "modern", uri = "odd://book/ORD-1") =>
  await serving(own, era).call("resources/read", { uri });

test.each<[string, Partial<Resource>, object]>([
  ["a value as JSON", { read: () => ({ a: "x\u202e\n" }) }, {
    mimeType: "application/json",
    text: '{"a":"x\\\\u202e\\\\n"}',
  }],
  ["a text with its lines", { read: () => "x\u202e\ny", mimeType: "text/plain" }, {
    mimeType: "text/plain",
    text: "x\\u202e\ny",
  }],
  ["bytes in base64", { read: () => Uint8Array.of(0, 255), mimeType: "image/png" }, {
    mimeType: "image/png",
    blob: "AP8=",
  }],
  ["with what extensions have", { read: () => "", meta: { m: 1 } }, {
    mimeType: "application/json",
    text: "",
    _meta: { m: 1 },
  }],
])("content is %s", async (_what, own, content) => {
  const contents = [{ uri: "odd://book/ORD-1", ...content }];
  expect(await read({ ...own, cacheMs: 5 })).toEqual({ contents, ttlMs: 5, cacheScope: "private" });
  expect(await read(own)).toEqual({ contents, ttlMs: 0, cacheScope: "private" });
  expect(await read({ ...own, cacheMs: 5 }, "legacy")).toEqual({ contents });
});

test("the text of a view stays as it is, because it is a program", async () => {
  const view = { uri: "ui://odd/view", mimeType: "text/html;profile=mcp-app", read: () => "\u202e\t" };
  expect(await read(view, "legacy", "ui://odd/view")).toMatchObject({ contents: [{ text: "\u202e\t" }] });
});

test("a value that is read of the market says that it is stale; text and bytes do not", async () => {
  const requires = { connection: "read" } as const;
  const before = { ...CALL.pubsub };
  Object.assign(CALL.pubsub, { status: "reconnecting", incomplete: true });
  try {
    expect(await read({ requires, read: () => ({ a: 1 }) }, "legacy"))
      .toMatchObject({ contents: [{ text: '{"a":1,"stale":true,"asOf":"then","incomplete":true}' }] });
    expect(await read({ requires, read: () => "text" }, "legacy")).toMatchObject({ contents: [{ text: "text" }] });
    expect(await read({ requires, read: () => Uint8Array.of(0) }, "legacy"))
      .toMatchObject({ contents: [{ blob: "AA==" }] });
  } finally {
    Object.assign(CALL.pubsub, before);
  }
});

test("it is read with its parameters, and recorded by its template with the ids among them", async () => {
  const requires = { connection: "read" } as const;
  const given: unknown[] = [];
  const { asked, call } = serving({ requires, read: (parameters) => (given.push(parameters), "") });
  await call("resources/read", { uri: "odd://book/two%20words" });
  expect(given).toEqual([{ id: "two words" }]);
  const recorded = { id: "(text, 9 characters)" };
  const request = { kind: "resource", name: BOOK, requires, arguments: recorded } as const;
  expect(asked).toEqual({ run: [[request, SCOPE as never]], unknown: [], looked: [] });
});

test("a list asks for the context of each resource with parameters, and goes on from a cursor", async () => {
  const requires = { connection: "read" } as const;
  const all = Array.from({ length: 101 }, (_, at) => ({ parameters: { id: String(at) }, title: "t" }));
  const { asked, call } = serving({ requires, list: () => all });
  const first = await call("resources/list") as { readonly nextCursor: string; readonly resources: object[] };
  expect(first.resources).toHaveLength(100);
  const rest = await call("resources/list", { cursor: first.nextCursor });
  expect(rest).toMatchObject({ resources: [{ uri: "odd://book/100" }] });
  expect(asked.looked).toEqual(Array.from({ length: 2 }, () => ({ kind: "resource", name: BOOK, requires })));
  expect(await call("resources/templates/list")).toMatchObject({ resourceTemplates: [{ uriTemplate: BOOK }] });
});

test("what is not there is not found, as the resource says it; other errors stay", async () => {
  const failing = (code: "not_found" | "forbidden") => () => {
    throw new ToolError(code, "No order\u202e.", "List them.");
  };
  const data = { uri: "odd://book/ORD-1" };
  await expect(read({ read: failing("not_found") })).rejects.toMatchObject({ code: -32_602, data });
  await expect(read({ read: failing("not_found") })).rejects.toThrow("No order\\u202e. List them.");
  await expect(read({ read: failing("forbidden") })).rejects.toBeInstanceOf(ToolError);
});

test("an unknown URI is recorded as unknown, and the nearest one is said", async () => {
  const { asked, call } = serving({ uri: "odd://books" });
  const known = "resources/list and resources/templates/list have all.";
  await expect(call("resources/read", { uri: "odd://book" })).rejects
    .toThrow(`Resource odd://book not found (did you mean odd://books?); ${known}`);
  await expect(call("resources/read", { uri: "x".repeat(101) })).rejects
    .toThrow(`Resource ${"x".repeat(100)}... (1 more characters) not found; ${known}`);
  const unknown = ["resource", "resource", expect.objectContaining({ caller: "stdio" })];
  expect(asked).toEqual({ run: [], unknown: [unknown, unknown], looked: [] });
});

test("a subscription follows the URI that was written, after the checks of its resource, and ends by it", async () => {
  const steps: unknown[] = [];
  const resources = new ResourceCatalogue([resource({})]);
  const follow = (uri: string) => void steps.push(["follow", uri]);
  const unfollow = (uri: string) => void steps.push(["unfollow", uri]);
  const { asked, call } = served((mcp, requests) => {
    serveSubscriptions(mcp, { resources, requests, follow, unfollow });
  });
  const uri = "odd://book/a%20b";
  expect(await call("resources/subscribe", { uri })).toEqual({});
  expect(asked.run).toEqual([
    [{ kind: "subscription", name: BOOK, arguments: { id: "(text, 3 characters)" } }, SCOPE as never],
  ]);
  expect(await call("resources/unsubscribe", { uri })).toEqual({});
  expect(await call("resources/unsubscribe", { uri: "odd://gone" })).toEqual({});
  expect(steps).toEqual([["follow", uri], ["unfollow", uri], ["unfollow", "odd://gone"]]);
  await expect(call("resources/subscribe", { uri: "odd://gone" })).rejects.toThrow("There is no resource odd://gone.");
  expect(asked.unknown).toEqual([["subscription", "resource", expect.objectContaining({ caller: "stdio" })]]);
  expect([asked.run.length, steps.length]).toEqual([1, 3]);
  asked.refusal = new ToolError("forbidden", "Not now.", "Ask.");
  await expect(call("resources/subscribe", { uri })).rejects.toThrow("Not now.");
  expect(steps).toHaveLength(3);
});

test("a subscription that its limit or a check refuses is refused to the client", async () => {
  const resources = new ResourceCatalogue([resource({})]);
  const follow = () => {
    throw new ToolError("rate_limited", "Too many.", "End one.");
  };
  const { call } = served((mcp, requests) => {
    serveSubscriptions(mcp, { resources, requests, follow, unfollow: () => {} });
  });
  await expect(call("resources/subscribe", { uri: "odd://book/1" })).rejects.toThrow("Too many.");
});

test.each(["resources/subscribe", "resources/unsubscribe"])(
  "without a connection that lasts there is no %s",
  (name) => {
    const { handlers } = served((mcp) => refuseSubscriptions(mcp));
    expect(() => handlers.get(name)!({})).toThrow("mkt keeps no sessions over HTTP");
  },
);
