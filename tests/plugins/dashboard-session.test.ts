// The dashboard's routes for the session of a browser (web/contract/session.ts). What a session may do, and what nobody may do
// with it, is in tests/core/server/sessions.

import { describe, expect, test } from "bun:test";
import dashboard from "../../plugins/dashboard/index.ts";
import { DESK, ROBOT, sessionServer } from "../core/server/sessions/session-server.ts";

const PATH = "/dashboard/session";
const HEADERS = { "X-Mkt-Request": "none" };
const SIGNED_OUT = {
  version: "1.2.3",
  needsToken: true,
  access: null,
  caller: null,
  requestToken: null,
  expiresAt: null,
  offersControl: true,
};

function serve(conditions: Parameters<typeof sessionServer>[0] = {}) {
  const server = sessionServer({ ...conditions, pack: dashboard });
  const signIn = (body: unknown) => server.send("POST", PATH, { headers: HEADERS, body: JSON.stringify(body) });
  return { ...server, signIn };
}

test("a page learns what it may do, signs in and signs out", async () => {
  const { send, signIn } = serve();
  expect(await (await send("GET", PATH)).json()).toEqual(SIGNED_OUT);
  const answer = await signIn({ token: DESK, access: "control" });
  const state = await answer.json() as { requestToken: string };
  const signedIn = {
    ...SIGNED_OUT,
    access: "control",
    caller: "desk",
    requestToken: expect.stringMatching(/^[\w-]{43}$/),
    expiresAt: "2026-03-02T07:00:00.000Z",
  };
  expect(state).toEqual(signedIn as never);
  const cookie = answer.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  expect(await (await send("GET", PATH, { headers: { Cookie: cookie } })).json()).toEqual(signedIn);
  const headers = { Cookie: cookie, "X-Mkt-Request": state.requestToken };
  expect(await (await send("DELETE", PATH, { headers })).json()).toEqual(SIGNED_OUT);
});

test("an agent's token takes no control, and does not freeze the server", async () => {
  const { send, signIn } = serve();
  const refused = { error: { code: "forbidden" } };
  expect(await (await signIn({ token: ROBOT, access: "control" })).json()).toMatchObject(refused);
  const headers = { Authorization: `Bearer ${ROBOT}` };
  const answer = await send("POST", "/dashboard/freeze", { headers, body: JSON.stringify({ reason: "by an agent" }) });
  expect([answer.status, await answer.json()]).toMatchObject([403, refused]);
});

test("a page learns what a server without tokens, or a read-only one, offers", async () => {
  const { send } = serve({ tokens: null, environment: { MKT_READ_ONLY: "1" } });
  const expected = { ...SIGNED_OUT, needsToken: false, access: "view", offersControl: false };
  expect(await (await send("GET", PATH)).json()).toEqual(expected);
});

describe("a body", () => {
  test.each([{}, { access: "all" }, { access: "view", token: "" }, { access: "view", token: 7 }, [], "x", {
    access: "view",
    token: "x".repeat(5_000),
  }, { access: "view", tokn: DESK }])("%j is refused without a word of it", async (body) => {
    const { signIn, logText } = serve();
    const answer = await signIn(body);
    const text = await answer.text();
    expect([answer.status, JSON.parse(text).error.code]).toEqual([400, "invalid_input"]);
    for (const secret of [DESK, "tokn", "xxxxx"]) expect(text + logText()).not.toContain(secret);
  });
});

test("every route of the dashboard but its files and its sign-in needs a session", async () => {
  const { send } = serve();
  for (const route of dashboard.routes) {
    if (route.publicFile !== undefined) continue;
    const { method, path, browser } = route;
    expect([path, browser]).toEqual([path, path === PATH ? "sign-in" : "session"]);
    const { status } = await send(method, path, { headers: HEADERS });
    expect([path, status === 401]).toEqual([path, path !== PATH]);
  }
});
