// What the tools for orders check, send and answer.

import { expect, jest, test } from "bun:test";
import type { z } from "zod";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import { noProgress } from "../../../core/tools/progress.ts";
import orders from "../../../plugins/mutation/orders.ts";
import * as blocks from "../../../plugins/toolkit/order-blocks.ts";
import { wholeModule } from "../../support/modules.ts";
import { replaced } from "../../support/replaced.ts";
import { NOW, snapshotOf } from "../support/snapshot-of.ts";

const [create, cancel] = orders;
const SENT = { contractId: "c", side: "SELL", price: -5, quantity: 10 };
const ORDER = wholeModule("ORDER", {
  id: "o",
  contractId: "c",
  entityId: "e",
  side: 1,
  price: -5,
  quantity: 10,
  filledQuantity: 4,
  remainingQuantity: 6,
  averagePrice: -5,
  status: "partial",
  clientOrderId: "key-1",
});
const SHOWN = [
  "averagePrice",
  "closeReason",
  "contractId",
  "entityId",
  "filledQuantity",
  "id",
  "price",
  "quantity",
  "remainingQuantity",
  "side",
  "status",
  "updatedAt",
];

interface Given {
  readonly modules?: Record<string, Record<string, unknown>>;
  readonly entityId?: string | null;
  readonly capabilities?: readonly string[];
  readonly most?: number | null;
  readonly outcome?: object;
}

function contextOf({ modules = {}, entityId = "e", capabilities = ["Order.Submit"], most = null, outcome }: Given) {
  const request = jest.fn(() => Promise.resolve(outcome ?? { kind: "ok", result: { order: ORDER } }));
  const context = {
    advice: NEUTRAL_ADVICE,
    signal: new AbortController().signal,
    snapshot: snapshotOf({ "/CONTRACT/c": {}, ...modules }),
    progress: noProgress,
    configuration: { limits: { maxOrderQuantity: most }, backend: { confirmTimeoutMs: 1, userId: "u" } },
    pubsub: { session: { userId: "u", entityId, capabilities }, request },
    server: { tools: new Map() },
  };
  return { context: context as never, request };
}
type Answer = Record<string, unknown> & { orderDetails: Record<string, unknown> | null };

async function created(given: Given = {}, input: object = {}) {
  const { context, request } = contextOf(given);
  const answer = await create!.handler({ ...SENT, idempotencyKey: "key-1", ...input } as never, context);
  return { answer: answer as unknown as Answer, request: request.mock.calls as unknown[][], context };
}

test("an order is sent with its side as a number, and told as it is now, with what keeps it from trading", async () => {
  const explained = replaced(blocks, "explain", () => Promise.resolve({ blockedBy: ["b"], message: "Explained." }));
  const now = { ...ORDER, filledQuantity: 9, remainingQuantity: 1 };
  const { answer, request, context } = await created({ modules: { "/ORDER/o": now } });
  expect(request.map(([name, parameters]) => [name, parameters])).toEqual([["order.submit", { ...SENT, side: 1 }]]);
  expect(answer).toMatchObject({ status: "success", message: "Explained.", blockedBy: ["b"], orderId: "o" });
  expect(answer["clientOrderId"]).toBe("key-1");
  expect(Object.keys(answer.orderDetails!).toSorted()).toEqual(SHOWN);
  expect(answer.orderDetails).toMatchObject({ side: "SELL", quantity: 10, filledQuantity: 9, remainingQuantity: 1 });
  expect<unknown>(explained.map(([order, of]) => [order.filledQuantity, of === context])).toEqual([[9, true]]);
  const [, buy] = (await created({}, { side: "BUY" })).request[0]!;
  expect(buy).toMatchObject({ side: 0 });
});

test("an order that is no longer kept has what was confirmed, and no reasons", async () => {
  const explained = replaced(blocks, "explain", () => expect.unreachable());
  const { answer } = await created();
  expect(answer["message"]).toBe("Order o was partial when confirmed and is no longer kept: 4 of 10 MW filled.");
  expect([answer["blockedBy"], answer.orderDetails!["remainingQuantity"], explained]).toEqual([[], 6, []]);
});

