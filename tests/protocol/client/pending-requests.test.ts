import { describe, expect, spyOn, test } from "bun:test";
import type { RequestMessage, RequestOutcome } from "../../../protocol/client/pending-requests.ts";
import { PendingRequests } from "../../../protocol/client/pending-requests.ts";
import type { ResponseMessage } from "../../../protocol/index.ts";

function request(id: string): RequestMessage {
  const validUntil = "2030-06-01T12:00:00.000Z";
  return { kind: "request", requestId: id, operationId: id, action: "market.halt", payload: {}, validUntil };
}

function response(id: string): ResponseMessage {
  return { kind: "response", requestId: id, operationId: id, status: "ok", result: {} };
}

function pendingWith(...ids: readonly string[]) {
  const pending = new PendingRequests(null);
  const outcomes: RequestOutcome[] = [];
  for (const id of ids) pending.add(request(id), (outcome) => outcomes.push(outcome));
  return { pending, outcomes };
}

describe("a dropped request", () => {
  test("can't be dropped again, nor can one that has settled or is unknown", () => {
    const { pending, outcomes } = pendingWith("a", "b");
    pending.drop("a");
    pending.settle(response("b"));
    for (const id of ["a", "b", "c"]) expect(pending.drop(id)).toBeNull();
    expect(outcomes).toMatchObject([{ kind: "ok", operationId: "b" }]);
  });

  test("is forgotten after a thousand others, so an engine that never responds costs no memory", () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => String(index));
    const { pending } = pendingWith(...ids);
    for (const id of ids) pending.drop(id);
    expect(pending.settle(response("0"))).toBe(false);
    expect(pending.settle(response("1"))).toBe(true);
    expect(pending.settle(response("1000"))).toBe(true);
  });
});

test("the longest wait is that of the oldest request that still waits", () => {
  let now = 1_000;
  const clock = spyOn(performance, "now").mockImplementation(() => now);
  try {
    const { pending } = pendingWith();
    expect(pending.longestWaitMs).toBe(0);
    for (const id of ["a", "b", "c"]) {
      pending.add(request(id), () => {});
      now += 10;
    }
    expect(pending.longestWaitMs).toBe(30);
    pending.settle(response("b"));
    expect(pending.longestWaitMs).toBe(30);
    pending.settle(response("a"));
    expect(pending.longestWaitMs).toBe(10);
    pending.drop("c");
    expect(pending.longestWaitMs).toBe(0);
  } finally {
    clock.mockRestore();
  }
});
