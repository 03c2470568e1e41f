import { describe, expect, test } from "bun:test";
import { answerTo, confirmed, rejectionOf, written } from "../../../engine/operations/operation-outcome.ts";
import type { Order } from "../../../engine/state/market-state.ts";

const order = (fields: object = {}) =>
  ({
    id: "ORD-7",
    status: "cancelled",
    closeReason: "disconnected",
    quantity: 2500,
    filledQuantity: 1000,
    updatedAt: Date.UTC(2026, 2, 3, 4, 5, 6, 7),
    ...fields,
  }) as unknown as Order;
const writer = { orderText: ({ id }: Order) => JSON.stringify({ id }) };
const closed = (code: "not_cancellable" | "not_modifiable", fields = {}) =>
  ({ status: "rejected", code, order: order(fields) }) as const;
const MESSAGE = "Order ORD-7 was cancelled (disconnected) at 2026-03-03T04:05:06.007Z; 1 of 2.5 MW were filled.";

describe("the answer to a command", () => {
  test("confirms an order with its text, if anybody reads it", () => {
    expect(answerTo("op", confirmed(order()), writer)).toEqual({
      operationId: "op",
      status: "ok",
      order: '{"id":"ORD-7"}',
    });
    expect(answerTo("op", confirmed(order()), null)).toEqual({ operationId: "op", status: "ok" });
  });

  test("tells what became of an order that was closed before, if anybody reads it", () => {
    const refused = { operationId: "op", status: "rejected", code: "not_cancellable" } as const;
    expect(answerTo("op", closed("not_cancellable"), writer)).toEqual({
      ...refused,
      message: MESSAGE,
      order: '{"id":"ORD-7"}',
    });
    expect(answerTo("op", closed("not_cancellable"), null)).toEqual(refused);
    const filled = closed("not_modifiable", { status: "filled", closeReason: "filled", filledQuantity: 2500 });
    expect(answerTo("op", filled, writer)).toMatchObject({
      code: "not_modifiable",
      message: "Order ORD-7 was filled at 2026-03-03T04:05:06.007Z; 2.5 of 2.5 MW were filled.",
    });
  });

  test.each<[string, object, object]>([
    ["nothing", {}, {}],
    ["a result", { result: { a: 1 } }, { result: '{"a":1}' }],
    ["an empty result", { result: {} }, { result: "{}" }],
    ["an order alone", { result: { order: { id: "x" } } }, { order: '{"id":"x"}' }],
    ["an order and more", { result: { order: { id: "x" }, b: 2 } }, { result: '{"order":{"id":"x"},"b":2}' }],
    ["a refusal", { status: "rejected", code: "c", message: "m" }, { status: "rejected", code: "c", message: "m" }],
  ])("of %s is written as JSON", (_, fields, expected) => {
    const shown = { operationId: "op", status: "ok", ...expected };
    expect(written({ operationId: "op", status: "ok", ...fields } as never) as object).toEqual(shown);
    expect(answerTo("op", { status: "ok", ...fields } as never, writer) as object).toEqual(shown);
  });

  test("to an order that was closed before is a rejection with the order", () => {
    const shown = {
      ...order(),
      key: 7,
      contract: { id: "C", bookId: "E", product: { code: "P", marketId: "M" } },
      entity: { definition: { id: "A" } },
      user: { id: "u" },
      createdAt: 0,
      filledValue: 1000,
    };
    const rejection = rejectionOf("not_cancellable", shown as never);
    expect(rejection).toMatchObject({
      status: "rejected",
      code: "not_cancellable",
      message: MESSAGE,
      result: { order: { id: "ORD-7", filledQuantity: 1, remainingQuantity: 0, status: "cancelled" } },
    });
  });
});
