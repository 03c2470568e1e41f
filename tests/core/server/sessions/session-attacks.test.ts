// What somebody may try with the session of a browser: with its cookie, from another page, or on other routes.

import { afterEach, describe, expect, jest, test } from "bun:test";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { size } from "../../../support/sizes.ts";
import { BOTH, DESK, type Given, ROBOT, sessionServer, type TestBrowser } from "./session-server.ts";

const COOKIE = "mkt-session-4087";

afterEach(() => {
  jest.useRealTimers();
});

async function signedIn(access: "view" | "control" = "view", server = sessionServer()) {
  const person = server.browser();
  await person.signIn(access, DESK);
  return { person, ...server };
}

/** Whether a browser with this Cookie header is let in. */
async function isLetIn({ send }: Pick<ReturnType<typeof sessionServer>, "send">, cookie: string): Promise<boolean> {
  const { status } = await send("GET", "/state", { headers: { Cookie: cookie } });
  expect([200, 401]).toContain(status);
  return status === 200;
}

describe("a cookie", () => {
  test("with any other character is not valid", async () => {
    const { person, send } = await signedIn();
    const { value } = person;
    expect(await isLetIn({ send }, `${COOKIE}=${value}`)).toBe(true);
    for (let at = 0; at < value.length; at++) {
      const other = value[at] === "A" ? "B" : "A";
      expect(await isLetIn({ send }, `${COOKIE}=${value.slice(0, at)}${other}${value.slice(at + 1)}`)).toBe(false);
    }
  });

  test("that is cut, extended, quoted, encoded or in pieces is not valid", async () => {
    const { person, send } = await signedIn();
    const { value } = person;
    const [head, mac] = [value.slice(0, -44), value.slice(-43)];
    const tampered = [
      "",
      value.slice(0, -1),
      value.slice(1),
      `${value}A`,
      `${value}=`,
      `${value}~`,
      `"${value}"`,
      encodeURIComponent(value).replaceAll("~", "%7E"),
      value.replaceAll("~", "%7e"),
      value.toUpperCase(),
      `${value}, ${value}`,
      `${head}~`,
      `${head}~${"A".repeat(43)}`,
      `~~~~~${mac}`,
      head.replace("view", "VIEW") + `~${mac}`,
      value.replace("1~", "2~"),
      value.replace("1~", "01~"),
      value.replace("~view~", "~view~0"),
      value.replace("~view~", "~view~-"),
      value.replace("~view~", "~view~1e"),
    ];
    for (const each of tampered) expect([each, await isLetIn({ send }, `${COOKIE}=${each}`)]).toEqual([each, false]);
  });

  test("can't be made by somebody who knows no token, nor its request token, nor another cookie's signature", async () => {
    const { person, clock, send } = await signedIn();
    const text = `1~desk~control~${clock.now}~AAAAAAAAAAAAAAAAAAAAAA`;
    const guesses = ["", "desk", "mkt session of a browser", person.requestToken ?? ""].map((key) =>
      createHmac("sha256", key).update(`cookie\n${text}`).digest("base64url")
    );
    const signatures = [...guesses, person.requestToken, person.value.slice(-43)];
    for (const each of signatures) expect(await isLetIn({ send }, `${COOKIE}=${text}~${each}`)).toBe(false);
  });

  test("of one token is not valid under the name of another, nor with another access or time", async () => {
    const { person, send } = await signedIn();
    const { value } = person;
    for (const [from, to] of [["~desk~", "~robot~"], ["~view~", "~control~"], [/~\d+~/, "~9999999999999~"]] as const) {
      const forged = value.replace(from, to);
      expect(forged).not.toBe(value);
      expect(await isLetIn({ send }, `${COOKIE}=${forged}`)).toBe(false);
    }
  });

  test("for view gives no control, and the request token of one session none of another", async () => {
    const { person, world, browser } = await signedIn();
    const boss = browser();
    await boss.signIn("control", DESK);
    expect(
      await person.codeOf("POST", "/tools/acme_change", { body: {}, headers: { "X-Mkt-Request": boss.requestToken! } }),
    )
      .toBe("session_changed");
    expect(await person.call("acme_change")).toMatchObject({ isError: true });
    expect(await person.codeOf("POST", "/session", { body: { access: "control" } })).toBe("forbidden");
    expect(world.done).toEqual([]);
  });

  test("that has expired, or comes from the future, is not valid", async () => {
    const server = sessionServer();
    const { person, clock } = await signedIn("control", server);
    clock.now -= 120_000;
    expect(await person.statusOf("GET", "/state")).toBe(401);
    clock.now += 120_000;
    expect(await person.statusOf("GET", "/state")).toBe(200);
    clock.now += 3_600_000;
    expect(await person.statusOf("GET", "/state")).toBe(401);
  });

  test("of a token that was removed is not valid, and is again if the token comes back", async () => {
    const { person, setTokens } = await signedIn();
    setTokens([`robot ${ROBOT}`]);
    expect(await person.statusOf("GET", "/state")).toBe(401);
    setTokens(["desk another-token-of-the-desk"]);
    expect(await person.statusOf("GET", "/state")).toBe(401);
    setTokens(BOTH);
    expect(await person.statusOf("GET", "/state")).toBe(200);
  });

  test("that somebody has copied holds after the sign-out, until its time or its token ends", async () => {
    const { person, browser, setTokens } = await signedIn();
    const thief = browser();
    thief.value = person.value;
    await person.send("DELETE", "/session");
    expect(await person.statusOf("GET", "/state")).toBe(401);
    expect(await thief.statusOf("GET", "/state")).toBe(200);
    setTokens([`robot ${ROBOT}`]);
    expect(await thief.statusOf("GET", "/state")).toBe(401);
  });

  test("of another port of the host is not looked at", async () => {
    const { person, send } = await signedIn();
    for (const name of ["mkt-session", "mkt-session-4088", "mkt-session-40870", "MKT-SESSION-4087", ` x${COOKIE}`]) {
      expect(await isLetIn({ send }, `${name}=${person.value}`)).toBe(false);
    }
  });

  test("is found beside a few worthless ones of the same name, and beside those of others", async () => {
    const { person, send } = await signedIn();
    const worthless = Array.from({ length: 3 }, (_, index) => `${COOKIE}=x${index}`).join("; ");
    expect(await isLetIn({ send }, `a=b; ${worthless};${COOKIE}=${person.value}; __proto__=1; =; ;;`)).toBe(true);
  });

  test.each<[string, (value: string) => string]>([
    ["of many cookies", (value) => `${`${COOKIE}=x; `.repeat(1_000)}${COOKIE}=${value}`],
    ["of one huge cookie", (value) => `${COOKIE}=${"x".repeat(100_000)}; ${COOKIE}=${value}`],
    ["of nothing but separators", (value) => `${";=".repeat(50_000)}${COOKIE}=${value}`],
    ["of a name that goes on", (value) => `${`${COOKIE}=1~`.repeat(2_000)}${value}`],
  ])("in a header %s is not looked for", async (_, header) => {
    const { person, send } = await signedIn();
    expect(await isLetIn({ send }, header(person.value))).toBe(false);
  });
});