test.each<[string, Given, object, object]>([
  ["of nobody's entity", { entityId: null, capabilities: [] }, {}, { status: "no_entity" }],
  ["without Order.Submit", { capabilities: ["Market.View"] }, {}, { code: "forbidden" }],
  ["without Order.Submit, too large", { capabilities: [], most: 1 }, {}, { code: "forbidden" }],
  ["in an unknown contract", {}, { contractId: "d" }, { code: "not_found" }],
  ["above the limit", { most: 9.9 }, {}, {
    code: "limit_exceeded",
    message: /10 MW, is above 9\.9 MW; nothing was sent/,
  }],
])("an order %s is not sent", async (_what, given, input, expected) => {
  const { context, request } = contextOf(given);
  const answer = await Promise.resolve(create!.handler({ ...SENT, ...input } as never, context)).catch((error) =>
    error
  );
  const { message, ...fields } = expected as { message?: RegExp };
  expect(answer).toMatchObject(fields);
  if (message !== undefined) expect((answer as Error).message).toMatch(message);
  expect(request).not.toHaveBeenCalled();
});

test.each([null, 10, 11])("an order of 10 MW is sent with a limit of %p", async (most) => {
  expect((await created({ most })).request).toHaveLength(1);
});

test("an order that is not confirmed has the key to find it by", async () => {
  const timeout = { kind: "timeout", waitedMs: 5, validUntil: NOW, operationId: "op-1" };
  const { answer } = await created({ outcome: timeout });
  expect(answer).toMatchObject({ status: "timeout", orderId: null, orderDetails: null, blockedBy: null });
  expect(answer["clientOrderId"]).toBe("op-1");
  expect((answer["error"] as { hint: string }).hint).toContain(
    'Find it with mkt_find_modules, moduleType ORDER, filters {"clientOrderId":"op-1"}.',
  );
  const refused = { kind: "rejected", code: "outside_range", message: "No.", operationId: "op-1" };
  expect((await created({ outcome: refused })).answer).toMatchObject({ status: "rejected", clientOrderId: null });
});

test("the terms of an order have their bounds", () => {
  const accepts = (given: object) => (create!.input as z.ZodType).safeParse({ ...SENT, ...given }).success;
  const table: [object, boolean][] = [
    [{}, true],
    [{ price: 1_000_000_000 }, true],
    [{ price: 1_000_000_001 }, false],
    [{ price: -1_000_000_000 }, true],
    [{ price: -1_000_000_001 }, false],
    [{ price: 0.5 }, false],
    [{ quantity: 0 }, false],
    [{ quantity: 0.001 }, true],
    [{ quantity: -1 }, false],
    [{ quantity: 1_000_000 }, true],
    [{ quantity: 1_000_000.1 }, false],
    [{ side: 0 }, true],
    [{ side: 2 }, false],
    [{ contractId: undefined }, false],
    [{ other: 1 }, false],
  ];
  expect(table.map(([given]) => [given, accepts(given)] as const)).toEqual(table);
});

test("a cancel is sent also while frozen, and what can't be confirmed is told of the order that was named", async () => {
  expect([create!.allowedWhenFrozen ?? false, cancel!.allowedWhenFrozen]).toEqual([false, true]);
  const asked = async (outcome?: object) => {
    const { context, request } = contextOf({ modules: { "/ORDER/o": ORDER }, ...(outcome && { outcome }) });
    const answer = await cancel!.handler({ orderId: "o", idempotencyKey: "k" } as never, context);
    return { answer: answer as unknown as Answer, calls: request.mock.calls as unknown[][] };
  };
  const { answer, calls } = await asked();
  expect(calls.map(([name, parameters]) => [name, parameters])).toEqual([["order.cancel", { orderId: "o" }]]);
  expect(answer).toMatchObject({ status: "success", orderId: "o", message: "Order o is partial: 4 of 10 MW filled." });
  expect(Object.keys(answer.orderDetails!).toSorted()).toEqual(SHOWN);
  const late = (await asked({ kind: "timeout", waitedMs: 5, validUntil: NOW, operationId: "k" })).answer;
  expect(late).toMatchObject({ status: "timeout", orderId: "o", orderDetails: null });
  expect((late["error"] as { hint: string }).hint).toContain('mkt_get_order with orderId "o" shows whether');
});
