// Changes of orders from the page: the checks of a tool, the first outcome for a repeat, and the words of what failed.

import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changeOrder } from "../../../plugins/dashboard/order-change.ts";
import type { ToolReply } from "../../../web/contract/calls.ts";
import { pubsubThatIs, servicesWith } from "../../core/support/services.ts";
import { MarketInProcess } from "../../core/support/market-in-process.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { BASE, MARKET, SECRET } from "../support/market.ts";
import { DashboardServer, type Failed } from "./support/dashboard-server.ts";

/** A server that acts as this user, and an order of Alice. */
async function served(userId: string, environment: Readonly<Record<string, string>> = {}) {
  const market = new MarketInProcess(MARKET, SECRET);
  const server = new DashboardServer(market, environment);
  await market.connect(userId);
  market.execute("alice", "order.submit", { contractId: BASE, side: 0, price: 4_200, quantity: 5 });
  const [order] = market.snapshot.find("ORDER", { limit: 1 }).modules;
  const path = `/dashboard/orders/${order!.id}`;
  const current = () => {
    const { price, quantity } = market.snapshot.get("ORDER", order!.id)!;
    return { price, quantity };
  };
  return { server, id: order!.id, current, change: <Body = ToolReply>(body: object) => server.post<Body>(path, body) };
}

const BEFORE = { price: 4_200, quantity: 5 };

test("an own order gets another price or quantity, and a repeat with the same key only the first outcome", async () => {
  const { server, id, current, change } = await served("alice");
  await server.control();
  const { status, body } = await change({ price: 4_300, idempotencyKey: "k1" });
  const message = `Order ${id} is working: 0 of 5 MW filled.`;
  const done = { kind: "result", isError: false, result: { status: "success", message, orderId: id } };
  expect([status, body, current()]).toEqual([200, done as ToolReply, { price: 4_300, quantity: 5 }]);
  await change({ quantity: 3, idempotencyKey: "k2" });
  expect(current()).toEqual({ price: 4_300, quantity: 3 });
  expect((await change({ price: 4_300, idempotencyKey: "k1" })).body).toMatchObject({ isError: false });
  expect(current()).toEqual({ price: 4_300, quantity: 3 });
});

test.each<[name: string, userId: string, body: object, error: object]>([
  ["another entity's", "bob", { price: 4_300 }, { code: "forbidden" }],
  ["that is not in steps of the lot", "alice", { quantity: 2.5 }, { code: "invalid_input" }],
  ["without new terms", "alice", {}, { code: "invalid_input" }],
])("an order %s stays as it is, and the market says why", async (_name, userId, body, error) => {
  const { server, current, change } = await served(userId);
  await server.control();
  const answer = await change({ ...body, idempotencyKey: "k" });
  expect(answer).toMatchObject({
    status: 200,
    body: { kind: "result", isError: true, result: { status: "rejected", error } },
  });
  expect(current()).toEqual(BEFORE);
});

test("nobody changes one without control, without the permission, or while the server is frozen or read-only", async () => {
  const change = { price: 4_300, idempotencyKey: "k" };
  const viewer = await served("alice");
  expect((await viewer.change<Failed>(change)).body.error.code).toBe("forbidden");
  expect(viewer.current()).toEqual(BEFORE);
  const vera = await served("vera");
  await vera.server.control();
  const refused = await vera.change<Failed>(change);
  expect([refused.status, refused.body.error.code]).toEqual([403, "forbidden"]);
  expect(refused.body.error.message).toContain("Order.Submit");
  const freezeFile = join(temporaryDirectory(), "freeze");
  const frozen = await served("alice", { MKT_FREEZE_FILE: freezeFile });
  await frozen.server.control();
  writeFileSync(freezeFile, "a test");
  expect((await frozen.change<Failed>(change)).body.error.code).toBe("frozen");
  expect(frozen.current()).toEqual(BEFORE);
  rmSync(freezeFile);
  expect((await frozen.change(change)).status).toBe(200);
});

test.each([
  {},
  { price: 4_300 },
  { price: 43.5, idempotencyKey: "k" },
  { quantity: 0, idempotencyKey: "k" },
  { price: 4_300, idempotencyKey: "" },
  { price: 4_300, idempotencyKey: "k", bounds: { maxQuantity: 1e9 } },
])("%j is no change", async (body) => {
  const { server, current, change } = await served("alice");
  await server.control();
  const { status, body: { error } } = await change<Failed>(body);
  expect([status, error.code, current()]).toEqual([400, "invalid_input", BEFORE]);
});

test("a lost answer is an unknown outcome, with the key for the repetition", async () => {
  const asked: unknown[] = [];
  const lost = { kind: "timeout", operationId: "k", waitedMs: 15_000, validUntil: "2030-01-01T00:00:00.000Z" };
  const pubsub = {
    ...pubsubThatIs("connected"),
    request: (...all: unknown[]) => Promise.resolve((asked.push(all.slice(0, 2)), lost)),
  };
  const context = { ...servicesWith({ pubsub: pubsub as never }), signal: new AbortController().signal };
  const request = { json: () => ({ quantity: 4, idempotencyKey: "k" }), parameters: { orderId: "ORD-1" } };
  const reply = await (await changeOrder(request as never, context as never)).json();
  expect(reply).toMatchObject({
    isError: true,
    result: { status: "timeout", idempotencyKey: "k", error: { code: "timeout" } },
  });
  expect(asked).toEqual([["order.modify", { orderId: "ORD-1", quantity: 4 }]]);
});