describe("requests at random", () => {
  const pieces = fc.constantFrom("~", "=", ";", "1~", "~control~", "robot", "A", ".", "%7E", '"', "é", " ", "\t", "");
  const edits = fc.array(fc.record({ at: fc.nat(200), length: fc.nat(60), piece: pieces }), {
    minLength: 1,
    maxLength: 4,
  });
  const headers = fc.record({
    "X-Mkt-Request": fc.constantFrom("none", "", "x", "A".repeat(43)),
    "Sec-Fetch-Site": fc.constantFrom("same-origin", "same-site", "none", "x"),
    "Content-Type": fc.constantFrom("application/json", "text/plain", "x"),
    "Last-Event-ID": fc.constantFrom("1", "x"),
  }, { requiredKeys: [] });
  const asked = fc.record({
    edits,
    headers,
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD"),
    path: fc.constantFrom(
      "/state",
      "/change",
      "/tools/acme_change",
      "/lobby/acme_change",
      "/live",
      "/plain",
      "/mcp",
      "/",
    ),
  });

  test("with a damaged cookie reach nothing", async () => {
    const { person, send, world } = await signedIn("control");
    await fc.assert(
      fc.asyncProperty(asked, async ({ edits, headers, method, path }) => {
        const value = edits.reduce(
          (text, { at, length, piece }) => text.slice(0, at) + piece + text.slice(at + length),
          person.value,
        );
        const Cookie = `${COOKIE}=${value}`;
        fc.pre(!Cookie.includes(person.value));
        const body = method === "POST" ? "{}" : null;
        const { status } = await send(method, path, { headers: { ...headers, Cookie }, body });
        expect([401, 403]).toContain(status);
      }),
      { numRuns: size(125, 500) },
    );
    expect(world.done).toEqual([]);
  });
});

