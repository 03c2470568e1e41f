// How a session of a browser begins, holds and ends, on a clock that stands still.

import { expect, test } from "bun:test";
import { BrowserSessions, type SignedSession } from "../../../../core/server/sessions/browser-sessions.ts";
import { cookieValue } from "../../../../core/server/sessions/session-cookie.ts";

const HOUR = 3_600_000;
const START = 1_000_000_000_000;
const ADDRESS = { address: "10.0.0.1" } as never;

/** Sessions on the tokens of a person and of an agent, or without tokens. */
function world({ isRequired = true, offersControl = true } = {}) {
  const tokens = [{ name: "desk", token: "t-desk", isPerson: true }, { name: "bot", token: "t-bot", isPerson: false }];
  const clock = { now: START };
  const refused: unknown[] = [];
  const sessions = new BrowserSessions({
    tokens: {
      isRequired,
      named: (name: string) => tokens.filter((each) => each.name === name),
      secrets: () => tokens.map(({ token }) => token),
      identify: (token: string) =>
        isRequired ? tokens.find((each) => each.token === token) ?? null : { name: null, isPerson: true },
    },
    authentication: {
      refusal: (...given: unknown[]) => {
        refused.push(given);
        return Promise.resolve({ status: 401, code: "unauthorized", message: String(given[1]) });
      },
    },
    offersControl,
    now: () => clock.now,
  } as never);
  const begun = async (access: "view" | "control", token = "t-desk") =>
    await sessions.begin(access, token, ADDRESS) as SignedSession;
  return { sessions, tokens, clock, refused, begun };
}

function requestWith(sessions: readonly SignedSession[], headers: Record<string, string> = {}, name = "mkt-session-1") {
  const Cookie = sessions.map(({ claims, key }) => `${name}=${cookieValue(claims, key)}`).join("; ");
  return new Request("http://h:1/", { method: "GET", headers: { Host: "h:1", Cookie, ...headers } });
}

test.each([["view", 12 * HOUR], ["control", HOUR]] as const)(
  "a session to %s ends after its time",
  async (access, ms) => {
    const { sessions, clock, begun } = world();
    const session = await begun(access);
    expect(session).toMatchObject({ access, caller: "desk", endsAt: START + ms, claims: { since: START } });
    const request = requestWith([session]);
    expect(sessions.signedSessionOf(request)).toEqual(session);
    clock.now = START + ms - 1;
    expect([sessions.signedSessionOf(request), sessions.isStillValid(session)]).toEqual([session, true]);
    expect(sessions.cookieOf(session, request)).toContain("Max-Age=1;");
    clock.now = START + ms;
    expect([sessions.signedSessionOf(request), sessions.isStillValid(session)]).toEqual([null, false]);
  },
);

test("a session of a server whose clock is ahead by up to a minute holds", async () => {
  const { sessions, clock, begun } = world();
  const session = await begun("view");
  clock.now = START - 60_000;
  expect(sessions.signedSessionOf(requestWith([session]))).toEqual(session);
  clock.now -= 1;
  expect(sessions.signedSessionOf(requestWith([session]))).toBeNull();
});

test("the first cookie that is valid counts, and only one of the request's own port", async () => {
  const { sessions, clock, begun } = world();
  const old = await begun("control");
  clock.now += HOUR;
  const [view, control] = [await begun("view"), await begun("control")];
  expect(sessions.signedSessionOf(requestWith([old, control, view]))).toEqual(control);
  expect(sessions.signedSessionOf(requestWith([view], {}, "mkt-session"))).toBeNull();
  expect(sessions.signedSessionOf(new Request("http://h:1/"))).toBeNull();
});

test("two sessions of one token differ, and a token that is removed ends its own", async () => {
  const { sessions, tokens, begun } = world();
  const [one, two, bot] = [await begun("view"), await begun("view"), await begun("view", "t-bot")];
  expect(one.requestToken).not.toBe(two.requestToken);
  expect(one.claims.id).not.toBe(two.claims.id);
  tokens.shift();
  expect([one, two, bot].map((each) => sessions.isStillValid(each))).toEqual([false, false, true]);
  expect(sessions.signedSessionOf(requestWith([one]))).toBeNull();
});

