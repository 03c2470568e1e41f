// Replies of servers of several kinds and ages, of which at most one is at hand.

import { expect, test } from "bun:test";
import type { RedisLink } from "../../../replicas/redis/redis-link.ts";
import { unusableServer, uptimeSeconds } from "../../../replicas/redis/redis-server-facts.ts";

test.each([
  [{ mode: "standalone", role: "master", version: "6.2.0" }, null],
  [{ mode: "standalone", role: "master", version: "10.0.1" }, null],
  [{ version: "valkey" }, null],
  [null, null],
  [{ version: "6.1.9" }, "the server is version 6.1.9: at least 6.2 is needed"],
  [{ version: "5.9.0" }, "the server is version 5.9.0: at least 6.2 is needed"],
  [{ mode: "cluster", role: "master", version: "7.0.0" }, /part of a Redis Cluster/],
  [{ mode: "sentinel" }, /is a Redis Sentinel/],
  [{ role: "replica", version: "7.0.0" }, /is a read-only copy/],
  [{ role: "slave" }, /is a read-only copy/],
])("a server that says %j can be used unless there is a reason", (hello, reason) => {
  const told = unusableServer(hello);
  if (reason instanceof RegExp) expect(told).toMatch(reason);
  else expect(told).toBe(reason);
});

test.each([
  ["# Server\r\nredis_version:7.2.4\r\nuptime_in_seconds:3\r\nuptime_in_days:0\r\n", 3],
  ["uptime_in_seconds:86400\n", 86_400],
  ["# Server\r\nredis_version:7.2.4\r\n", Infinity],
  [null, Infinity],
])("the uptime in %j is %d seconds", async (facts, seconds) => {
  const asked: unknown[] = [];
  const link = { send: (...given: unknown[]) => Promise.resolve((asked.push(given), facts)) } as unknown as RedisLink;
  expect(await uptimeSeconds(link)).toBe(seconds);
  expect(asked).toEqual([["INFO", ["server"]]]);
});
