// What a command of the shell does to the kill switch of a namespace, and that it leaves no connection, whatever happens.

import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { freezeNamespace, thawNamespace } from "../../../replicas/group/namespace-kill-switch.ts";
import { BunRedisLink } from "../../../replicas/redis/bun-redis-link.ts";
import { killSwitchKey } from "../../../replicas/redis/keys.ts";

const KEY = killSwitchKey("desk");
// Nothing listens there, and nothing is sent: every call of the link is replaced.
const TARGET = { url: "redis://127.0.0.1:1", namespace: "desk" };
const log = logger("test");

let steps: unknown[] = [];
let found: unknown = [null, null];
let fault: Error | null = null;
const spies: { mockRestore(): void }[] = [];

beforeEach(() => {
  [steps, found, fault] = [[], [null, null], null];
  const close = BunRedisLink.prototype.close;
  const link = BunRedisLink.prototype;
  const answer = (step: unknown[], reply: unknown) => {
    steps.push(step);
    return fault === null ? Promise.resolve(reply) : Promise.reject(fault);
  };
  spies.push(
    spyOn(link, "connected").mockImplementation((ms) => {
      steps.push(["connected", ms]);
      return Promise.resolve();
    }),
    spyOn(link, "send").mockImplementation((command, args) => answer([command, ...args], found)),
    spyOn(link, "run").mockImplementation(({ name }, keys, [version, value]) =>
      answer([name, ...keys, version, value], ["9", value])
    ),
    spyOn(link, "close").mockImplementation(function (this: BunRedisLink) {
      steps.push("close");
      close.call(this);
    }),
  );
});

afterEach(() => {
  for (const spy of spies.splice(0)) spy.mockRestore();
});

test("a freeze is written with its reason and its time, and the connection ends", async () => {
  const before = Date.now();
  await freezeNamespace(TARGET, " a fat finger ", log);
  const [connected, change, ...rest] = steps as [unknown, string[], ...unknown[]];
  expect(connected).toEqual(["connected", 4_000]);
  expect(change.slice(0, 3)).toEqual(["change a register", KEY, "0"]);
  const { reason, since } = JSON.parse(change[3]!);
  expect(reason).toBe("a fat finger");
  expect(Date.parse(since)).toBeGreaterThanOrEqual(before);
  expect(rest).toEqual(["close"]);
});

const FREEZE = { reason: "r", since: "2026-01-01T00:00:00.000Z" };

test.each([
  [[null, null], "0", null],
  [["5", "null"], "5", null],
  [["5", JSON.stringify(FREEZE)], "5", FREEZE],
])("a thaw of %j is written above its version, and tells what it ended", async (reply, version, ended) => {
  found = reply;
  expect(await thawNamespace(TARGET, log)).toEqual(ended);
  expect(steps).toEqual([
    ["connected", 4_000],
    ["HMGET", KEY, "version", "value"],
    ["change a register", KEY, version, "null"],
    "close",
  ]);
});

test("a fault of Redis is thrown on, and the connection ends", async () => {
  fault = new Error("READONLY");
  expect(await freezeNamespace(TARGET, "r", log).catch((error) => error)).toBe(fault);
  expect(steps.splice(0).at(-1)).toBe("close");
  expect(await thawNamespace(TARGET, log).catch((error) => error)).toBe(fault);
  expect(steps.splice(0).at(-1)).toBe("close");
  spyOn(BunRedisLink.prototype, "connected").mockImplementation(() => Promise.reject(fault));
  expect(await freezeNamespace(TARGET, "r", log).catch((error) => error)).toBe(fault);
  expect(steps).toEqual(["close"]);
});