test("a wrong token is refused for its address; control is for persons alone", async () => {
  const { sessions, refused } = world();
  expect(await sessions.begin("view", "none", ADDRESS)).toMatchObject({ status: 401 });
  expect(refused).toEqual([["10.0.0.1", "This token is not valid."]]);
  const agent = await sessions.begin("control", "t-bot", ADDRESS);
  expect(agent).toMatchObject({ status: 403, code: "forbidden", message: expect.stringContaining("The token bot is") });
  expect(await sessions.begin("view", "t-bot", ADDRESS)).toMatchObject({ caller: "bot", access: "view" });
  expect(refused).toHaveLength(1);
});

test("a session that is reduced to view ends when it would have ended as one", async () => {
  const { sessions, clock, begun } = world();
  const control = await begun("control");
  clock.now += HOUR / 2;
  const view = sessions.reduced(control);
  expect(view).toMatchObject({ access: "view", caller: "desk", endsAt: START + 12 * HOUR });
  expect(view.claims.id).not.toBe(control.claims.id);
  expect(sessions.signedSessionOf(requestWith([view]))).toEqual(view);
});

test("without a session a request is refused if it needs one", async () => {
  const { sessions, refused, begun } = world();
  const none = new Request("http://h:1/");
  expect(await sessions.admit(none, ADDRESS, { needsSession: true })).toMatchObject({ status: 401 });
  expect(refused).toEqual([["10.0.0.1", expect.stringContaining("Nobody has signed in")]]);
  expect(await sessions.admit(none, ADDRESS, { needsSession: false })).toEqual({ session: null });
  const session = await begun("view");
  expect(await sessions.admit(requestWith([session]), ADDRESS, { needsSession: true })).toEqual({ session });
  const change = (headers: Record<string, string>) => {
    const { headers: all } = requestWith([session], headers);
    const sent = new Request("http://h:1/", { method: "POST", headers: all });
    return sessions.admit(sent, ADDRESS, { needsSession: true });
  };
  expect(await change({ "X-Mkt-Request": session.requestToken })).toEqual({ session });
  expect(await change({ "X-Mkt-Request": "none" })).toMatchObject({ status: 403 });
  expect(refused).toHaveLength(1);
});

test("without tokens everybody may view, and begin control", async () => {
  const { sessions, refused, begun } = world({ isRequired: false, offersControl: false });
  expect([sessions.needsToken, sessions.offersControl]).toEqual([false, false]);
  const ANYBODY = { access: "view", caller: null, requestToken: null, endsAt: null } as const;
  const admitted = await sessions.admit(new Request("http://h/"), ADDRESS, { needsSession: true });
  expect(admitted).toEqual({ session: ANYBODY });
  expect(sessions.isStillValid(sessions.withoutCookie)).toBe(true);
  expect(sessions.isStillValid(null)).toBe(false);
  expect(await begun("control", "any")).toMatchObject({ access: "control", caller: null });
  expect(refused).toEqual([]);
  const strict = world();
  expect([strict.sessions.needsToken, strict.sessions.offersControl]).toEqual([true, true]);
  expect([strict.sessions.withoutCookie, strict.sessions.isStillValid(null)]).toEqual([null, true]);
  expect(strict.sessions.isStillValid(ANYBODY)).toBe(false);
});

test("the cookie lasts as long as the session, has the name of the port, and is for TLS if the page is", async () => {
  const { sessions, clock, begun } = world();
  const session = await begun("control");
  clock.now += 1500;
  const value = cookieValue(session.claims, session.key);
  const cookie = (given: SignedSession | null, headers: Record<string, string>) =>
    sessions.cookieOf(given, new Request("http://h/", { headers }));
  expect(cookie(session, { Host: "h:8" })).toBe(
    `mkt-session-8=${value}; Path=/; Max-Age=3599; HttpOnly; SameSite=Strict`,
  );
  expect(cookie(session, { Host: "h", Origin: "https://h" })).toEndWith("SameSite=Strict; Secure");
  expect(cookie(session, { Host: "h", Origin: "http://h" })).not.toContain("Secure");
  expect(cookie(null, { Host: "h:8", Origin: "https://h:8" })).toBe(
    "mkt-session-8=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure",
  );
});
