import { describe, expect, test } from "bun:test";
import { type Context, Hono } from "hono";
import { httpApp, withJsonErrors } from "../../../common/http/http-app.ts";
import { HostCheck, LOOPBACK_NAMES } from "../../../common/http/host-check.ts";
import { logger } from "../../../common/logger.ts";

const SETTINGS = { hosts: "SOME_HOSTS", origins: "SOME_ORIGINS" };
const FOR_DATA = "default-src 'none'; frame-ancestors 'none'";
const SENT = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "content-security-policy": FOR_DATA,
  "cache-control": "no-store",
};

interface Access {
  readonly hosts?: readonly string[];
  readonly origins?: readonly string[];
}

function app(
  { hosts = LOOPBACK_NAMES, origins = LOOPBACK_NAMES }: Access = {},
  route?: (context: Context) => Response,
) {
  const options = { allowedHosts: hosts, allowedOrigins: origins, hostExempt: ["/probe"], settings: SETTINGS };
  const built = httpApp({ ...options, log: logger("test") });
  built.get("/probe", (context) => context.json("probed"));
  built.get("/route", route ?? ((context) => context.json("routed")));
  return built;
}

/** A request as the runtime passes it: the URL contains the Host, unless that is no valid URL. */
async function ask(access: Access, headers: Record<string, string>, path = "/route") {
  const url = `http://${headers["Host"]}${path}`;
  const request = new Request(URL.canParse(url) ? url : `http://x${path}`, { headers });
  const response = await app(access).fetch(request);
  const body = await response.json();
  return { status: response.status, code: body?.error?.code, message: body?.error?.message };
}

describe("the Host header", () => {
  const LOOPBACK = [
    "localhost",
    "localhost:4087",
    "localhost:8080",
    "LOCALHOST:80",
    "127.0.0.1:1",
    "[::1]",
    "[::1]:65535",
  ];
  test.each(LOOPBACK)("%s is allowed by default", async (host) => {
    expect(await ask({}, { Host: host })).toMatchObject({ status: 200 });
  });

  test.each(["evil.example", "127.0.0.1.evil.example", "localhost.", "127.0.0.2", "[::2]:80", "engine:3001"])(
    "%s is 403 by default, with the name of the setting",
    async (host) => {
      expect(await ask({}, { Host: host })).toMatchObject({
        status: 403,
        code: "forbidden_host",
        message: `The Host ${host.replace(/:80$/, "")} is not allowed: an operator can add it to SOME_HOSTS.`,
      });
    },
  );

  test.each([
    ...["", " ", "a b", "[::", "x:99999", "localhost/ws", "evil@localhost", "localhost@evil", "<script>", "localhost:"],
    ...["loc%61lhost", "localhost, localhost", "localhost?x", "localhost#x", "2130706433"],
  ])("%p is malformed: 400, also on a route that allows any Host", async (host) => {
    for (const path of ["/route", "/probe", "/nowhere"]) {
      expect(await ask({}, { Host: host }, path)).toMatchObject({ status: 400, code: "malformed_request" });
    }
  });

  test("that is missing is malformed, and so is a request target that is no path", async () => {
    expect(await ask({}, {})).toMatchObject({ status: 400, code: "malformed_request" });
    const tunnel = new Request("http://localhost/route", { headers: { Host: "localhost" } });
    for (const value of ["localhost:1", "http://localhost:99999/"]) {
      Object.defineProperty(tunnel, "url", { value, configurable: true });
      expect((await app().fetch(tunnel)).status).toBe(400);
    }
  });

  test("that is not allowed is allowed at the exempt path, and not at similar paths", async () => {
    expect(await ask({}, { Host: "evil.example" }, "/probe")).toMatchObject({ status: 200 });
    for (const path of ["/probe/", "/probes", "/Probe", "//probe"]) {
      expect(await ask({}, { Host: "evil.example" }, path)).toMatchObject({ status: 403 });
    }
  });

  test("is allowed by name with any port, by name and port with that port only, in upper or lower case", async () => {
    const hosts = ["Engine", "desk:3001", "10.0.0.5"];
    for (const host of ["engine", "ENGINE:3001", "engine:1", "desk:3001", "Desk:3001", "10.0.0.5:3001"]) {
      expect(await ask({ hosts }, { Host: host })).toMatchObject({ status: 200 });
    }
    for (const host of ["desk", "desk:3002", "localhost", "127.0.0.1"]) {
      expect(await ask({ hosts }, { Host: host })).toMatchObject({ status: 403 });
    }
  });
});

