// Sends and cancels orders. Both tools wait for the backend's confirmation. Without it the outcome is unknown, and the
// result says how to find the order.

import { z } from "zod";
import type { Configuration } from "../../core/config/configuration.ts";
import { ofType } from "../../common/schema-fault.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { SIDE } from "../../protocol/sides.ts";
import { ToolError } from "../../core/error.ts";
import { checkPermissions } from "../../core/guardrails/requirements.ts";
import { idField } from "../../core/tools/fields.ts";
import { moduleSchema, type ShownModule, wholeModule } from "../toolkit/columns.ts";
import { moduleOf, withMeantId } from "../toolkit/lookup.ts";
import { explain, shortBlockedByField, stateOf } from "../toolkit/order-blocks.ts";
import { defineMutation, textOf } from "../toolkit/mutation.ts";
import { sideField } from "../toolkit/sides.ts";

/** Properties that a contract or another property determines are left out; mkt_get_order gives all. */
const SHOWN = [
  "id",
  "contractId",
  "entityId",
  "side",
  "price",
  "quantity",
  "filledQuantity",
  "remainingQuantity",
  "averagePrice",
  "status",
  "closeReason",
  "updatedAt",
] as const;

const orderFields = {
  orderId: z.string().nullable(),
  orderDetails: z.looseObject(detailsShape()).nullable(),
};

function detailsShape(): z.ZodRawShape {
  const { shape } = moduleSchema("ORDER");
  return Object.fromEntries(SHOWN.map((name) => [name, shape[name] as z.ZodType]));
}

function detailsOf(order: ModuleData<"ORDER">): ShownModule {
  const shown = wholeModule(order);
  return { ...Object.fromEntries(SHOWN.map((name) => [name, shown[name]])), id: order.id };
}

/**
 * The result of a confirmed request, except for the reasons why an open order does not trade. `current` is the order as it is
 * now: with an idempotencyKey the confirmation may be that of an earlier call, and the order may have changed since. The
 * snapshot is never behind the confirmation. Undefined if the order is no longer kept.
 */
function confirmed(order: ModuleData<"ORDER">, current: ModuleData<"ORDER"> | undefined) {
  const { id, status, filledQuantity, quantity } = order;
  const gone =
    `Order ${id} was ${status} when confirmed and is no longer kept: ${filledQuantity} of ${quantity} MW filled.`;
  return {
    status: "success" as const,
    message: current === undefined ? gone : stateOf(current),
    orderId: id,
    orderDetails: detailsOf(current ?? order),
  };
}

const createTestOrder = defineMutation({
  name: "mkt_create_test_order",
  title: "Create an order",
  description:
    "Sends a real limit order and waits up to 15 s for confirmation. If it crosses the book without trading, " +
    "blockedBy and message say why and how to change that. Needs mkt_connect_pubsub as a user with an entity and " +
    "Order.Submit. Next: mkt_get_order, mkt_watch_orders.",
  input: z.strictObject({
    contractId: idField("From mkt_list_products with contracts: true, or mkt_find_modules"),
    side: sideField.describe("BUY or SELL"),
    price: z.int(ofType("must be whole cents per MWh, such as 4500")).min(-1_000_000_000).max(1_000_000_000).describe(
      "cents/MWh, in steps of the tick; may be negative",
    ),
    quantity: z.number(ofType("must be a number of MW, such as 10")).positive().max(1_000_000).describe(
      "MW, in steps of the lot",
    ),
  }),
  fields: {
    ...orderFields,
    blockedBy: shortBlockedByField,
    clientOrderId: z.string().nullable().describe("Finds the order after a timeout; null if refused"),
  },
  annotations: { destructiveHint: false, idempotentHint: false },
  specialStatuses: ["no_entity"],
  run: async (input, context, send) => {
    const { configuration, pubsub, snapshot } = context;
    if (pubsub.session?.entityId === null) return { kind: "no_entity" };
    checkPermissions({ permissions: ["Order.Submit"] }, context);
    moduleOf(snapshot, "CONTRACT", input.contractId);
    checkQuantity(input.quantity, configuration);
    const outcome = await send("order.submit", { ...input, side: SIDE[input.side] });
    if (outcome.kind !== "ok") return outcome;
    const { order } = outcome.result;
    const current = snapshot.get("ORDER", order.id);
    const explanation = current === undefined ? { blockedBy: [] } : await explain(current, context);
    return { ...confirmed(order, current), clientOrderId: order.clientOrderId, ...explanation };
  },
  fieldsOfFailure: (_input, _context, { idempotencyKey }) => ({
    orderId: null,
    orderDetails: null,
    blockedBy: null,
    clientOrderId: idempotencyKey ?? null,
  }),
  afterTimeout: (_input, clientOrderId) =>
    "After that time the order can no longer appear. " +
    `Find it with mkt_find_modules, moduleType ORDER, filters ${JSON.stringify({ clientOrderId })}.`,
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
    "Cancels what is open of an order, in every market status. For a filled or cancelled order the status is " +
    "not_cancellable. Needs mkt_connect_pubsub and Order.Submit; for another entity's order Market.Operate.",
  input: z.strictObject({ orderId: idField("From mkt_list_orders with status working") }),
  fields: { ...orderFields, orderDetails: z.unknown() },
  annotations: { destructiveHint: true, idempotentHint: true },
  allowedWhenFrozen: true,
  specialStatuses: ["no_entity", "not_cancellable"],
  run: async ({ orderId }, { snapshot }, send) => {
    const outcome = await send("order.cancel", { orderId });
    if (outcome.kind === "ok") {
      const { order } = outcome.result;
      return confirmed(order, snapshot.get("ORDER", order.id));
    }
    return withMeantId(outcome, snapshot, "ORDER", orderId);
  },
  fieldsOfFailure: ({ orderId }, { snapshot }, { status }) => {
    const order = status === "not_cancellable" ? snapshot.get("ORDER", String(orderId)) : undefined;
    return { orderId: textOf(orderId), orderDetails: order === undefined ? null : detailsOf(order) };
  },
  afterTimeout: ({ orderId }) => `mkt_get_order with orderId ${JSON.stringify(orderId)} shows whether it is cancelled.`,
});

export default [createTestOrder, cancelOrder];
