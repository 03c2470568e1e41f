// A user's open orders, as a resource. mkt_find_modules gives the same, and the further pages.

import { defineResource } from "../../core/resources/resource.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { userIdsWithOrders } from "../toolkit/completions.ts";
import { checkNamedModules } from "../toolkit/named-modules.ts";
import { foundModules } from "./find-modules.ts";

/** A filter on the status of orders. */
export const OPEN = { value: ["working", "partial", "held"], operator: "in" };
/** A page of this many takes at most 20,000 bytes, as every list. */
const SHOWN_ORDERS = 100;

const openOrders = defineResource({
  name: "open-orders",
  uri: "mkt://orders/{userId}",
  title: "Open orders of a user",
  description:
    `The user's ${SHOWN_ORDERS} newest orders that are working, partial or held: prices in cents/MWh, quantities ` +
    "in MW. Needs mkt_connect_pubsub.",
  requires: { connection: "read" },
  parameters: { userId: userIdsWithOrders },
  version: ({ userId = "" }, { snapshot }) => {
    const { total } = snapshot.find("ORDER", { equals: { userId }, limit: 1 });
    if (total === 0) checkNamedModules(snapshot, { userId });
    return snapshot.revisionOf("ORDER", "userId", userId);
  },
  read: ({ userId = "" }, context) => openOrdersOf(userId, context),
});

/** Throws ToolError `not_found` for an unknown user. */
function openOrdersOf(userId: string, { snapshot, pubsub }: ToolContext) {
  const filters = { userId, status: OPEN };
  const search = { moduleType: "ORDER", filters, includeData: true, limit: SHOWN_ORDERS } as const;
  return foundModules(search, { snapshot, now: pubsub.marketTime() });
}

export default [openOrders];
