import { describe, expect, test } from "bun:test";
import type { Context } from "hono";
import { crossOrigin } from "../../../common/http/cors.ts";
import { httpApp } from "../../../common/http/http-app.ts";
import { logger } from "../../../common/logger.ts";

const ORIGIN = "https://desk.example:8443";
const FOREIGN = "https://evil.example";

const access = { allowedHosts: ["localhost"], allowedOrigins: [ORIGIN], hostExempt: [] };
const app = httpApp({ ...access, settings: { hosts: "SOME_HOSTS", origins: "SOME_ORIGINS" }, log: logger("test") });
app.use(crossOrigin());
app.use(async (context, next) => {
  if (context.req.header("Authorization") === undefined) return context.json("no token", 401);
  await next();
});
app.all("/route", (context: Context) => context.json(context.req.method));
app.get("/varied", (context) => context.body("", 200, { Vary: "Accept-Encoding" }));
app.get("/failing", () => {
  throw new Error("inside");
});

function send(method: string, headers: Record<string, string>, path = "/route") {
  return app.request(`http://localhost${path}`, { method, headers: { Host: "localhost", ...headers } });
}

const preflight = (origin: string, further: Record<string, string> = {}) =>
  send("OPTIONS", { "Origin": origin, "Access-Control-Request-Method": "POST", ...further });

function corsHeadersOf({ headers }: Response): string[] {
  return [...headers.keys()].filter((name) => name.startsWith("access-control-"));
}

describe("a preflight", () => {
  test("from an allowed origin is answered without a token, with what the request may be", async () => {
    const asked = "authorization,content-type,mcp-method,mcp-name,mcp-param-region,mcp-protocol-version,x-of-the-user";
    const response = await preflight(ORIGIN, { "Access-Control-Request-Headers": asked });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.toJSON()).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-methods": "GET,HEAD,POST,PUT,PATCH,DELETE",
      "access-control-allow-headers": asked,
      "access-control-max-age": "7200",
      "vary": expect.stringContaining("Origin"),
    });
    expect(response.headers.has("Access-Control-Allow-Credentials")).toBe(false);
  });

  test("from a foreign origin, or with a foreign Host, is 403 without CORS headers", async () => {
    const refused = [
      await preflight(FOREIGN),
      await preflight("null"),
      await preflight(`${ORIGIN}.evil.example`),
      await preflight(ORIGIN, { Host: "evil.example" }),
    ];
    for (const response of refused) {
      expect(response.status).toBe(403);
      expect(corsHeadersOf(response)).toEqual([]);
    }
  });

  test("must have an Origin and name a method: other OPTIONS requests are requests like any other", async () => {
    expect((await send("OPTIONS", { "Access-Control-Request-Method": "POST" })).status).toBe(401);
    expect((await send("OPTIONS", { Origin: ORIGIN })).status).toBe(401);
    expect(await (await send("OPTIONS", { Origin: ORIGIN, Authorization: "x" })).json()).toBe("OPTIONS");
  });
});

describe("a request from an allowed origin", () => {
  test("may be read by its page, and so may its refusals", async () => {
    const answers = [
      await send("POST", { Origin: ORIGIN, Authorization: "x" }),
      await send("POST", { Origin: ORIGIN }),
      await send("GET", { Origin: ORIGIN, Authorization: "x" }, "/nowhere"),
      await send("GET", { Origin: ORIGIN, Authorization: "x" }, "/failing"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 500]);
    for (const { headers } of answers) {
      expect(headers.get("Access-Control-Allow-Origin")).toBe(ORIGIN);
      for (const exposed of ["WWW-Authenticate", "Retry-After", "Allow", "Mcp-Session-Id", "MCP-Protocol-Version"]) {
        expect(headers.get("Access-Control-Expose-Headers")).toContain(exposed);
      }
      expect(headers.get("Vary")).toContain("Origin");
    }
  });
});

test("a request without an Origin gets no CORS headers, and Vary for caches", async () => {
  const response = await send("POST", { Authorization: "x" });
  expect(corsHeadersOf(response)).toEqual([]);
  expect(response.headers.get("Vary")).toBe("Origin");
  const varied = await send("GET", { Authorization: "x" }, "/varied");
  expect(varied.headers.get("Vary")).toBe("Accept-Encoding, Origin");
});
