import { expect, test } from "bun:test";
import fc from "fast-check";
import { keysOf } from "../../../replicas/redis/keys.ts";
import { codePoint } from "../../support/code-point.ts";

function allKeys(userId: string): string[] {
  const keys = keysOf("market", userId);
  const { desiredUser, replicas, followed, trial, signingKey } = keys;
  return [
    ...[desiredUser, replicas, followed, trial, signingKey, keys.pendingStates(null), keys.pendingStates("a:b")],
    ...[keys.rate("requests"), keys.newestHistory("x"), keys.history("d"), keys.stream("d", "orders"), keys.lease("d")],
  ];
}

test("two groups have no key in common, and one kill switch", () => {
  fc.assert(fc.property(fc.string({ unit: codePoint }), fc.string({ unit: codePoint }), (one, other) => {
    fc.pre(one.isWellFormed() && other.isWellFormed() && one !== other);
    const others = allKeys(other);
    expect(allKeys(one).filter((key) => others.includes(key))).toEqual([]);
    expect(keysOf("market", one).killSwitch).toBe(keysOf("market", other).killSwitch);
  }));
});

test("a user id can't leave the braces of its group", () => {
  for (const key of allKeys("a}:wish{*?[b]")) expect(key).toStartWith("market:{a%7D%3Awish%7B%2A%3F%5Bb%5D}:");
});

test("all keys of a group are different", () => {
  expect(new Set(allKeys("user-1")).size).toBe(allKeys("user-1").length);
});
