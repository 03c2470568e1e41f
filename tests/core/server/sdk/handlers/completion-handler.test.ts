// What completion/complete passes on and records, and how lists describe resources.

import { expect, test } from "bun:test";
import { PromptCatalogue } from "../../../../../core/prompts/prompt-catalogue.ts";
import { ResourceCatalogue } from "../../../../../core/resources/resource-catalogue.ts";
import type { Resource } from "../../../../../core/resources/resource.ts";
import { serveCompletions } from "../../../../../core/server/sdk/handlers/completion-handler.ts";
import { resourcePage, templateEntries } from "../../../../../core/server/sdk/handlers/resource-list.ts";
import { CALL, SCOPE, served } from "./support.ts";

const BOOK = "odd://book/{id}/{part}";
const requires = { connection: "read" } as const;
const RESOURCE: Resource = { name: "book", uri: BOOK, title: "Book", description: "of orders", read: () => "" };

function serving() {
  const completed: unknown[] = [];
  const complete = (value: string, call: { readonly pubsub: unknown }, others: object) => {
    completed.push([value, call.pubsub, others]);
    return Promise.resolve([`${value}1`]);
  };
  const prompt = {
    name: "explain",
    title: "t",
    description: "d",
    requires,
    arguments: { orderId: { description: "d", complete }, note: { description: "d" } },
    messages: () => "",
  };
  const bare = { ...prompt, name: "bare", arguments: {} };
  const prompts = new PromptCatalogue([prompt, bare] as never);
  const resources = new ResourceCatalogue([
    { ...RESOURCE, requires, parameters: { id: complete, part: null } } as never,
  ]);
  const { asked, call } = served((mcp, requests) => serveCompletions(mcp, { prompts, resources, requests } as never));
  const complete_ = async (ref: object, name: string, value: string, others?: object) =>
    await call("completion/complete", {
      ref,
      argument: { name, value },
      ...(others && { context: { arguments: others } }),
    });
  return { asked, completed, complete: complete_ };
}

const PROMPT = { type: "ref/prompt", name: "explain" };
const TEMPLATE = { type: "ref/resource", uri: BOOK };

test.each<[object, string, string]>([[PROMPT, "explain", "orderId"], [TEMPLATE, BOOK, "id"]])(
  "an argument of %j is completed with its beginning and the other arguments, after the checks of what it belongs to",
  async (ref, name, argument) => {
    const { asked, completed, complete } = serving();
    const completion = { values: ["ORD1"], total: 1, hasMore: false };
    expect(await complete(ref, argument, "ORD", { other: "x" })).toEqual({ completion });
    expect(await complete(ref, argument, "ORD")).toEqual({ completion });
    expect(completed).toEqual([["ORD", CALL.pubsub, { other: "x" }], ["ORD", CALL.pubsub, {}]]);
    const recorded = { argument, value: "(text, 3 characters)" };
    expect(asked.run[0]).toEqual([{ kind: "completion", name, arguments: recorded, requires }, SCOPE as never]);
  },
);

test.each<[object, string, string]>([[PROMPT, "explain", "note"], [TEMPLATE, BOOK, "part"]])(
  "an argument of %j that can't be completed has no values, and needs no connection to say so",
  async (ref, name, argument) => {
    const { asked, complete } = serving();
    expect(await complete(ref, argument, "")).toEqual({ completion: { values: [], total: 0, hasMore: false } });
    const recorded = { argument, value: "(text, 0 characters)" };
    expect(asked.run[0]![0]).toEqual({ kind: "completion", name, arguments: recorded });
  },
);

test.each<[object, string]>([
  [PROMPT, "explain has no argument odd. It has orderId, note."],
  [TEMPLATE, `${BOOK} has no argument odd. It has id, part.`],
  [{ type: "ref/prompt", name: "bare" }, "bare has no argument odd. It has none."],
])("an argument that %j does not have is refused, and not recorded", async (ref, message) => {
  const { asked, complete } = serving();
  const error = await complete(ref, "odd", "x").catch((error: { message: string; hint: string }) => error);
  const { message: text, hint } = error as { message: string; hint: string };
  expect(`${text} ${hint}`).toBe(message);
  expect(asked.run[0]![0].arguments).toBeNull();
});

test.each<[object, string, string]>([
  [{ type: "ref/prompt", name: "explan" }, "prompt", "Prompt explan not found (did you mean explain?)"],
  [{ type: "ref/resource", uri: "odd://book" }, "resource", "Resource template odd://book not found"],
  [{ type: "ref/resource", uri: "odd://book/1/2" }, "resource", "Resource template odd://book/1/2 not found"],
])("%j is recorded as an unknown %s", async (ref, kind, message) => {
  const { asked, complete } = serving();
  await expect(complete(ref, "a", "b")).rejects.toThrow(message);
  expect(asked).toEqual({ run: [], looked: [], unknown: [["completion", kind, expect.anything()]] });
});

test("a resource is described in full, one of a template by what it is, and a template by itself", () => {
  const annotations = { audience: ["user"], priority: 0.5 } as const;
  const fixed: Resource = {
    ...RESOURCE,
    name: "fixed",
    uri: "odd://fixed",
    mimeType: "text/plain",
    annotations,
    meta: { m: 1 },
  };
  const list = () => [{ parameters: { id: "a b", part: "1" }, title: "bad\u202e" }];
  const template: Resource = { ...RESOURCE, list, annotations };
  const unlisted: Resource = { ...RESOURCE, name: "unlisted", uri: "odd://unlisted/{id}" };
  const catalogue = new ResourceCatalogue([template, fixed, unlisted]);
  const described = { title: "Book", description: "of orders" };
  expect(resourcePage(catalogue, () => CALL as never, undefined)).toEqual({
    resources: [
      {
        uri: "odd://fixed",
        name: "fixed",
        ...described,
        mimeType: "text/plain",
        annotations,
        _meta: { m: 1 },
      } as never,
      { uri: "odd://book/a%20b/1", name: "book/a b/1", title: "bad\\u202e", mimeType: "application/json" },
    ],
  });
  const json = { mimeType: "application/json" };
  expect(templateEntries(catalogue)).toEqual([
    { uriTemplate: BOOK, name: "book", ...described, ...json, annotations } as never,
    { uriTemplate: "odd://unlisted/{id}", name: "unlisted", ...described, ...json },
  ]);
  const cursor = resourcePage(catalogue, () => CALL as never, undefined).nextCursor;
  expect(cursor).toBeUndefined();
  expect(() => resourcePage(catalogue, () => CALL as never, "odd")).toThrow("cursor is not a cursor from an answer.");
});
