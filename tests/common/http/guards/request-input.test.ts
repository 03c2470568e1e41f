// What a route reads of a request, and how it refuses what it can't read.

import { afterAll, beforeAll, expect, jest, test } from "bun:test";
import { Hono } from "hono";
import { z } from "zod";
import { DEFAULT_ENGINE_LIMITS } from "../../../../common/http/guards/engine-limits.ts";
import { parseBody, parseQuery } from "../../../../common/http/guards/request-input.ts";
import { withJsonErrors } from "../../../../common/http/http-app.ts";
import { logger } from "../../../../common/logger.ts";
import { isSettled } from "../../../support/still-clock.ts";

// All requests share one timer.
beforeAll(() => void jest.useFakeTimers());
afterAll(() => void jest.useRealTimers());

const schema = z.strictObject({ count: z.coerce.number().int().default(7) });
const app = withJsonErrors(new Hono(), logger("test"));
const limits = { ...DEFAULT_ENGINE_LIMITS, frameBytes: 40, depth: 4 };
app.get("/", (context) => context.json(parseQuery(schema, context)));
app.post("/", async (context) => context.json(await parseBody(schema, context, limits)));
app.get("/broken", () => {
  throw new Error("a secret detail");
});

async function asked(path: string, body?: string): Promise<unknown[]> {
  const response = await app.request(path, body === undefined ? {} : { method: "POST", body });
  const { error, ...value } = await response.json() as { error?: { code: string; message: string } };
  return error === undefined ? [response.status, value] : [response.status, error.code, error.message];
}

test("a query is read with its defaults, and each fault of it is named", async () => {
  expect(await asked("/?count=3")).toEqual([200, { count: 3 }]);
  expect(await asked("/")).toEqual([200, { count: 7 }]);
  expect(await asked("/?count=x")).toEqual([400, "invalid_query", expect.stringContaining("count")]);
  expect(await asked("/?cuont=3")).toEqual([400, "invalid_query", expect.stringContaining("no such parameter")]);
});

test("a body is JSON of some size and depth, and nothing counts as an empty object", async () => {
  expect(await asked("/", '{"count":3}')).toEqual([200, { count: 3 }]);
  for (const empty of ["", "  "]) expect(await asked("/", empty)).toEqual([200, { count: 7 }]);
  for (const value of ["null", "0", '""', "false"]) {
    expect(await asked("/", value)).toEqual([400, "invalid_payload", expect.stringMatching(/^body: /)]);
  }
  expect(await asked("/", "{count}")).toEqual([400, "invalid_payload", "the body is not JSON"]);
  expect(await asked("/", '{"count":"x"}')).toEqual([400, "invalid_payload", expect.stringContaining("count")]);
  expect(await asked("/", "[[[[[[1]]]]]]")).toEqual([400, "invalid_payload", expect.stringMatching(/^the body /)]);
  expect(await asked("/", `{"count":${"1".repeat(40)}}`))
    .toEqual([413, expect.any(String), expect.stringContaining("MKT_ENGINE_MAX_FRAME_BYTES")]);
});

test("a body has ten seconds, after which its connection is closed", async () => {
  const answer = Promise.resolve(app.request("/", { method: "POST", body: new ReadableStream() }));
  jest.advanceTimersByTime(9_999);
  expect(await isSettled(answer)).toBe(false);
  jest.advanceTimersByTime(1);
  const { status, headers } = await answer;
  expect([status, headers.get("Connection")]).toEqual([408, "close"]);
});

test("an unknown route, and a fault of the program, are answered in JSON without detail", async () => {
  expect(await asked("/none")).toEqual([404, "not_found", "There is no such route."]);
  expect(await asked("/broken")).toEqual([500, "internal", "The request failed; the server's log has details."]);
});
