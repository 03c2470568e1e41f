// Who sends a request to a route, and for how long the sender may go on.

import { expect, test } from "bun:test";
import { Hono } from "hono";
import { type Routes, type Sender, senderCheck } from "../../../../core/server/routes/route-checks.ts";

interface Holder {
  readonly name: string | null;
  readonly isPerson: boolean;
}

const SESSION = { access: "control", caller: "desk", requestToken: "t", endsAt: 1 } as const;
const VIEW = { ...SESSION, access: "view" } as const;
const REFUSAL = { status: 401, code: "unauthorized", message: "m" };

/** The sender that the check finds, or the status of its refusal. */
async function senderOf(
  route: object | null,
  { token = null as string | null, holder = null as Holder | null, session = null as object | null, isValid = true } =
    {},
) {
  const state = { holder, isValid };
  const needs: unknown[] = [];
  const parts = {
    routes: { find: () => route === null ? null : { route, parameters: {} } },
    authentication: { holderOf: () => state.holder, refusal: () => Promise.resolve(REFUSAL) },
    sessions: {
      admit: (_request: unknown, _connection: unknown, given: { readonly needsSession: boolean }) => {
        needs.push(given.needsSession);
        return Promise.resolve(session === null && given.needsSession ? REFUSAL : { session });
      },
      isStillValid: () => state.isValid,
    },
  };
  let sender: Sender | null = null;
  const app = new Hono<Routes>().use(senderCheck(parts as never)).get("*", (context) => {
    sender = context.get("sender");
    return context.text("");
  });
  const headers = new Headers(token === null ? {} : { Authorization: `Bearer ${token}` });
  const { status } = await app.fetch(new Request("http://x/acme", { headers }), { address: "::1" });
  return { sender: sender as Sender | null, status, state, needs };
}

test("a public file needs neither token nor session", async () => {
  const { sender, status } = await senderOf({ publicFile: {} });
  expect([status, sender]).toMatchObject([200, { caller: null, isPerson: false }]);
  expect(sender?.isAllowed()).toBe(true);
});

test.each<[string, object | null]>([
  ["a route without browser", {}],
  ["no route", null],
  ["a route with browser, if a token is sent", { browser: "session" }],
])("%s asks for a token, which must stay that of its holder", async (_what, route) => {
  const token = "t";
  expect((await senderOf(route, { token, session: SESSION })).status).toBe(401);
  for (const isPerson of [true, false]) {
    const { sender, state } = await senderOf(route, { token, holder: { name: "desk", isPerson }, session: SESSION });
    expect(sender).toMatchObject({ caller: "desk", isPerson });
    expect(sender?.session).toBeUndefined();
    expect(sender?.isAllowed()).toBe(true);
    state.holder = { name: "other", isPerson };
    expect(sender?.isAllowed()).toBe(false);
    state.holder = null;
    expect(sender?.isAllowed()).toBe(false);
  }
});

test.each([[SESSION, true], [VIEW, false], [null, false]])(
  "a browser may be sent by a person only with control: %j",
  async (session, isPerson) => {
    const { sender, state, needs } = await senderOf({ browser: "optional" }, { session });
    expect(sender).toMatchObject({ caller: session?.caller ?? null, isPerson, session });
    expect(needs).toEqual([false]);
    expect(sender?.isAllowed()).toBe(true);
    state.isValid = false;
    expect(sender?.isAllowed()).toBe(false);
  },
);

test("a route that needs a session refuses a browser without one", async () => {
  const { status, sender, needs } = await senderOf({ browser: "session" });
  expect([status, sender, needs]).toEqual([401, null, [true]]);
});
