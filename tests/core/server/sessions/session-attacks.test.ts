// What somebody may try with the session of a browser: with its cookie, from another page, or on other routes.

import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { size } from "../../../support/sizes.ts";
import {
  BOTH,
  DESK,
  type Given,
  refusalCode,
  ROBOT,
  sessionServer,
  signedIn,
  type TestBrowser,
} from "./session-server.ts";

const COOKIE = "mkt-session-4087";

type Conditions = Parameters<typeof signedIn>[1];

/** A person who has signed in, and an attacker who sends cookies without a browser. */
async function attacked(access: "view" | "control" = "view", conditions: Conditions = {}) {
  const server = await signedIn(access, conditions);
  const isHeaderLetIn = async (cookie: string): Promise<boolean> => {
    const { status } = await server.send("GET", "/state", { headers: { Cookie: cookie } });
    expect([200, 401]).toContain(status);
    return status === 200;
  };
  const isLetIn = (value: string) => isHeaderLetIn(`${COOKIE}=${value}`);
  return { ...server, value: server.person.value, isHeaderLetIn, isLetIn };
}

/** A cookie that somebody has signed with a key. */
function signed(key: string, name: string, access: string, since: number): string {
  const text = `1~${name}~${access}~${since}~AAAAAAAAAAAAAAAAAAAAAA`;
  return `${text}~${createHmac("sha256", key).update(`cookie\n${text}`).digest("base64url")}`;
}

describe("a cookie", () => {
  test("that is changed, cut, extended, quoted, encoded or in pieces is not valid", async () => {
    const { value, isLetIn } = await attacked();
    expect(await isLetIn(value)).toBe(true);
    const [head, mac] = [value.slice(0, -44), value.slice(-43)];
    const withOther = Array.from(
      value,
      (character, at) => value.slice(0, at) + (character === "A" ? "B" : "A") + value.slice(at + 1),
    );
    const tampered = [
      withOther,
      ["", value.slice(0, -1), value.slice(1), `${value}A`, `${value}=`, `${value}~`, `"${value}"`],
      [encodeURIComponent(value).replaceAll("~", "%7E"), value.replaceAll("~", "%7e"), value.toUpperCase()],
      [`${value}, ${value}`, `${head}~`, `${head}~${"A".repeat(43)}`, `~~~~~${mac}`],
      [head.replace("view", "VIEW") + `~${mac}`, value.replace("1~", "2~"), value.replace("1~", "01~")],
      ["0", "-", "1e"].map((before) => value.replace("~view~", `~view~${before}`)),
      // The name of another token, another access, another time.
      [value.replace("~desk~", "~robot~"), value.replace("~view~", "~control~")],
      [value.replace(/~\d+~/, "~9999999999999~")],
    ].flat();
    for (const each of tampered) {
      expect(each).not.toBe(value);
      expect([each, await isLetIn(each)]).toEqual([each, false]);
    }
  });

  test("can't be made by somebody who knows no token, nor its request token, nor another cookie's signature", async () => {
    const { person, value, clock, isLetIn } = await attacked();
    const { requestToken } = person;
    for (const key of ["", "desk", "mkt session of a browser", requestToken!]) {
      expect(await isLetIn(signed(key, "desk", "control", clock.now))).toBe(false);
    }
    const text = `1~desk~control~${clock.now}~AAAAAAAAAAAAAAAAAAAAAA`;
    for (const signature of [requestToken, value.slice(-43)]) expect(await isLetIn(`${text}~${signature}`)).toBe(false);
  });

  test("for view gives no control with the request token of another session", async () => {
    const { person, world, browser } = await attacked();
    const boss = browser();
    await boss.signIn("control", DESK);
    const stolen = { body: {}, headers: { "X-Mkt-Request": boss.requestToken! } };
    expect(await person.codeOf("POST", "/tools/acme_change", stolen)).toBe("session_changed");
    expect(await person.codeOf("POST", "/session", { body: { access: "control" } })).toBe("forbidden");
    expect(world.done).toEqual([]);
  });

  test("that comes from the future is not valid", async () => {
    const { person, clock } = await attacked("control");
    clock.now -= 120_000;
    expect(await person.statusOf("GET", "/state")).toBe(401);
    clock.now += 120_000;
    expect(await person.statusOf("GET", "/state")).toBe(200);
  });

  test("of a token that was removed is not valid, and is again if the token comes back", async () => {
    const { person, setTokens } = await attacked();
    for (
      const [lines, status] of [
        [[`robot ${ROBOT}`], 401],
        [["desk another-token-of-the-desk"], 401],
        [BOTH, 200],
      ] as const
    ) {
      setTokens(lines);
      expect(await person.statusOf("GET", "/state")).toBe(status);
    }
  });

  test("that somebody has copied holds after the sign-out, until its time or its token ends", async () => {
    const { person, browser, setTokens } = await attacked();
    const thief = browser();
    thief.value = person.value;
    await person.send("DELETE", "/session");
    expect(await person.statusOf("GET", "/state")).toBe(401);
    expect(await thief.statusOf("GET", "/state")).toBe(200);
    setTokens([`robot ${ROBOT}`]);
    expect(await thief.statusOf("GET", "/state")).toBe(401);
  });

  test("of another port of the host is not looked at", async () => {
    const { value, isHeaderLetIn } = await attacked();
    for (const name of ["mkt-session", "mkt-session-4088", "mkt-session-40870", "MKT-SESSION-4087", ` x${COOKIE}`]) {
      expect(await isHeaderLetIn(`${name}=${value}`)).toBe(false);
    }
  });

  test("is found beside a few worthless ones of the same name, and beside those of others", async () => {
    const { value, isHeaderLetIn } = await attacked();
    const worthless = Array.from({ length: 3 }, (_, index) => `${COOKIE}=x${index}`).join("; ");
    expect(await isHeaderLetIn(`a=b; ${worthless};${COOKIE}=${value}; __proto__=1; =; ;;`)).toBe(true);
  });

  test.each<[string, (value: string) => string]>([
    ["of many cookies", (value) => `${`${COOKIE}=x; `.repeat(1_000)}${COOKIE}=${value}`],
    ["of one huge cookie", (value) => `${COOKIE}=${"x".repeat(100_000)}; ${COOKIE}=${value}`],
    ["of nothing but separators", (value) => `${";=".repeat(50_000)}${COOKIE}=${value}`],
    ["of a name that goes on", (value) => `${`${COOKIE}=1~`.repeat(2_000)}${value}`],
  ])("in a header %s is not looked for", async (_, header) => {
    const { value, isHeaderLetIn } = await attacked();
    expect(await isHeaderLetIn(header(value))).toBe(false);
  });
});

