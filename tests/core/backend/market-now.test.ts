import { expect, spyOn, test } from "bun:test";
import { ToolError } from "../../../core/error.ts";
import { marketNow } from "../../../core/backend/market-now.ts";
import type { Health } from "../../../core/backend/state-client.ts";
import { unlessAborted } from "../../../common/unless-aborted.ts";

const pubsub = { session: null, marketTime: () => 7 };

test("is that of the backend if there is no connection", async () => {
  const health = { marketTime: "2030-06-01T12:00:00.000Z" } as Health;
  expect(await marketNow({ pubsub, backend: { health: () => Promise.resolve(health) } }))
    .toBe(Date.UTC(2030, 5, 1, 12));
});

test("is not waited for after the client has cancelled the call", async () => {
  const cancelled = new AbortController();
  const health = (signal?: AbortSignal) => unlessAborted(new Promise<never>(() => {}), signal);
  const waiting = marketNow({ pubsub, backend: { health }, signal: cancelled.signal }).catch((error: unknown) => error);
  cancelled.abort("enough");
  expect(await waiting).toBe("enough");
});

test.each<[string, Partial<Parameters<typeof marketNow>[0]>]>([
  ["there is a connection", { pubsub: { ...pubsub, session: {} as never } }],
  ["the backend has no clock of its own", {
    backend: { health: () => Promise.resolve({ marketTime: null } as Health) },
  }],
  ["the backend can't be asked", { backend: { health: () => Promise.reject(new ToolError("timeout", "m", "h")) } }],
])("is that of this process if %s", async (_when, parts) => {
  const health = () => expect.unreachable();
  expect(await marketNow({ pubsub, backend: { health }, ...parts })).toBe(7);
});

test("is that of this process if the backend does not answer within two seconds", async () => {
  for (const signal of [undefined, new AbortController().signal]) {
    const limit = new AbortController();
    const timeout = spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    try {
      const health = (signal?: AbortSignal) => unlessAborted(new Promise<never>(() => {}), signal);
      const waiting = marketNow({ pubsub, backend: { health }, ...(signal && { signal }) });
      expect(timeout.mock.calls).toEqual([[2_000]]);
      limit.abort(new DOMException("too late", "TimeoutError"));
      expect(await waiting).toBe(7);
    } finally {
      timeout.mockRestore();
    }
  }
});

test("a fault that is none of the backend is the caller's", async () => {
  const health = () => Promise.reject(new Error("odd"));
  await expect(marketNow({ pubsub, backend: { health } })).rejects.toThrow("odd");
});
