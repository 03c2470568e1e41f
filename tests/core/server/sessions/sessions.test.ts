// The sessions of browsers: how they begin and end, and what they may do.

import { afterEach, describe, expect, jest, test } from "bun:test";
import { CALL_IDLE_SECONDS, IDLE_SECONDS } from "../../../../core/server/limits/client-connection.ts";
import { BOTH, DESK, ROBOT, sessionServer, signedIn } from "./session-server.ts";

const HOUR_MS = 3_600_000;
const SIGNED_OUT = { access: null, caller: null, requestToken: null, endsAt: null };
const VIEWER = { access: "view", caller: null, requestToken: null, endsAt: null };

afterEach(() => {
  jest.useRealTimers();
});

describe("with tokens", () => {
  test("nobody sees anything before a sign-in, which gives the session of the token's name", async () => {
    const { browser, clock } = sessionServer();
    const person = browser();
    expect(await person.state()).toEqual(SIGNED_OUT as never);
    expect(await person.codeOf("GET", "/state")).toBe("unauthorized");
    expect((await person.signIn("view", DESK)).status).toBe(200);
    const { requestToken } = person;
    expect(requestToken).toMatch(/^[\w-]{43}$/);
    const expected = { access: "view", caller: "desk", requestToken, endsAt: clock.now + 12 * HOUR_MS };
    expect(await person.state()).toEqual(expected as never);
    expect(await (await person.send("GET", "/state")).json()).toEqual(expected);
  });

  test("the cookie is for this port, for HTTP alone and for own pages, and has no token in it", async () => {
    const { person } = await signedIn("control");
    const attributes = "; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict";
    expect(person.setCookie).toMatch(new RegExp(`^mkt-session-4087=[\\w.~-]{90,200}${attributes}$`));
    await person.signIn("view", DESK);
    expect(person.setCookie).toContain("Max-Age=43200;");
    expect(person.cookie).not.toContain(DESK);
  });

  test("the cookie is Secure if the page came over TLS", async () => {
    const { browser } = sessionServer({
      environment: { MCP_ALLOWED_HOSTS: "desk.example", MCP_ALLOWED_ORIGINS: "desk.example" },
    });
    const person = browser();
    await person.signIn("view", DESK, { Host: "desk.example", Origin: "https://desk.example" });
    expect(person.setCookie).toMatch(/^mkt-session=.*; Secure$/);
  });

  test("a wrong token is 401, gives no cookie, and counts for its address; a right one still gets in", async () => {
    jest.useFakeTimers();
    const { browser, send } = sessionServer({ environment: { MCP_UNAUTHORIZED_LIMIT: "2" } });
    const person = browser();
    for (const [token, status] of [["wrong-token-of-nobody", 401], [`${DESK}x`, 401], ["x", 429]] as const) {
      expect((await person.signIn("view", token)).status).toBe(status);
    }
    expect((await send("GET", "/plain", {}, "10.0.0.1")).status).toBe(429);
    const wrong = { headers: { "X-Mkt-Request": "none" }, body: '{"access":"control","token":"wrong-token"}' };
    expect((await send("POST", "/session", wrong, "10.0.0.2")).status).toBe(401);
    const busy = await person.signIn("view", "x");
    expect([busy.status, busy.headers.get("Retry-After"), person.cookies.size]).toEqual([429, "1", 0]);
    expect((await person.signIn("view", DESK)).status).toBe(200);
  });

  test("view lasts twelve hours and control one, after which the browser must sign in again", async () => {
    for (const [access, hours] of [["view", 12], ["control", 1]] as const) {
      const { person, clock } = await signedIn(access);
      clock.now += hours * HOUR_MS - 1;
      expect(await person.statusOf("GET", "/state")).toBe(200);
      clock.now += 1;
      expect(await person.statusOf("GET", "/state")).toBe(401);
      expect(await person.state()).toEqual(SIGNED_OUT as never);
    }
  });

  test("a session of a server whose clock is ahead by a minute holds, and none from further in the future", async () => {
    const { person, clock } = await signedIn();
    clock.now -= 60_000;
    expect(await person.statusOf("GET", "/state")).toBe(200);
    clock.now -= 1;
    expect(await person.statusOf("GET", "/state")).toBe(401);
  });

  test("control needs the token again; going back to view needs none, and ends no later than if it had begun so", async () => {
    const { person, clock } = await signedIn();
    expect(await (await person.signIn("control")).json()).toMatchObject({ error: { code: "forbidden" } });
    expect((await person.state()).access).toBe("view");
    await person.signIn("control", DESK);
    const began = clock.now;
    clock.now += HOUR_MS / 2;
    for (let times = 0; times < 2; times++) {
      await person.signIn("view");
      expect(await person.state()).toMatchObject({ access: "view", caller: "desk", endsAt: began + 12 * HOUR_MS });
    }
    expect(await person.codeOf("POST", "/change")).toBe("forbidden");
  });

  test("sign-out removes the cookie from the browser", async () => {
    const { person } = await signedIn();
    expect(await (await person.send("DELETE", "/session")).json()).toEqual(SIGNED_OUT);
    expect(person.setCookie).toBe("mkt-session-4087=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
    expect(await person.statusOf("GET", "/state")).toBe(401);
  });

  test("a session holds as long as its own token, whatever other tokens have its name", async () => {
    const { browser, setTokens } = sessionServer();
    const [old, robot] = [browser(), browser()];
    await old.signIn("view", DESK);
    await robot.signIn("view", ROBOT);
    setTokens([...BOTH, "desk next-token-of-the-desk"]);
    const fresh = browser();
    await fresh.signIn("view", "next-token-of-the-desk");
    const statuses = async () =>
      await Promise.all([old, fresh, robot].map((person) => person.statusOf("GET", "/state")));
    expect(await statuses()).toEqual([200, 200, 200]);
    setTokens(["desk next-token-of-the-desk"]);
    expect(await statuses()).toEqual([401, 200, 401]);
  });

  test("a session holds on every server that has its token", async () => {
    const [first, second] = [sessionServer(), sessionServer({ tokens: [`desk ${DESK}`] })];
    const [person, same] = [first.browser(), second.browser()];
    await person.signIn("view", DESK);
    same.value = person.value;
    expect(await same.state()).toEqual(await person.state());
  });

  test("a token in the header goes before any cookie, and may do what its holder may do in a browser", async () => {
    const { person, send } = await signedIn();
    const headers = (token: string) => ({ Authorization: `Bearer ${token}`, Cookie: person.cookie });
    for (
      const [token, caller, access, status] of [[DESK, "desk", "control", 200], [ROBOT, "robot", "view", 403]] as const
    ) {
      expect((await send("POST", "/change", { headers: headers(token) })).status).toBe(status);
      expect(await (await send("GET", "/state", { headers: headers(token) })).json())
        .toEqual({ access, caller, requestToken: null, endsAt: null });
    }
    expect((await send("GET", "/state", { headers: headers("wrong-token-of-nobody") })).status).toBe(401);
  });

  test("an agent's token views, and has no control; a person's has, until its line says that it is an agent's", async () => {
    const { browser, setTokens, lines } = sessionServer();
    const robot = browser();
    const refusal = await (await robot.signIn("control", ROBOT)).json();
    expect(refusal).toEqual({
      error: { code: "forbidden", message: expect.stringContaining("ends with the word person") },
    });
    expect([robot.cookies.size, lines().at(-1)]).toMatchObject([0, { route: "POST /session", outcome: "http_403" }]);
    await robot.signIn("view", ROBOT);
    expect(await robot.state()).toMatchObject({ access: "view", caller: "robot" });
    const [desk, viewer] = [browser(), browser()];
    await desk.signIn("control", DESK);
    await viewer.signIn("view", DESK);
    setTokens([`desk ${DESK}`]);
    expect([await desk.statusOf("GET", "/state"), await viewer.statusOf("GET", "/state")]).toEqual([401, 200]);
    setTokens(BOTH);
    expect(await desk.statusOf("GET", "/state")).toBe(200);
  });

  test("the token of MCP_BEARER_TOKEN is an agent's", async () => {
    const single = sessionServer({ tokens: null, environment: { MCP_BEARER_TOKEN: DESK } }).browser();
    expect(await (await single.signIn("control", DESK)).json()).toMatchObject({ error: { code: "forbidden" } });
    await single.signIn("view", DESK);
    expect(await single.codeOf("POST", "/change")).toBe("forbidden");
  });

  test("the log names the token of a session, also at its sign-in, and has no token and no cookie", async () => {
    const { browser, lines, logText } = sessionServer();
    const person = browser();
    await person.signIn("view", "wrong-token-of-nobody");
    await person.signIn("view", DESK);
    await person.call("acme_read");
    expect(lines().map(({ route, tool, caller, outcome }) => [route ?? tool, caller, outcome])).toEqual([
      ["POST /session", null, "http_401"],
      ["POST /session", "desk", "ok"],
      ["acme_read", "desk", "ok"],
      ["POST /tools/:tool", "desk", "ok"],
    ]);
    for (const secret of [DESK, "wrong-token", person.value, person.requestToken!]) {
      expect(logText()).not.toContain(secret);
    }
  });

  test("requests of a session count for the rate of its token", async () => {
    jest.useFakeTimers();
    const { person, send } = await signedIn("view", { environment: { MCP_RATE_LIMIT: "2" } });
    for (const status of [200, 200, 429]) expect(await person.statusOf("GET", "/state")).toBe(status);
    for (const [token, status] of [[DESK, 429], [ROBOT, 200]] as const) {
      expect((await send("GET", "/plain", { headers: { Authorization: `Bearer ${token}` } })).status).toBe(status);
    }
  });
});

describe("without tokens", () => {
  test("every browser may view, and has control after a sign-in that needs no token", async () => {
    const { browser } = sessionServer({ tokens: null });
    const person = browser();
    expect(await person.state()).toEqual(VIEWER as never);
    expect(await person.codeOf("POST", "/change")).toBe("forbidden");
    await person.signIn("control");
    expect(await person.state()).toMatchObject({ access: "control", caller: null, endsAt: expect.any(Number) });
    expect(await person.statusOf("POST", "/change")).toBe(200);
    await person.signIn("view");
    expect(await person.state()).toEqual(VIEWER as never);
  });

  test("control ends after an hour, and the page learns that its session has changed", async () => {
    const { person, clock } = await signedIn("control", { tokens: null });
    clock.now += HOUR_MS;
    expect(await person.codeOf("POST", "/change")).toBe("session_changed");
    expect(await person.state()).toEqual(VIEWER as never);
  });

  test("control of another process, or of a server with tokens, does not hold", async () => {
    const [first, second] = [sessionServer({ tokens: null }), sessionServer({ tokens: null })];
    const [person, other] = [first.browser(), second.browser()];
    await person.signIn("control");
    other.value = person.value;
    expect(await other.state()).toEqual(VIEWER as never);
    const withTokens = sessionServer().browser();
    withTokens.value = person.value;
    expect(await withTokens.state()).toEqual(SIGNED_OUT as never);
  });
});

describe("a session that only views", () => {
  test("reads by tools, and changes nothing, except what a tool allows to viewers", async () => {
    const { person, world } = await signedIn();
    expect(await person.call("acme_read")).toMatchObject({ kind: "result", isError: false });
    expect(await person.call("acme_begin")).toMatchObject({ kind: "result", isError: false });
    const error = {
      code: "forbidden",
      message: "This session, or an agent's token, only reads here; nothing was sent.",
    };
    for (const [tool, input] of [["acme_change", {}], ["acme_halt", {}], ["acme_begin", { id: "x" }]] as const) {
      expect(await person.call(tool, { input })).toMatchObject({ kind: "result", isError: true, result: { error } });
    }
    expect(world.done).toEqual(["read", "begin"]);
    await person.signIn("control", DESK);
    expect(await person.call("acme_change")).toMatchObject({ kind: "result", isError: false });
  });

  test("is refused by routes that change something", async () => {
    const { person, lines } = await signedIn();
    expect(await person.codeOf("POST", "/change")).toBe("forbidden");
    expect(lines().at(-1)).toMatchObject({ route: "POST /change", caller: "desk", outcome: "forbidden" });
  });
});

test("a read-only server offers no control, and control from another server changes nothing there", async () => {
  const { browser } = sessionServer({ environment: { MKT_READ_ONLY: "1" } });
  const person = browser();
  expect(await (await person.signIn("control", DESK)).json()).toMatchObject({ error: { code: "read_only" } });
  const elsewhere = sessionServer().browser();
  await elsewhere.signIn("control", DESK);
  person.value = elsewhere.value;
  person.requestToken = elsewhere.requestToken;
  expect(await person.codeOf("POST", "/change")).toBe("read_only");
});

test("before a sign-in no tool can be called", async () => {
  const { browser, world } = sessionServer();
  const person = browser();
  expect(await person.call("acme_read", {}, "/lobby")).toMatchObject({ error: { code: "forbidden" } });
  expect(world.done).toEqual([]);
});

test("a stream ends within a second with the time of its session, and with its token", async () => {
  const { browser, clock, setTokens } = sessionServer();
  const [desk, robot] = [browser(), browser()];
  await desk.signIn("control", DESK);
  await robot.signIn("view", ROBOT);
  const readers = await Promise.all([desk, robot].map(async (person) => {
    const reader = (await person.send("GET", "/live")).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"count":1');
    return reader;
  }));
  clock.now += HOUR_MS;
  setTokens([`desk ${DESK}`]);
  expect(await Promise.all(readers.map(async (reader) => (await reader.read()).done))).toEqual([true, true]);
  for (const person of [desk, robot]) expect(await person.statusOf("GET", "/live")).toBe(401);
});

test("a stream lets its connection be idle for long, and not once it has ended", async () => {
  const { browser, idleTimeouts } = sessionServer({ tokens: null });
  const response = await browser().send("GET", "/live");
  expect(idleTimeouts.at(-1)).toBe(CALL_IDLE_SECONDS);
  await response.body!.cancel();
  expect(idleTimeouts.at(-1)).toBe(IDLE_SECONDS);
});
