import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { Hono } from "hono";
import { RateLimit, tooMany } from "../../../core/http/rate-limit.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test("a client may do its number of things in a second, and not one more", async () => {
  const limit = new RateLimit(3);
  const three = [await limit.take("a"), await limit.take("a"), await limit.take("a")];
  expect(three).toEqual([null, null, null]);
  expect(await limit.take("a")).toBe(1);
  jest.advanceTimersByTime(999);
  expect(await limit.take("a")).toBe(1);
  jest.advanceTimersByTime(1);
  expect(await limit.take("a")).toBeNull();
});

test("clients are counted apart", async () => {
  const limit = new RateLimit(1);
  expect([await limit.take("a"), await limit.take("b"), await limit.take("a")]).toEqual([null, null, 1]);
});

test("what counts as several takes as many, and what is refused counts too", async () => {
  const limit = new RateLimit(5);
  expect([await limit.take("a", 5), await limit.take("a")]).toEqual([null, 1]);
  expect([await limit.take("b", 6), await limit.take("b")]).toEqual([1, 1]);
  expect([await limit.take("c", 4), await limit.take("c", 1), await limit.take("c", 1)]).toEqual([null, null, 1]);
});

test("the answer above a limit is 429 with Retry-After and a JSON body", async () => {
  const app = new Hono().get("/", (context) => tooMany(context, 7, "Slow down."));
  const response = await app.fetch(new Request("http://localhost/"));
  expect(response.status).toBe(429);
  expect(response.headers.get("Retry-After")).toBe("7");
  expect(await response.json()).toEqual({ error: { code: "rate_limited", message: "Slow down." } });
});
