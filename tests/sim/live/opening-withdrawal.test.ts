import { expect, test } from "bun:test";
import type { EngineRequest } from "../../../engine/api/market-engine.ts";
import { OpeningWithdrawal } from "../../../sim/live/opening-withdrawal.ts";
import { BUY, SELL, type Side } from "../../../protocol/sides.ts";

const MAKER = "sim-1f11d681.1-avellaneda-stoikov-3-17";

test("the first orders of a contract are cancelled once a maker quotes both of its sides, each once", () => {
  const cancelled: unknown[] = [];
  const operations: string[] = [];
  const withdrawal = new OpeningWithdrawal(({ userId, operationId, action, payload }: EngineRequest) => {
    operations.push(operationId);
    cancelled.push([userId, action, payload]);
    return { messages: [], response: null } as never;
  });
  const seen = (id: string, clientOrderId: string, side: Side, contractId = "A", closeReason: "filled" | null = null) =>
    withdrawal.seen({ id, contractId, userId: "willow-trader", side, clientOrderId, closeReason });
  seen("1", "opening-1-1", BUY);
  seen("2", "opening-1-2", SELL);
  seen("3", "opening-1-3", SELL);
  seen("3", "opening-1-3", SELL, "A", "filled");
  seen("4", "opening-1-4", BUY, "B");
  seen("5", "sim-1f11d681.1-zip-3-1", BUY);
  seen("6", "mine", SELL);
  // An order that a person has named as a maker of a simulation would.
  seen("10", "my-avellaneda-stoikov-1", BUY);
  seen("11", "my-avellaneda-stoikov-2", SELL);
  seen("7", MAKER, BUY);
  seen("7", MAKER, BUY, "A", "filled");
  seen("8", MAKER, SELL);
  expect(cancelled).toEqual([]);
  seen("9", MAKER, BUY);
  expect(cancelled).toEqual(["1", "2"].map((orderId) => ["willow-trader", "order.cancel", { orderId }]));
  seen("9", MAKER, BUY);
  seen("1", "opening-1-1", BUY, "A", "filled");
  expect(cancelled).toHaveLength(2);
  // An operation that the engine knows already is not carried out, so each has an id of its own.
  expect(new Set(operations).size).toBe(2);
});
