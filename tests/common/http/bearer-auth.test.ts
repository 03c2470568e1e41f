import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { Hono } from "hono";
import {
  bearerAuth,
  BearerAuthentication,
  bearerToken,
  type Caller,
  type Connection,
} from "../../../common/http/bearer-auth.ts";
import { RateLimit } from "../../../common/http/rate-limit.ts";
import { TokenStore } from "../../../common/http/token-store.ts";
import { logger } from "../../../common/logger.ts";

const TOKEN = "correct-horse-battery";

const WITHOUT_LIMIT = 1_000_000;

function app(token: string | null, failures = WITHOUT_LIMIT) {
  const tokens = new TokenStore({ token, file: null, variables: { token: "T", file: "F" }, log: logger("test") });
  const built = new Hono<{ Variables: Caller; Bindings: Connection }>();
  built.use(bearerAuth(new BearerAuthentication({ tokens, failures: new RateLimit(failures), setting: "T" })));
  built.get("/", (context) => context.json({ caller: context.get("holder").name }));
  return (headers: Record<string, string>, address = "10.0.0.1") =>
    built.fetch(new Request("http://localhost/", { headers }), { address });
}

const ask = (token: string | null, headers: Record<string, string>) => app(token)(headers);

describe("a route behind bearer tokens", () => {
  test.each([
    {},
    { Authorization: "" },
    { Authorization: "Bearer" },
    { Authorization: "Bearer " },
    { Authorization: TOKEN },
    { Authorization: `Basic ${TOKEN}` },
    { Authorization: `Bearer ${TOKEN}x` },
    { Authorization: `Bearer ${TOKEN.slice(0, -1)}` },
    { Authorization: `Bearer ${TOKEN} ${TOKEN}` },
    { Authorization: `xBearer ${TOKEN}` },
  ])("answers %j with 401, WWW-Authenticate and JSON", async (headers) => {
    const response = await ask(TOKEN, headers as Record<string, string>);
    expect(response.status).toBe(401);
    expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
    const message = "A bearer token is required: send Authorization: Bearer <T>.";
    expect(await response.json()).toMatchObject({ error: { code: "unauthorized", message } });
  });

  test.each(["Bearer ", "bearer ", "BEARER   "])("accepts a token after %p by its name", async (scheme) => {
    const response = await ask(TOKEN, { Authorization: scheme + TOKEN });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ caller: "default" });
  });

  test("accepts every request, without a name, if no token is required", async () => {
    for (const headers of [{}, { Authorization: "Bearer whatever" }]) {
      expect(await (await ask(null, headers as Record<string, string>)).json()).toEqual({ caller: null });
    }
  });
});

describe("failures from one address", () => {
  const wrong = { Authorization: "Bearer wrong" };

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test("are 401 up to the limit, then 429 with Retry-After, and 401 again a second later", async () => {
    const from = app(TOKEN, 2);
    const statuses = async (...requests: readonly Record<string, string>[]) => {
      const all: number[] = [];
      for (const headers of requests) all.push((await from(headers)).status);
      return all;
    };
    expect(await statuses(wrong, {}, wrong, {})).toEqual([401, 401, 429, 429]);
    const refused = await from(wrong);
    expect([refused.headers.get("Retry-After"), refused.headers.get("WWW-Authenticate")]).toEqual(["1", null]);
    expect(await refused.json()).toMatchObject({ error: { code: "rate_limited" } });
    jest.advanceTimersByTime(1000);
    expect(await statuses(wrong)).toEqual([401]);
  });

  test("do not affect valid tokens or other addresses; valid tokens do not count as failures", async () => {
    const from = app(TOKEN, 1);
    const right = { Authorization: `Bearer ${TOKEN}` };
    const statuses = [];
    for (const headers of [right, right, right, wrong, wrong, right]) statuses.push((await from(headers)).status);
    expect(statuses).toEqual([200, 200, 200, 401, 429, 200]);
    expect((await from(wrong, "10.0.0.2")).status).toBe(401);
  });

  test.each(["X-Forwarded-For", "X-Real-IP", "Forwarded"])(
    "count for the connection, whatever %s says",
    async (header) => {
      const from = app(TOKEN, 1);
      const named = (value: string) => ({ ...wrong, [header]: value });
      const statuses = [await from(named("10.0.0.2")), await from(named("10.0.0.3")), await from(wrong, "10.0.0.2")];
      expect(statuses.map(({ status }) => status)).toEqual([401, 429, 401]);
    },
  );
});

test.each([["bearer  a~!", "a~!"], [" Bearer a", null], [undefined, null]])(
  "the header %p has the token %p",
  (...each) => {
    const [header, token] = each;
    expect(bearerToken(header)).toBe(token);
  },
);
