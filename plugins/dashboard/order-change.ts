// Changes an open order for the page (web/contract/calls.ts). No tool does this, so it is a route of its own. It has the checks
// of a tool, the limits on orders that go with every change, and the words of tools for what failed.

import { z } from "zod";
import { ToolError } from "../../core/error.ts";
import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import { idempotencyKeyField } from "../../core/tools/fields.ts";
import type { OrderChange, ToolReply } from "../../web/contract/calls.ts";
import { failureOfOutcome } from "../toolkit/mutation-failure.ts";
import { stateOf } from "../toolkit/order-blocks.ts";
import { jsonAnswer } from "./json-answer.ts";

const requestSchema = z.strictObject({
  price: z.int().optional(),
  quantity: z.number().positive().optional(),
  idempotencyKey: idempotencyKeyField,
});

/** Throws ToolError `invalid_input`. What the market refuses, and an unknown outcome, is in the answer. */
export async function changeOrder(request: RouteRequest, context: RouteContext): Promise<Response> {
  const { pubsub, snapshot, signal } = context;
  const { idempotencyKey, ...terms } = requestOf(request.json());
  const orderId = request.parameters["orderId"] ?? "";
  const outcome = await pubsub.request("order.modify", { orderId, ...terms }, { operationId: idempotencyKey, signal });
  if (outcome.kind !== "ok") {
    const failure = failureOfOutcome(outcome, [], () => "Look at the order before you repeat it.");
    return jsonAnswer({ kind: "result", isError: true, result: { ...failure } } satisfies ToolReply);
  }
  const { order } = outcome.result;
  // The order may have traded since, or be gone.
  const message = stateOf(snapshot.get("ORDER", order.id) ?? order);
  const result = { status: "success", message, orderId: order.id };
  return jsonAnswer({ kind: "result", isError: false, result } satisfies ToolReply);
}

function requestOf(body: unknown): OrderChange {
  const parsed = requestSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const hint =
    'Send {"price": cents/MWh, "quantity": MW, "idempotencyKey": "..."} as JSON; one of the first two may be absent.';
  throw new ToolError("invalid_input", z.prettifyError(parsed.error), hint);
}
