// What the server is sent for what is prepared: the tools of agents, and `order.modify` for a change, which no tool sends.

import type { OrderChange, ToolRequest } from "../../contract/calls.ts";
import type { TypedDeed } from "./deed.ts";
import type { Terms } from "./terms.ts";

/** A POST to the server. A repeat of the same one does nothing twice. */
export interface DeedRequest {
  readonly path: string;
  readonly body: ToolRequest | OrderChange;
  readonly idempotencyKey: string;
}

/** `terms`: those of what was typed. */
export function requestOf(deed: TypedDeed, terms: Terms, idempotencyKey: string): DeedRequest {
  if (deed.kind === "place") {
    const { contractId, side } = deed;
    return toolRequest("mkt_create_test_order", { contractId, side, ...terms, idempotencyKey });
  }
  // An order whose quantity alone is lowered keeps its place, so a price that stays is not sent.
  const { order } = deed;
  const body = {
    ...(terms.price !== order.price && { price: terms.price }),
    ...(terms.quantity !== order.quantity && { quantity: terms.quantity }),
    idempotencyKey,
  };
  return { path: `/dashboard/orders/${encodeURIComponent(order.id)}`, body, idempotencyKey };
}

export function cancelRequest(orderId: string, idempotencyKey: string): DeedRequest {
  return toolRequest("mkt_cancel_order", { orderId, idempotencyKey });
}

function toolRequest(
  tool: string,
  given: Readonly<Record<string, unknown>> & { readonly idempotencyKey: string },
): DeedRequest {
  return { path: `/dashboard/tools/${tool}`, body: { arguments: given }, idempotencyKey: given.idempotencyKey };
}
