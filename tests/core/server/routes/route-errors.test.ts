// Which status a failed route has, and what a client learns of a fault.

import { expect, test } from "bun:test";
import type { Logger } from "../../../../common/logger.ts";
import { ERROR_CODES, type ErrorCode, ToolError } from "../../../../core/error.ts";
import { errorResponse } from "../../../../core/server/routes/route-errors.ts";

const STATUSES: Readonly<Record<ErrorCode, number>> = {
  not_connected: 503,
  already_connected: 409,
  forbidden: 403,
  not_found: 404,
  invalid_input: 400,
  invalid_filter: 400,
  not_configured: 501,
  backend_unavailable: 502,
  rejected: 422,
  backend_error: 502,
  timeout: 504,
  read_only: 403,
  limit_exceeded: 422,
  rate_limited: 429,
  frozen: 403,
  shutting_down: 503,
  internal: 500,
};
/** A client that repeats these at once does no harm, and any other one might. */
const REPEATED: readonly ErrorCode[] = ["not_connected", "rate_limited", "shutting_down"];

test.each(ERROR_CODES)("%s has its status, its text made safe, and says whether to try again", async (code) => {
  const response = errorResponse(new ToolError(code, "No\u202e.", "Look."), "GET /a", {} as Logger);
  const retry = response.headers.get("Retry-After");
  expect([response.status, retry]).toEqual([STATUSES[code], REPEATED.includes(code) ? "1" : null]);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  expect(await response.json()).toEqual({ error: { code, message: "No\\u202e.", hint: "Look." } });
});

test("a code that a pack made up is 500", () => {
  expect(errorResponse(new ToolError("odd" as ErrorCode, "m", "h"), "GET /a", {} as Logger).status).toBe(500);
});

test("a fault is hidden behind a reference of its own, under which the log has it", async () => {
  const logged: Record<string, unknown>[] = [];
  const log = { error: (_text: string, facts: Record<string, unknown>) => logged.push(facts) } as unknown as Logger;
  const texts: string[] = [];
  for (const fault of [new Error("secret"), "secret"]) {
    const response = errorResponse(fault, "GET /a", log);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([500, null]);
    texts.push(await response.text());
  }
  expect(new Set(logged.map(({ reference }) => reference)).size).toBe(2);
  for (const [at, { route, reference, error }] of logged.entries()) {
    expect([route, String(error)]).toEqual(["GET /a", expect.stringContaining("secret")]);
    expect(texts[at]).toContain(String(reference));
    expect(texts[at]).not.toContain("secret");
  }
});
