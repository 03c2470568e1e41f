// What a page is told of its session, and what it may send to sign in and to call a tool.

import { expect, test } from "bun:test";
import { session, signIn, signOut } from "../../../plugins/dashboard/session.ts";
import { toolCall } from "../../../plugins/dashboard/tool-calls.ts";

const SESSION = { access: "view", caller: "desk", requestToken: "t", endsAt: 0 };
const TOLD = {
  version: "1",
  needsToken: true,
  offersControl: false,
  access: "view",
  caller: "desk",
  requestToken: "t",
};

function contextOf(given: object | null) {
  const asked: unknown[] = [];
  const browser = {
    session: given,
    needsToken: true,
    offersControl: false,
    signIn: (...all: unknown[]) => Promise.resolve(void asked.push(all)),
    signOut: () => void (browser.session = null),
  };
  const callTool = (...all: unknown[]) => Promise.resolve((asked.push(all), { ok: 1 }));
  return { context: { browser, server: { version: "1" }, callTool } as never, asked, browser };
}

const requestOf = (body: unknown, parameters = {}) => ({ json: () => body, parameters }) as never;

test("a page is told its session, and after the sign-out that it has none", async () => {
  const { context } = contextOf(SESSION);
  expect(await session(context).json()).toEqual({ ...TOLD, expiresAt: "1970-01-01T00:00:00.000Z" });
  const none = { ...TOLD, access: null, caller: null, requestToken: null, expiresAt: null };
  expect(await signOut(context).json()).toEqual(none);
});

test("a page signs in with an access and perhaps a token, and is told its session or why not", async () => {
  const { context, asked, browser } = contextOf(SESSION);
  expect(await (await signIn(requestOf({ access: "control", token: "x".repeat(4096) }), context)).json())
    .toMatchObject(TOLD);
  await signIn(requestOf({ access: "view" }), context);
  expect(asked).toEqual([["control", "x".repeat(4096)], ["view", undefined]]);
  browser.signIn = () => Promise.resolve(new Response("no", { status: 401 })) as never;
  expect((await signIn(requestOf({ access: "view" }), context)).status).toBe(401);
});

test.each<[string, unknown]>([
  ["nothing", {}],
  ["null", null],
  ["an unknown access", { access: "all" }],
  ["an empty token", { access: "view", token: "" }],
  ["a token that is too long", { access: "view", token: "x".repeat(4097) }],
  ["a further field", { access: "view", more: 1 }],
])("a body with %s is no sign-in", async (_what, body) => {
  const { context, asked } = contextOf(null);
  await expect(signIn(requestOf(body), context)).rejects.toMatchObject({ code: "invalid_input" });
  expect(asked).toEqual([]);
});

test("a page calls the tool of its address, with what the person has agreed to", async () => {
  const { context, asked } = contextOf(SESSION);
  const call = (body: unknown) => toolCall(requestOf(body, { tool: "mkt_x" }), context);
  expect(await (await call({ arguments: { a: 1 }, agreed: "digest" })).json()).toEqual({ ok: 1 });
  await call({ arguments: {} });
  expect(asked).toEqual([["mkt_x", { a: 1 }, "digest"], ["mkt_x", {}, undefined]]);
  for (const body of [{}, { arguments: [] }, { arguments: {}, agreed: 1 }, { arguments: {}, tool: "y" }]) {
    await expect(call(body)).rejects.toMatchObject({ code: "invalid_input" });
  }
});
