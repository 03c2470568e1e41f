// Sends and cancels orders. Both tools wait for the backend's confirmation. Without it the outcome is unknown, and the
// result says how to find the order.

import { z } from "zod";
import type { Configuration } from "../../core/config/configuration.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import { type ModuleData, SIDE } from "../../protocol/modules/registry.ts";
import { ToolError } from "../../core/error.ts";
import { idField } from "../../core/tools/fields.ts";
import { moduleSchema, wholeModule } from "../toolkit/columns.ts";
import { moduleOf } from "../toolkit/lookup.ts";
import { blockedByField, explain, stateOf } from "../toolkit/order-blocks.ts";
import { defineMutation, textOf } from "../toolkit/mutation.ts";
import { sideField } from "../toolkit/sides.ts";
import { checkPermissions } from "../../core/guardrails/requirements.ts";

const orderFields = {
  orderId: z.string().nullable().describe("Order id; null if unknown"),
  orderDetails: moduleSchema("ORDER", ["side", "price", "quantity", "status"]).nullable(),
};

/** The result of a confirmed request, except for the reasons why an open order does not trade. */
function confirmed(order: ModuleData<"ORDER">, snapshot: SnapshotReader) {
  const current = currentOf(order, snapshot);
  const { id, status, filledQuantity, quantity } = order;
  const gone =
    `Order ${id} was ${status} when confirmed and is no longer kept: ${filledQuantity} of ${quantity} MW filled.`;
  return {
    status: "success" as const,
    message: current === undefined ? gone : stateOf(current),
    orderId: id,
    orderDetails: wholeModule(current ?? order),
  };
}

/**
 * An idempotencyKey may find the confirmation of an earlier call, and the order may have changed since. The snapshot is never
 * behind the confirmation. Undefined if the order is no longer kept.
 */
function currentOf({ id }: ModuleData<"ORDER">, snapshot: SnapshotReader): ModuleData<"ORDER"> | undefined {
  return snapshot.get("ORDER", id);
}

const createTestOrder = defineMutation({
  name: "mkt_create_test_order",
  title: "Create an order",
  description:
    "Sends a real limit order that takes part in matching, and waits up to 15 s for confirmation. Price in cents/MWh " +
    "(may be negative), quantity in MW. Needs mkt_connect_pubsub as a user with an entity and Order.Submit. After a " +
    "timeout repeat it with the same idempotencyKey: that never sends a second order. Next: mkt_get_order, " +
    "mkt_watch_orders.",
  input: z.strictObject({
    contractId: idField("Contract to trade: mkt_find_modules with moduleType CONTRACT lists them"),
    side: sideField.describe("BUY or SELL"),
    price: z.int().min(-1_000_000_000).max(1_000_000_000).describe(
      "Limit price in cents/MWh, a multiple of the contract's tick; may be negative",
    ),
    quantity: z.number().positive().max(1_000_000).describe("Quantity in MW, a multiple of the contract's lot"),
  }),
  fields: {
    ...orderFields,
    blockedBy: blockedByField,
    clientOrderId: z.string().nullable().describe(
      "Id by which to find the order, also after a timeout: the idempotencyKey if one was given. Null if nothing was sent " +
        "or the order was refused",
    ),
  },
  annotations: { destructiveHint: false, idempotentHint: false },
  specialStatuses: ["no_entity"],
  run: async (input, context, options) => {
    const { configuration, pubsub, snapshot } = context;
    if (pubsub.session?.entityId === null) return { kind: "no_entity" };
    checkPermissions({ permissions: ["Order.Submit"] }, context);
    moduleOf(snapshot, "CONTRACT", input.contractId);
    checkQuantity(input.quantity, configuration);
    const outcome = await pubsub.request("order.submit", { ...input, side: SIDE[input.side] }, options);
    if (outcome.kind !== "ok") return outcome;
    const { order } = outcome.result;
    const current = currentOf(order, snapshot);
    const explanation = current === undefined ? { blockedBy: [] } : await explain(current, context);
    return { ...confirmed(order, snapshot), clientOrderId: order.clientOrderId, ...explanation };
  },
  fieldsOfFailure: (_input, _context, { operationId }) => ({
    orderId: null,
    orderDetails: null,
    blockedBy: null,
    clientOrderId: operationId ?? null,
  }),
  afterTimeout: (_input, operationId) =>
    "After the time that message names, the order exists or never will. " +
    `Find it with mkt_find_modules, moduleType ORDER, filters ${JSON.stringify({ clientOrderId: operationId })}.`,
});

/** Checks MKT_MAX_ORDER_QUANTITY; the engine checks the other limits. Throws ToolError `limit_exceeded`. */
function checkQuantity(quantity: number, { limits: { maxOrderQuantity } }: Configuration): void {
  if (maxOrderQuantity === null || quantity <= maxOrderQuantity) return;
  throw new ToolError(
    "limit_exceeded",
    `The quantity, ${quantity} MW, is above ${maxOrderQuantity} MW; nothing was sent.`,
    "Send a smaller quantity; MKT_MAX_ORDER_QUANTITY sets the limit.",
  );
}

const cancelOrder = defineMutation({
  name: "mkt_cancel_order",
  title: "Cancel an order",
  description:
    "Cancels the open quantity of an order, in every market status, and waits up to 15 s for confirmation. " +
    "Needs mkt_connect_pubsub; for another entity's order also Market.Operate. mkt_list_orders with status working gives " +
    "order ids. For a filled or cancelled order the status is not_cancellable.",
  input: z.strictObject({ orderId: idField("Order to cancel") }),
  fields: orderFields,
  annotations: { destructiveHint: true, idempotentHint: true },
  allowedWhenFrozen: true,
  specialStatuses: ["no_entity", "not_cancellable"],
  run: async ({ orderId }, { pubsub, snapshot }, options) => {
    const outcome = await pubsub.request("order.cancel", { orderId }, options);
    return outcome.kind === "ok" ? confirmed(outcome.result.order, snapshot) : outcome;
  },
  fieldsOfFailure: ({ orderId }, { snapshot }, { status }) => {
    const order = status === "not_cancellable" ? snapshot.get("ORDER", String(orderId)) : undefined;
    return { orderId: textOf(orderId), orderDetails: order === undefined ? null : wholeModule(order) };
  },
  afterTimeout: ({ orderId }) => `mkt_get_order with orderId ${JSON.stringify(orderId)} shows whether it is cancelled.`,
});

export default [createTestOrder, cancelOrder];
