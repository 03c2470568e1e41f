// Cancels many orders at once, for tests of a market. Without confirm=true a flush only counts the orders. The engine does
// the counting, because the acting user may not see every order.

import { z } from "zod";
import { idField } from "../../core/tools/fields.ts";
import type { RequestOptions } from "../../core/backend/pubsub.ts";
import { engineOf } from "../toolkit/lookup.ts";
import { defineMutation, textOf } from "../toolkit/mutation.ts";

const OPERATOR = { connection: "write", permissions: ["Market.Operate"] } as const;

/** A preview is sent without the caller's idempotencyKey, so the flush after it can use the key. */
const NO_KEY: RequestOptions = {};

const confirmField = z.boolean().describe("Without true it only counts").optional();

/** Cancelled, or counted by a preview; null on failure. */
const ordersAffected = z.int().nullable();

const flushOrderBook = defineMutation({
  name: "mkt_flush_order_book",
  title: "Flush one order book",
  description:
    "For testing: cancels every open order of one book, by default the first engine's. Without confirm=true it only counts " +
    "them. Can't be undone. Needs mkt_connect_pubsub and Market.Operate.",
  input: z.strictObject({
    engineId: idField("Engine of the book").optional(),
    contractId: idField("Instead of engineId").optional(),
    confirm: confirmField,
  }),
  fields: {
    engineId: z.string().nullable(),
    contractId: z.string().nullable(),
    ordersAffected,
  },
  annotations: { destructiveHint: true, idempotentHint: true },
  requires: OPERATOR,
  specialStatuses: ["preview"],
  question: ({ confirm = false, ...named }, { snapshot }) => {
    if (!confirm) return null;
    const { id, contractId } = engineOf(snapshot, named);
    return `Cancel every open order of contract ${contractId} (engine ${id})? It can't be undone.`;
  },
  run: async ({ confirm = false, ...named }, { pubsub, snapshot }, options) => {
    const engine = engineOf(snapshot, named);
    const payload = { engineId: engine.id, preview: !confirm };
    const outcome = await pubsub.request("engine.flush", payload, confirm ? options : NO_KEY);
    if (outcome.kind !== "ok") return outcome;
    const { engineId, contractId, ordersAffected } = outcome.result;
    const orders = `${ordersAffected} open ${ordersAffected === 1 ? "order" : "orders"} of contract ${contractId}`;
    return { ...conclusion(confirm, orders), engineId, contractId, ordersAffected };
  },
  fieldsOfFailure: ({ engineId, contractId }) => ({
    engineId: textOf(engineId),
    contractId: textOf(contractId),
    ordersAffected: null,
  }),
  afterTimeout: () => "mkt_get_order_book shows whether the book is empty.",
});

const flushAllOrders = defineMutation({
  name: "mkt_flush_all_orders",
  title: "Flush all orders",
  description:
    "For testing: cancels every open order and removes all fills; positions, trades and used credit stay. Without " +
    "confirm=true it only counts the orders. Can't be undone. Needs mkt_connect_pubsub and Market.Operate.",
  input: z.strictObject({ confirm: confirmField }),
  fields: { ordersAffected },
  annotations: { destructiveHint: true, idempotentHint: true },
  requires: OPERATOR,
  specialStatuses: ["preview"],
  question: ({ confirm = false }) =>
    confirm ? "Cancel every open order of every book, and remove the fill history? It can't be undone." : null,
  run: async ({ confirm = false }, { pubsub }, options) => {
    const outcome = await pubsub.request("market.flush", { preview: !confirm }, confirm ? options : NO_KEY);
    if (outcome.kind !== "ok") return outcome;
    const { ordersAffected } = outcome.result;
    return {
      ...conclusion(confirm, `${ordersAffected} open ${ordersAffected === 1 ? "order" : "orders"}`),
      ordersAffected,
    };
  },
  fieldsOfFailure: () => ({ ordersAffected: null }),
  afterTimeout: () => "mkt_list_orders with status working shows whether any orders are left.",
});

function conclusion(confirm: boolean, orders: string): { status: "success" | "preview"; message: string } {
  return confirm ? { status: "success", message: `Cancelled ${orders}.` } : {
    status: "preview",
    message: `Would cancel ${orders}; nothing was changed. Call again with confirm=true to do it.`,
  };
}

export default [flushOrderBook, flushAllOrders];
