// Who sends a request to a route, and for how long the sender may go on.

import { expect, test } from "bun:test";
import { Hono } from "hono";
import { rateLimit, type Routes, type Sender, senderCheck } from "../../../../core/server/routes/route-checks.ts";

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
  {
    token = null as string | null,
    scheme = "Bearer",
    holder = null as Holder | null,
    session = null as object | null,
    isValid = true,
  } = {},
) {
  const state = { holder, isValid };
  const needs: unknown[] = [];
  const [refused, clients]: unknown[][] = [[], []];
  const parts = {
    routes: { find: () => route === null ? null : { route, parameters: {} } },
    authentication: {
      holderOf: () => state.holder,
      refusal: (address: string) => (refused!.push(address), Promise.resolve(REFUSAL)),
    },
    sessions: {
      admit: (_request: unknown, _connection: unknown, given: { readonly needsSession: boolean }) => {
        needs.push(given.needsSession);
        return Promise.resolve(session === null && given.needsSession ? REFUSAL : { session });
      },
      isStillValid: () => state.isValid,
    },
  };
  let sender: Sender | null = null;
  const rate = { admits: (client: string) => (clients!.push(client), Promise.resolve(true)) };
  const app = new Hono<Routes>().use(senderCheck(parts as never), rateLimit(rate as never)).get("*", (context) => {
    sender = context.get("sender");
    return context.text("");
  });
  const headers = new Headers({ "X-Forwarded-For": "10.0.0.1" });
  if (token !== null) headers.set("Authorization", `${scheme} ${token}`);
  const { status } = await app.fetch(new Request("http://x/acme", { headers }), { address: "::1" });
  return { sender: sender as Sender | null, status, state, needs, refused, clients };
}

test("a public file needs neither token nor session", async () => {
  const { sender, status, clients } = await senderOf({ publicFile: {} });
  expect([status, sender, clients]).toMatchObject([200, { caller: null, isPerson: false }, ["address ::1"]]);
  expect(sender?.isAllowed()).toBe(true);
});

test.each<[string, object | null]>([
  ["a route without browser", {}],
  ["no route", null],
  ["a route with browser, if a token is sent", { browser: "session" }],
])("%s asks for a token, which must stay that of its holder", async (_what, route) => {
  const token = "t";
  const { status, refused } = await senderOf(route, { token, session: SESSION });
  expect([status, refused]).toEqual([401, ["::1"]]);
  for (const isPerson of [true, false]) {
    const holder = { name: "desk", isPerson };
    const { sender, state, clients } = await senderOf(route, { token, holder, session: SESSION });
    expect([sender, clients]).toMatchObject([{ caller: "desk", isPerson }, ["token desk"]]);
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

test("an Authorization that a browser or a proxy sends by itself leaves a browser what its session says", async () => {
  const { sender } = await senderOf({ browser: "session" }, { token: "YTpi", scheme: "Basic", session: VIEW });
  expect(sender).toMatchObject({ caller: "desk", isPerson: false, session: VIEW });
});

test("a route that needs a session refuses a browser without one", async () => {
  const { status, sender, needs } = await senderOf({ browser: "session" });
  expect([status, sender, needs]).toEqual([401, null, [true]]);
});
