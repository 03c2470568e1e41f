// Cancelling many orders at once, for tests of a market. Without confirm=true they only count, by asking the engine, so
// that the number is right whatever the acting user may see.

import { z } from "zod";
import { idField } from "../../core/tools/fields.ts";
import { engineOf } from "../toolkit/lookup.ts";
import { defineMutation, textOf } from "../toolkit/mutation.ts";

const OPERATOR = { connection: "write", permissions: ["Market.Operate"] } as const;

/** A preview changes nothing: the key of the flush that may follow is not for it. */
const COUNT_ANEW = {};

const confirmField = z.boolean().describe("true cancels; false or absent only counts").optional();

const ordersAffected = z.int().nullable().describe("Open orders cancelled, or counted in a preview; null on failure");

const flushOrderBook = defineMutation({
  name: "mkt_flush_order_book",
  title: "Flush one order book",
  description:
    "For testing: cancels every open order of one contract's book. Without confirm=true it only previews how " +
    "many. Name the book by engineId or contractId; without either it is the first engine. Needs mkt_connect_pubsub and " +
    "Market.Operate. It can't be undone.",
  input: z.strictObject({
    engineId: idField("Engine whose book to flush; the first one where neither is given").optional(),
    contractId: idField("Contract whose book to flush, instead of engineId").optional(),
    confirm: confirmField,
  }),
  fields: {
    engineId: z.string().nullable().describe("Engine of the book; null where it is unknown"),
    contractId: z.string().nullable().describe("Contract of the book; null where it is unknown"),
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
    const outcome = await pubsub.request("engine.flush", payload, confirm ? options : COUNT_ANEW);
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
    "For testing: cancels every open order of every book, and removes the fill history; cancelled and filled orders, " +
    "trades, used credit and the audit trail stay. Without confirm=true it only previews how many. Needs mkt_connect_pubsub and " +
    "Market.Operate. It can't be undone.",
  input: z.strictObject({ confirm: confirmField }),
  fields: { ordersAffected },
  annotations: { destructiveHint: true, idempotentHint: true },
  requires: OPERATOR,
  specialStatuses: ["preview"],
  question: ({ confirm = false }) =>
    confirm ? "Cancel every open order of every book, and remove the fill history? It can't be undone." : null,
  run: async ({ confirm = false }, { pubsub }, options) => {
    const outcome = await pubsub.request("market.flush", { preview: !confirm }, confirm ? options : COUNT_ANEW);
    if (outcome.kind !== "ok") return outcome;
    const { ordersAffected } = outcome.result;
    return {
      ...conclusion(confirm, `${ordersAffected} open ${ordersAffected === 1 ? "order" : "orders"}`),
      ordersAffected,
    };
  },
  fieldsOfFailure: () => ({ ordersAffected: null }),
  afterTimeout: () => "mkt_list_orders with status working shows whether orders are left.",
});

function conclusion(confirm: boolean, orders: string): { status: "success" | "preview"; message: string } {
  return confirm ? { status: "success", message: `Cancelled ${orders}.` } : {
    status: "preview",
    message: `Would cancel ${orders}; nothing was changed. Call again with confirm=true to do it.`,
  };
}

export default [flushOrderBook, flushAllOrders];
