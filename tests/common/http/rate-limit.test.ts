import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { Hono } from "hono";
import { RateLimit, tooMany } from "../../../common/http/rate-limit.ts";
import { refused } from "../../../common/http/refusal.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test("a client is admitted up to its limit in a second, and each has a limit of its own", async () => {
  const limit = new RateLimit(2);
  const answers = [];
  for (const client of ["a", "a", "b", "a", "b", "b"]) answers.push(await limit.admits(client));
  expect(answers).toEqual([true, true, true, false, true, false]);
  jest.advanceTimersByTime(999);
  expect(await limit.admits("a")).toBe(false);
  jest.advanceTimersByTime(1);
  expect(await limit.admits("a")).toBe(true);
});

test("a request may count as several, and a refused request counts, too", async () => {
  const limit = new RateLimit(5);
  expect([await limit.admits("a", 5), await limit.admits("a")]).toEqual([true, false]);
  expect([await limit.admits("b", 6), await limit.admits("b")]).toEqual([false, false]);
  expect([await limit.admits("c", 4), await limit.admits("c", 1), await limit.admits("c")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("a counter that fails is no limit that is reached", async () => {
  const failure = new Error("no connection");
  expect(await new RateLimit(2, { consume: () => Promise.reject(failure) }).admits("a").catch((error) => error)).toBe(
    failure,
  );
});

test("the answer above a limit is 429 with Retry-After and a JSON body", async () => {
  const app = new Hono().get("/", (context) => refused(context, tooMany("Slow down.")));
  const response = await app.fetch(new Request("http://localhost/"));
  expect(response.status).toBe(429);
  expect(response.headers.get("Retry-After")).toBe("1");
  expect(await response.json()).toEqual({ error: { code: "rate_limited", message: "Slow down." } });
});
