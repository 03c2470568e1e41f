import { describe, expect, test } from "bun:test";
import { Hono } from "hono";
import { bearerAuth, bearerToken, type Caller } from "../../../core/http/bearer-auth.ts";
import { TokenRing } from "../../../core/http/token-ring.ts";
import { logger } from "../../../core/logger.ts";

const TOKEN = "correct-horse-battery";

function app(token: string | null) {
  const variables = { token: "T", file: "F" };
  const built = new Hono<{ Variables: Caller }>();
  built.use(bearerAuth(new TokenRing({ token, file: null, variables, log: logger("test") })));
  return built.get("/", (context) => context.json({ caller: context.get("caller") }));
}

const ask = (token: string | null, headers: Record<string, string>) =>
  app(token).fetch(new Request("http://localhost/", { headers }));

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
    expect(await response.json()).toMatchObject({ error: { code: "unauthorized" } });
  });

  test.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER   ${TOKEN}`])(
    "lets %p in by its name",
    async (Authorization) => {
      const response = await ask(TOKEN, { Authorization });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ caller: "default" });
    },
  );

  test("lets everyone in without a name if no token is needed", async () => {
    for (const headers of [{}, { Authorization: "Bearer whatever" }]) {
      expect(await (await ask(null, headers as Record<string, string>)).json()).toEqual({ caller: null });
    }
  });
});

test.each([["Bearer a", "a"], ["bearer  a~!", "a~!"], ["Bearer a b", null], [" Bearer a", null], [undefined, null]])(
  "the header %p holds the token %p",
  (header, token) => {
    expect(bearerToken(header)).toBe(token);
  },
);
