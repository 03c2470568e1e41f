// How the wait for a request ends, and what a result must look like.

import { expect, test } from "bun:test";
import { checked, untilAborted } from "../../../core/backend/pending-call.ts";

const IDS = { requestId: "r", operationId: "op" };
const CALL = { action: "order.cancel", payload: { orderId: "o" }, ids: IDS } as const;
const OK = { kind: "ok", operationId: "op", result: {} } as never;

/** A client whose one request ends when the test says so. */
function asking() {
  const noted: unknown[] = [];
  const outcome = Promise.withResolvers<never>();
  let isPending = true;
  const client = {
    request: (...given: unknown[]) => {
      noted.push(["request", ...given]);
      return outcome.promise;
    },
    drop: (requestId: string) => {
      noted.push(["drop", requestId]);
      return isPending ? { validUntil: "then" } : null;
    },
  } as never;
  const log = { info: (...given: unknown[]) => noted.push(["info", ...given]) } as never;
  const listening = new Set<() => void>();
  const signal = {
    reason: new Error("gone"),
    addEventListener: (_: string, run: () => void) => listening.add(run),
    removeEventListener: (_: string, run: () => void) => listening.delete(run),
  };
  const abort = () => listening.forEach((run) => run());
  const settle = (value: never) => {
    isPending = false;
    outcome.resolve(value);
  };
  const wait = (aborts = true) => untilAborted(client, { ...CALL, signal: aborts ? signal as never : undefined }, log);
  return { noted, wait, signal, abort, settle, listening, outcome };
}

test("the request is sent with its payload and its ids, and its outcome is the answer", async () => {
  for (const aborts of [true, false]) {
    const { noted, wait, settle, listening } = asking();
    const result = wait(aborts);
    expect(listening.size).toBe(aborts ? 1 : 0);
    settle(OK);
    expect(await result).toBe(OK);
    expect(noted).toEqual([["request", "order.cancel", { orderId: "o" }, IDS]]);
    expect(listening.size).toBe(0);
  }
});

test("an abort drops the request, is logged with its operation, and ends the wait with its reason", async () => {
  const { noted, wait, signal, abort, listening } = asking();
  const result = wait().catch((error) => error);
  abort();
  expect(await result).toBe(signal.reason);
  expect(noted.slice(1)).toEqual([
    ["drop", "r"],
    ["info", expect.stringContaining("may take effect"), {
      action: "order.cancel",
      operationId: "op",
      validUntil: "then",
    }],
  ]);
  expect(listening.size).toBe(0);
});

test("an abort after the outcome changes nothing", async () => {
  const { noted, wait, abort, settle } = asking();
  const result = wait();
  settle(OK);
  abort();
  expect(await result).toBe(OK);
  expect(noted.slice(1)).toEqual([["drop", "r"]]);
});

test("a request that fails is thrown on, and its call is listened to no more", async () => {
  const { wait, outcome, listening } = asking();
  const result = wait().catch((error) => error);
  const failure = new Error("broken");
  outcome.reject(failure);
  expect(await result).toBe(failure);
  expect(listening.size).toBe(0);
});

test("a result must fit its action; any other outcome stays", () => {
  const flushed = (result: object) => checked("market.flush", { kind: "ok", operationId: "op", result } as never);
  expect(flushed({ ordersAffected: 3, more: 1 })).toEqual(
    { kind: "ok", operationId: "op", result: { ordersAffected: 3, more: 1 } } as never,
  );
  const wrong = flushed({ ordersAffected: -1 });
  expect(wrong.kind).not.toBe("ok");
  expect(wrong).toMatchObject({ operationId: "op", message: expect.stringContaining("(ordersAffected)") });
  expect(JSON.stringify(flushed(3 as never))).toContain("(result)");
  const rejected = { kind: "rejected", operationId: "op", code: "c", message: "m" } as never;
  expect(checked("market.flush", rejected)).toBe(rejected);
});
