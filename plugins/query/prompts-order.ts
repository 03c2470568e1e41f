// What the two prompts about one order share: their arguments, and the order that these mean.

import type { PromptArgument, PromptArguments } from "../../core/prompts/prompt.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { contractIds, orderIds, userIdsWithOrders } from "../toolkit/completions.ts";
import { moduleView } from "../toolkit/columns.ts";
import { moduleMeant } from "../toolkit/lookup.ts";

export type Order = ModuleData<"ORDER">;

export const orderArgument: PromptArgument = { description: "The order, such as ORD-1", complete: orderIds };

/** They serve the completion of orderId, and are checked against the order. */
export const narrowingArguments: Readonly<Record<string, PromptArgument>> = {
  contractId: {
    description: "Its contract, such as NORTH-DA-HOUR-2026-11-23-H18: completes orderId with orders of this contract",
    required: false,
    complete: contractIds,
  },
  userId: {
    description: "Who sent it, such as willow-trader-1: completes orderId with orders of this user",
    required: false,
    complete: userIdsWithOrders,
  },
};

/**
 * The order that the arguments name. Throws ToolError `not_found`, or `invalid_input` if it is another contract's or user's.
 */
export function orderOf(given: PromptArguments, { snapshot }: Pick<ToolContext, "snapshot">): Order {
  const order = moduleMeant(snapshot, "ORDER", given["orderId"]!);
  checkIs(order, "contractId", given, (id) => moduleMeant(snapshot, "CONTRACT", id).id);
  checkIs(order, "userId", given, (id) => moduleMeant(snapshot, "USER", id).id);
  return order;
}

const COLUMNS = [
  "contractId",
  "marketId",
  "entityId",
  "userId",
  "side",
  "price",
  "quantity",
  "filledQuantity",
  "status",
  "closeReason",
  "timeInForce",
  "createdAt",
  "updatedAt",
];

/** What a prompt's text says of the order. */
export function shownOrder(order: Order, { snapshot }: Pick<ToolContext, "snapshot">) {
  return moduleView("ORDER", COLUMNS, snapshot)(order);
}

function checkIs(
  order: Order,
  name: "contractId" | "userId",
  given: PromptArguments,
  meant: (id: string) => string,
): void {
  const text = given[name];
  if (text === undefined || order[name] === meant(text)) return;
  throw new ToolError(
    "invalid_input",
    `${name}: order ${order.id} has ${name} ${order[name]}, not ${JSON.stringify(text)}.`,
    `Leave ${name} out, or give another orderId.`,
  );
}
