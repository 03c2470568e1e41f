import { expect, test } from "bun:test";
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