describe("requests at random", () => {
  const pieces = fc.constantFrom("~", "=", ";", "1~", "~control~", "robot", "A", ".", "%7E", '"', "é", " ", "\t", "");
  const edit = fc.record({ at: fc.nat(200), length: fc.nat(60), piece: pieces });
  const headers = fc.record({
    "X-Mkt-Request": fc.constantFrom("none", "", "x", "A".repeat(43)),
    "Sec-Fetch-Site": fc.constantFrom("same-origin", "same-site", "none", "x"),
    "Content-Type": fc.constantFrom("application/json", "text/plain", "x"),
    "Last-Event-ID": fc.constantFrom("1", "x"),
  }, { requiredKeys: [] });
  const asked = fc.record({
    edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
    headers,
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD"),
    path: fc.constantFrom(
      ...["/state", "/change", "/tools/acme_change", "/lobby/acme_change", "/live", "/plain", "/mcp", "/"],
    ),
  });

  test("with a damaged cookie reach nothing", async () => {
    const { person, send, world } = await attacked("control");
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
      const { person, value, isLetIn } = await attacked("view", { tokens: [`${name} ${DESK}`] });
      expect(await person.state()).toMatchObject({ caller: name, access: "view" });
      expect(await isLetIn(value.replace(`~${name}~`, "~valueOf~"))).toBe(false);
    },
  );

  test("that no token has lets nobody in", async () => {
    const { isLetIn, clock } = await attacked();
    for (const name of ["__proto__", "constructor", "", "nobody", "default"]) {
      expect(await isLetIn(signed("undefined", name, "view", clock.now))).toBe(false);
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

  const four = (code: string) => [code, code, code, code];
  const WAYS: [string, Conditions][] = [["with a token", {}], ["without tokens", { tokens: null }]];

  test.each(WAYS)("is refused %s, by its Origin", async (_, conditions) => {
    const { person, world } = await attacked("control", conditions);
    for (const host of ["https://evil.example", "null", "http://localhost.evil.example", "http://evil.example:4087"]) {
      const headers = { Origin: host, "Sec-Fetch-Site": "cross-site" };
      expect(await attempts(person, headers)).toEqual(four("forbidden_origin"));
      expect(await person.codeOf("GET", "/state", { headers })).toBe("forbidden_origin");
    }
    expect(world.done).toEqual([]);
  });

  test("is refused if the browser says that it is another page, though its Origin is allowed", async () => {
    const { person } = await attacked("control");
    for (const site of ["same-site", "cross-site", "none", "unheard-of", ""]) {
      const headers = { Origin: "http://localhost:5173", "Sec-Fetch-Site": site };
      expect(await attempts(person, headers)).toEqual(four("forbidden_page"));
    }
    const statuses = { "same-site": 403, "cross-site": 403, "none": 200, "same-origin": 200 };
    for (const [site, status] of Object.entries(statuses)) {
      expect(await person.statusOf("GET", "/state", { headers: { "Sec-Fetch-Site": site } })).toBe(status);
    }
  });

  test("is refused by an older browser's Origin, unless that is this server, also behind a proxy with TLS", async () => {
    const environment = {
      MCP_ALLOWED_HOSTS: "localhost,desk.example",
      MCP_ALLOWED_ORIGINS: "localhost,desk.example",
    };
    const { person, value, send } = await attacked("control", { environment });
    const codeOf = async (Host: string, Origin: string) => {
      const Cookie = `${Host.includes(":4087") ? COOKIE : "mkt-session"}=${value}`;
      const headers = { Host, Origin, Cookie, "X-Mkt-Request": person.requestToken! };
      return await refusalCode(await send("POST", "/change", { headers }));
    };
    expect(await codeOf("localhost:4087", "http://localhost:4087")).toBeNull();
    expect(await codeOf("localhost:4087", "http://localhost:5173")).toBe("forbidden_page");
    expect(await codeOf("localhost:4087", "http://localhost")).toBe("forbidden_page");
    expect(await codeOf("desk.example", "https://desk.example")).toBeNull();
    expect(await codeOf("desk.example", "https://desk.example:8443")).toBe("forbidden_page");
  });

  test.each(WAYS)("can't send the header that every change needs %s", async (_, conditions) => {
    const { person, send } = await attacked("control", conditions);
    for (const given of [null, "", "none", "é"]) {
      const headers = { Cookie: person.cookie, ...(given !== null && { "X-Mkt-Request": given }) };
      expect((await send("POST", "/change", { headers })).status).toBe(403);
    }
    const wrong = person.requestToken!.replace(/.$/, (last) => last === "A" ? "B" : "A");
    expect(await person.codeOf("POST", "/change", { headers: { "X-Mkt-Request": wrong } })).toBe("session_changed");
    expect(await person.statusOf("POST", "/change")).toBe(200);
  });

  test("without tokens can neither sign in nor change anything by a plain form", async () => {
    const { send } = sessionServer({ tokens: null });
    const headers = { "Content-Type": "text/plain", Origin: "http://localhost:4087" };
    for (
      const response of [
        await send("POST", "/session", { headers, body: '{"access":"control"}' }),
        await send("DELETE", "/session", { headers }),
        await send("POST", "/tools/acme_read", { headers, body: '{"access":"control"}' }),
      ]
    ) {
      expect([response.status, response.headers.get("Set-Cookie")]).toEqual([403, null]);
      expect(await refusalCode(response)).toBe("forbidden_page");
    }
  });

  test("gains nothing by a password that the browser, or a proxy, sends by itself", async () => {
    const headers = { Authorization: "Basic dXNlcjpwYXNz", Origin: "http://localhost:5173" };
    const { send } = sessionServer({ tokens: null });
    expect((await send("POST", "/change", { headers })).status).toBe(403);
    const { person } = await attacked("control");
    expect(await person.statusOf("POST", "/change", { headers: { Authorization: headers.Authorization } })).toBe(200);
  });

  test("gets no permission to send cookies, nor to read answers to requests with them", async () => {
    const { person, send } = await attacked();
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
    const { person } = await attacked("control");
    expect(await person.statusOf("POST", "/mcp")).toBe(401);
    for (const path of ["/metrics", "/plain", "/nowhere"]) {
      expect([path, await person.statusOf("GET", path)]).toEqual([path, 401]);
    }
  });

  test("that has not declared `browser` can't ask for its session", async () => {
    const { send } = sessionServer();
    const response = await send("GET", "/curious", { headers: { Authorization: `Bearer ${DESK}` } });
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('"internal"')]);
  });
});

test("the cookie and the request token reach no handler", async () => {
  const { person } = await attacked();
  const names = await (await person.send("GET", "/headers")).json();
  expect(names).toContain("sec-fetch-site");
  for (const name of ["cookie", "authorization", "x-mkt-request"]) expect(names).not.toContain(name);
});