describe("the name of a token", () => {
  test.each(["__proto__", "constructor", "toString", "hasOwnProperty", ".", "..", "-", "default"])(
    "%s is a name like any other",
    async (name) => {
      const { browser, send } = sessionServer({ tokens: [`${name} ${DESK}`] });
      const person = browser();
      await person.signIn("view", DESK);
      expect(await person.state()).toMatchObject({ caller: name, access: "view" });
      expect(await isLetIn({ send }, `${COOKIE}=${person.value.replace(`~${name}~`, "~valueOf~")}`)).toBe(false);
    },
  );

  test("that no token has lets nobody in", async () => {
    const { send, clock } = sessionServer();
    for (const name of ["__proto__", "constructor", "", "nobody", "default"]) {
      const text = `1~${name}~view~${clock.now}~AAAAAAAAAAAAAAAAAAAAAA`;
      const signature = createHmac("sha256", "undefined").update(`cookie\n${text}`).digest("base64url");
      expect(await isLetIn({ send }, `${COOKIE}=${text}~${signature}`)).toBe(false);
    }
  });
});

describe("a page of another server", () => {
  const POST = { body: { access: "control", token: DESK } };

  /** What a change, a tool call, a sign-in and a sign-out of the page end in. */
  async function attempts(person: TestBrowser, headers: Given["headers"]) {
    return [
      await person.codeOf("POST", "/change", { headers }),
      await person.codeOf("POST", "/tools/acme_change", { body: {}, headers }),
      await person.codeOf("POST", "/session", { ...POST, headers }),
      await person.codeOf("DELETE", "/session", { headers }),
    ];
  }

  test.each<[string, string | null]>([["with a token", DESK], ["without tokens", null]])(
    "is refused %s, by its Origin",
    async (_, token) => {
      const server = sessionServer(token === null ? { tokens: null } : {});
      const person = server.browser();
      await person.signIn("control", token ?? undefined);
      for (
        const origin of ["https://evil.example", "null", "http://localhost.evil.example", "http://evil.example:4087"]
      ) {
        const headers = { Origin: origin, "Sec-Fetch-Site": "cross-site" };
        expect(await attempts(person, headers)).toEqual(Array.from({ length: 4 }, () => "forbidden_origin"));
        expect(await person.codeOf("GET", "/state", { headers })).toBe("forbidden_origin");
      }
      expect(server.world.done).toEqual([]);
    },
  );

  test("is refused if the browser says that it is another page, though its Origin is allowed", async () => {
    const { person } = await signedIn("control");
    for (const site of ["same-site", "cross-site", "none", "unheard-of", ""]) {
      const headers = { Origin: "http://localhost:5173", "Sec-Fetch-Site": site };
      expect(await attempts(person, headers)).toEqual(Array.from({ length: 4 }, () => "forbidden_page"));
    }
    for (
      const [site, status] of [["same-site", 403], ["cross-site", 403], ["none", 200], ["same-origin", 200]] as const
    ) {
      expect(await person.statusOf("GET", "/state", { headers: { "Sec-Fetch-Site": site } })).toBe(status);
    }
  });

  test("is refused by an older browser's Origin, unless that is this server, also behind a proxy with TLS", async () => {
    const { person, send } = await signedIn(
      "control",
      sessionServer({
        environment: { MCP_ALLOWED_HOSTS: "localhost,desk.example", MCP_ALLOWED_ORIGINS: "localhost,desk.example" },
      }),
    );
    const codeOf = async (host: string, origin: string) => {
      const name = host.includes(":4087") ? COOKIE : "mkt-session";
      const headers = {
        Host: host,
        Origin: origin,
        Cookie: `${name}=${person.value}`,
        "X-Mkt-Request": person.requestToken!,
      };
      const response = await send("POST", "/change", { headers });
      return response.ok ? null : (await response.json() as { error: { code: string } }).error.code;
    };
    expect(await codeOf("localhost:4087", "http://localhost:4087")).toBeNull();
    expect(await codeOf("localhost:4087", "http://localhost:5173")).toBe("forbidden_page");
    expect(await codeOf("localhost:4087", "http://localhost")).toBe("forbidden_page");
    expect(await codeOf("desk.example", "https://desk.example")).toBeNull();
    expect(await codeOf("desk.example", "https://desk.example:8443")).toBe("forbidden_page");
  });

  test.each<[string, string | null]>([["with a token", DESK], ["without tokens", null]])(
    "can't send the header that every change needs %s",
    async (_, token) => {
      const server = sessionServer(token === null ? { tokens: null } : {});
      const person = server.browser();
      await person.signIn("control", token ?? undefined);
      for (const given of [null, "", "none", "é"]) {
        const headers = { Cookie: person.cookie, ...(given !== null && { "X-Mkt-Request": given }) };
        const response = await server.send("POST", "/change", { headers });
        expect(response.status).toBe(403);
      }
      const wrong = person.requestToken!.replace(/.$/, (last) => last === "A" ? "B" : "A");
      expect(await person.codeOf("POST", "/change", { headers: { "X-Mkt-Request": wrong } })).toBe("session_changed");
      expect(await person.statusOf("POST", "/change")).toBe(200);
    },
  );

  test("without tokens can neither sign in nor change anything by a plain form", async () => {
    const { send } = sessionServer({ tokens: null });
    for (
      const [method, path] of [["POST", "/session"], ["DELETE", "/session"], ["POST", "/tools/acme_read"]] as const
    ) {
      const headers = { "Content-Type": "text/plain", Origin: "http://localhost:4087" };
      const response = await send(method, path, {
        headers,
        ...(method === "POST" && { body: '{"access":"control"}' }),
      });
      expect([response.status, response.headers.get("Set-Cookie")]).toEqual([403, null]);
      expect(await response.json()).toMatchObject({ error: { code: "forbidden_page" } });
    }
  });

  test("gains nothing by a password that the browser, or a proxy, sends by itself", async () => {
    const server = sessionServer({ tokens: null });
    const headers = { Authorization: "Basic dXNlcjpwYXNz", Origin: "http://localhost:5173" };
    expect((await server.send("POST", "/change", { headers })).status).toBe(403);
    const { person } = await signedIn("control");
    expect(await person.statusOf("POST", "/change", { headers: { Authorization: headers.Authorization } })).toBe(200);
  });

  test("gets no permission to send cookies, nor to read answers to requests with them", async () => {
    const { person, send } = await signedIn();
    const asking = { Origin: "http://localhost:5173", "Access-Control-Request-Method": "POST" };
    const preflight = await send("OPTIONS", "/change", { headers: asking });
    const answer = await send("GET", "/state", {
      headers: { Origin: "http://localhost:4087", Cookie: person.cookie, "Sec-Fetch-Site": "same-origin" },
    });
    for (const { headers } of [preflight, answer]) expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
  });
});

