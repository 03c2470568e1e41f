// For which requests a stop waits. hang-up.test.ts stops a real server.

import { expect, test } from "bun:test";
import { onlyUnreadLeft } from "../../../core/server/http.ts";

test.concurrent.each<[string, readonly [running: number, unread: number][], number]>([
  ["nothing runs", [[0, 0]], 1],
  ["only a subscription runs whose client does not read", [[1, 1]], 1],
  ["two such subscriptions", [[2, 2]], 1],
  ["a call runs beside it, and then ends", [[2, 1], [1, 1]], 2],
  ["a call runs alone, and then ends", [[1, 0], [0, 0]], 2],
])("a stop no longer waits for clients that don't read: %s", async (_what, looks, expected) => {
  let count = 0;
  const server = {
    get pendingRequests() {
      return looks[count]![0];
    },
  };
  const sdk = {
    get unreadStreams() {
      return looks[count++]![1];
    },
  };
  await onlyUnreadLeft(server, sdk, new AbortController().signal);
  expect(count).toBe(expected);
});

test.concurrent("a stop that has ended looks no more, whatever still runs", async () => {
  const ended = AbortSignal.abort();
  await onlyUnreadLeft({ pendingRequests: 5 }, { unreadStreams: 0 }, ended);
  expect(ended.aborted).toBe(true);
});
