// What each call of a journal does in the engine that it leads to, with its own market time and real time.

import { expect, test } from "bun:test";
import type { MarketEngine } from "../../../engine/api/market-engine.ts";
import { applyCall, type JournalCall, newEpochAfter } from "../../../engine/journal/journal-call.ts";

/** What an engine is told, as the method's name and its arguments; it answers with the name. */
function told(call: object): { readonly calls: unknown[][]; readonly answer: unknown } {
  const calls: unknown[][] = [];
  const method = (name: string) => (...given: unknown[]) => {
    calls.push([name, ...given]);
    return name;
  };
  const engine = new Proxy({}, { get: (_, name: string) => method(name) }) as MarketEngine;
  return { answer: applyCall(engine, call as JournalCall), calls };
}

const NAME = { userId: "anna", operationId: "o-1", action: "order.submit" };
const TIMES = { now: 5, realNow: 3 };

test.each<[object, unknown[]]>([
  [{ kind: "advance" }, ["advance"]],
  [{ kind: "setConnected", userId: "anna", connected: false }, ["setConnected", "anna", false]],
  [{ kind: "cancelDisconnected", orderIds: ["a", "b"] }, ["cancelDisconnected", ["a", "b"]]],
  [{ kind: "setClock", clock: { mode: "realtime" } }, ["setClock", { mode: "realtime" }]],
])("%j is carried out again, in real time if it names no other", (call, expected) => {
  expect(told({ ...call, ...TIMES })).toEqual({ calls: [[...expected, 5, 3]], answer: expected[0] });
  expect(told({ ...call, now: 5 }).calls).toEqual([[...expected, 5, 5]]);
});

test("a request is executed again", () => {
  const call = { kind: "execute", ...NAME, payload: {}, cancelOnDisconnect: false, ...TIMES };
  expect(told(call)).toEqual({ calls: [["execute", call, 5, 3]], answer: "execute" });
});

test("a failed request is remembered under its operationId, and a failed call of another kind is left out", () => {
  const name = { kind: "execute", ...NAME };
  expect(told({ kind: "failed", call: name, error: "e", ...TIMES }))
    .toEqual({ calls: [["recallFailure", name, 3]], answer: null });
  expect(told({ kind: "failed", call: { kind: "advance" }, error: "e", ...TIMES })).toEqual({
    calls: [],
    answer: null,
  });
});

test("a secret and a new epoch are those of the journal", () => {
  expect(told({ kind: "secret", digest: "d", ...TIMES })).toEqual({ calls: [["setSecret", "d"]], answer: null });
  expect(told({ kind: "newEpoch", epoch: 9, ...TIMES })).toEqual({ calls: [["beginEpoch", 9]], answer: null });
});

test("a new epoch is the clock in microseconds, but above all numbers that were given", () => {
  const engine = { now: 5, realNow: 3 };
  expect(newEpochAfter(engine, 10, 2_000_000_000)).toEqual({ kind: "newEpoch", epoch: 2e12, ...TIMES });
  expect(newEpochAfter(engine, 7e15, 2_000_000_000).epoch).toBe(7e15 + 1e9);
});
