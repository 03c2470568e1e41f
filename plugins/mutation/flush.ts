// Cancels many orders at once, for tests of a market. Without confirm=true a flush only counts the orders. The engine does
// the counting, because the acting user may not see every order. For a client that asked for progress a flush counts the
// orders first, and flushes only if the client has not cancelled the call meanwhile and the flush is still allowed.

import { z } from "zod";
import { checkNotFrozen } from "../../core/guardrails/call-checks.ts";
import { checkRequirements } from "../../core/guardrails/requirements.ts";
import { idField } from "../../core/tools/fields.ts";
import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { isProgressWanted } from "../../core/tools/progress.ts";
import type { ActionResult } from "../../protocol/index.ts";
import { engineOf } from "../toolkit/lookup.ts";
import { defineMutation, type SendOptions, textOf } from "../toolkit/mutation.ts";
import { OPERATOR } from "./market.ts";

/** A preview is sent without the caller's idempotencyKey, so the flush after it can use the key. */
const COUNTING: SendOptions = { withoutKey: true };

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
  run: async ({ confirm = false, ...named }, context, send) => {
    const engine = engineOf(context.snapshot, named);
    const request: Request<ActionResult<"engine.flush">> = (payload, options) =>
      send("engine.flush", { engineId: engine.id, ...payload }, options);
    const outcome = confirm
      ? await flushed(request, context, ` of contract ${engine.contractId}`)
      : await request({ preview: true }, COUNTING);
    if (outcome.kind !== "ok") return outcome;
    const { engineId, contractId, ordersAffected } = outcome.result;
    return {
      ...conclusion(confirm, `${openOrders(ordersAffected)} of contract ${contractId}`),
      engineId,
      contractId,
      ordersAffected,
    };
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
  run: async ({ confirm = false }, context, send) => {
    const request: Request<ActionResult<"market.flush">> = (payload, options) => send("market.flush", payload, options);
    const outcome = confirm ? await flushed(request, context) : await request({ preview: true }, COUNTING);
    if (outcome.kind !== "ok") return outcome;
    const { ordersAffected } = outcome.result;
    return { ...conclusion(confirm, openOrders(ordersAffected)), ordersAffected };
  },
  fieldsOfFailure: () => ({ ordersAffected: null }),
  afterTimeout: () => "mkt_list_orders with status working shows whether any orders are left.",
});

/** Sends the request: a count if `preview`, else the flush. */
type Request<Result> = (
  payload: { readonly preview: boolean },
  options?: SendOptions,
) => Promise<RequestOutcome<Result>>;

/** The flush itself. The engine cancels all orders at once, so its progress is how long that takes. */
async function flushed<Result extends { readonly ordersAffected: number }>(
  request: Request<Result>,
  context: ToolContext,
  ofContract = "",
): Promise<RequestOutcome<Result>> {
  if (!isProgressWanted(context)) return await request({ preview: false });
  const counted = await request({ preview: true }, { ...COUNTING, what: "Counts the open orders" });
  checkStillAllowed(context);
  // If the count failed, the flush is likely to fail in the same way, and then says so itself.
  const orders = counted.kind === "ok" ? openOrders(counted.result.ordersAffected) : "the open orders";
  return await request({ preview: false }, { what: `Cancels ${orders}${ofContract}` });
}

/** An operator may have frozen this process during the count, or the connection may be lost. Throws ToolError. */
function checkStillAllowed(context: ToolContext): void {
  checkNotFrozen({ annotations: { readOnlyHint: false } }, context.frozen);
  checkRequirements({ requires: OPERATOR }, context);
}

function openOrders(count: number): string {
  return `${count} open ${count === 1 ? "order" : "orders"}`;
}

function conclusion(confirm: boolean, orders: string): { status: "success" | "preview"; message: string } {
  return confirm ? { status: "success", message: `Cancelled ${orders}.` } : {
    status: "preview",
    message: `Would cancel ${orders}; nothing was changed. Call again with confirm=true to do it.`,
  };
}

export default [flushOrderBook, flushAllOrders];