describe("the Origin header", () => {
  test.each(["http://localhost:5173", "https://127.0.0.1", "http://[::1]:1"])(
    "%s is allowed by default",
    async (it) => {
      expect(await ask({}, { Host: "localhost", Origin: it })).toMatchObject({ status: 200 });
    },
  );

  test.each(["https://evil.example", "null", "http://localhost.evil.example", "localhost", "", "http://"])(
    "%p is 403, also at the exempt path, with the name of the setting",
    async (Origin) => {
      for (const path of ["/route", "/probe", "/nowhere"]) {
        expect(await ask({}, { Host: "localhost", Origin }, path)).toMatchObject({
          status: 403,
          code: "forbidden_origin",
          message: expect.stringContaining("SOME_ORIGINS"),
        });
      }
    },
  );

  test("is allowed by name with any scheme and port, as a whole origin with that scheme and port only", async () => {
    const origins = ["desk.example", "https://Robot.example:8443"];
    for (const Origin of ["http://desk.example", "https://desk.example:1", "https://Robot.EXAMPLE:8443"]) {
      expect(await ask({ origins }, { Host: "localhost", Origin })).toMatchObject({ status: 200 });
    }
    for (const Origin of ["https://robot.example", "http://robot.example:8443", "http://localhost"]) {
      expect(await ask({ origins }, { Host: "localhost", Origin })).toMatchObject({ status: 403 });
    }
  });

  test("is checked after the Host", async () => {
    const headers = { Host: "evil.example", Origin: "https://evil.example" };
    expect((await ask({}, headers)).code).toBe("forbidden_host");
    expect((await ask({}, { ...headers, Host: "a b" })).code).toBe("malformed_request");
  });
});

describe("every answer", () => {
  const Host = "localhost";

  test.each([
    ["a route's", "/route", { Host }, 200],
    ["a refusal", "/route", { Host: "evil.example" }, 403],
    ["a malformed request's", "/route", { Host: "a b" }, 400],
    ["of no route", "/nowhere", { Host }, 404],
  ])("%s has the security headers", async (_name, path, headers, status) => {
    const response = await app().fetch(new Request(`http://localhost${path}`, { headers }));
    expect(response.status).toBe(status);
    expect(response.headers.toJSON()).toMatchObject(SENT);
    expect(response.headers.get("Strict-Transport-Security")).toBeNull();
    expect(response.headers.get("Content-Type")).toContain("application/json");
  });

  const answerOf = (route: () => Response) =>
    app({}, route).fetch(new Request("http://localhost/route", { headers: { Host } }));

  test("of a route that fails is a 500 in JSON with the security headers and no internal details", async () => {
    const response = await answerOf(() => {
      throw new Error("inside");
    });
    expect(response.status).toBe(500);
    expect(response.headers.get("Content-Security-Policy")).toBe(FOR_DATA);
    expect(await response.text()).toBe(
      '{"error":{"code":"internal","message":"The request failed; the server\'s log has details."}}',
    );
  });

  test("of a route that fails is logged with its stack, and its path without the query", async () => {
    const logged: unknown[] = [];
    const log = { error: (_: string, about: unknown) => logged.push(about) } as never;
    const error = new Error("inside");
    const failing = withJsonErrors(new Hono(), log).get("/route", () => {
      throw error;
    });
    await failing.request("/route?token=secret");
    expect(logged).toEqual([{ method: "GET", path: "/route", error: error.stack }]);
  });

  test("without a Content-Type gets the policy for data", async () => {
    const bare = await answerOf(() => new Response(null, { status: 204 }));
    expect(bare.headers.get("Content-Security-Policy")).toBe(FOR_DATA);
  });

  test("lets a page use its own scripts, and keeps the headers that a route sets", async () => {
    const set = { "Cache-Control": "max-age=60", "X-Frame-Options": "SAMEORIGIN" };
    const page = await answerOf(() => new Response("<p>", { headers: { "Content-Type": "text/html", ...set } }));
    expect(page.headers.get("Content-Security-Policy")).toStartWith("default-src 'self'; object-src 'none'");
    for (const [name, value] of Object.entries(set)) expect(page.headers.get(name)).toBe(value);
    const kept = await answerOf(() => new Response("{}", { headers: { "Content-Security-Policy": "sandbox" } }));
    expect(kept.headers.get("Content-Security-Policy")).toBe("sandbox");
  });
});

test("each request is checked by itself, whatever has passed before it", () => {
  const settings = SETTINGS;
  const check = new HostCheck({ allowedHosts: ["desk"], allowedOrigins: ["desk"], hostExempt: ["/probe"], settings });
  const refused = (host: string, origin: string | null, path = "/route") => {
    const headers = { Host: host, ...(origin !== null && { Origin: origin }) };
    return check.refusal(new Request(`http://${host}${path}`, { headers }), path)?.code ?? null;
  };
  const headers = { Host: "evil.example" };
  for (let round = 0; round < 2; round += 1) {
    expect(refused("desk", null)).toBeNull();
    expect(check.refusal(new Request("http://desk/route", { headers }), "/route")?.code).toBe("forbidden_host");
    expect(refused("desk", "https://evil.example")).toBe("forbidden_origin");
    expect(refused("desk", "https://desk")).toBeNull();
    expect(refused("evil.example", null)).toBe("forbidden_host");
    expect(refused("evil.example", null, "/probe")).toBeNull();
    expect(refused("evil.example", "https://evil.example", "/probe")).toBe("forbidden_origin");
    expect(refused("evil.example", null)).toBe("forbidden_host");
  }
});