describe("another route", () => {
  test("takes no cookie: POST /mcp, /metrics, routes without `browser`, and paths without a route", async () => {
    const { person } = await signedIn("control");
    for (
      const [method, path] of [["POST", "/mcp"], ["GET", "/metrics"], ["GET", "/plain"], ["GET", "/nowhere"]] as const
    ) {
      expect([path, await person.statusOf(method, path)]).toEqual([path, 401]);
    }
  });

  test("that has not declared `browser` can't ask for its session", async () => {
    const { send } = sessionServer();
    const response = await send("GET", "/curious", { headers: { Authorization: `Bearer ${DESK}` } });
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('"internal"')]);
  });
});

test("the cookie and the request token reach no handler", async () => {
  const { person } = await signedIn();
  const text = await (await person.send("GET", "/headers")).text();
  expect(JSON.parse(text)).toContain("sec-fetch-site");
  for (const name of ["cookie", "authorization", "x-mkt-request"]) expect(JSON.parse(text)).not.toContain(name);
});

test("guesses of tokens at the sign-in are limited for each address, with those at other routes", async () => {
  jest.useFakeTimers();
  const { send } = sessionServer({ environment: { MCP_UNAUTHORIZED_LIMIT: "2" } });
  const guess = async (address: string) => {
    const headers = { "X-Mkt-Request": "none" };
    const body = JSON.stringify({ access: "control", token: "wrong-token-of-nobody" });
    return (await send("POST", "/session", { headers, body }, address)).status;
  };
  expect([await guess("10.0.0.1"), await guess("10.0.0.1"), await guess("10.0.0.1")]).toEqual([401, 401, 429]);
  expect((await send("GET", "/plain", {}, "10.0.0.1")).status).toBe(429);
  expect(await guess("10.0.0.2")).toBe(401);
});
