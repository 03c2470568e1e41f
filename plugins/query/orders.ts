// Orders, from the snapshot. One order comes with the reasons why it does not trade, from the backend.

import { z } from "zod";
import { ORDER_STATUSES } from "../../protocol/modules/registry.ts";
import { idField, listItems, listParameters, listResult, noteField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { moduleSchema, wholeModule } from "../toolkit/columns.ts";
import { moduleMeant } from "../toolkit/lookup.ts";
import { blockedByField, explain, type Explanation } from "../toolkit/order-blocks.ts";
import { listModules } from "./snapshot-list.ts";

const getOrder = defineTool({
  name: "mkt_get_order",
  title: "Get an order",
  description:
    "Gives one order: price in cents/MWh, quantities in MW, status, fills so far, and if it crosses the book " +
    "without trading, why (blockedBy) and how to change that. Needs mkt_connect_pubsub; others' need Market.View. Next: mkt_list_fills.",
  input: z.strictObject({ orderId: idField("From mkt_list_orders") }),
  output: () =>
    moduleSchema("ORDER", ["side", "price", "quantity", "status"]).extend({
      blockedBy: blockedByField,
      message: z.string(),
    }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ orderId }, context) => {
    const order = moduleMeant(context.snapshot, "ORDER", orderId);
    const resultOf = (explanation: Explanation) => ({ ...wholeModule(order), ...explanation });
    const explained = explain(order, context);
    return explained instanceof Promise ? explained.then(resultOf) : resultOf(explained);
  },
});

const listOrders = defineTool({
  name: "mkt_list_orders",
  title: "List orders",
  description:
    "Lists orders, newest first. Prices in cents/MWh, quantities in MW. Needs mkt_connect_pubsub; others' need " +
    "Market.View. Other conditions: mkt_find_modules.",
  input: z.strictObject({
    entityId: idField("Only of this entity").optional(),
    status: z.enum(ORDER_STATUSES).describe("With this status").optional(),
    ...listParameters(),
  }),
  output: () => z.looseObject({ ...listResult, orders: listItems, note: noteField }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ entityId, status, fields, ...page }, context) => {
    const { items, ...list } = listModules(context, "ORDER", {
      ...page,
      list: "mkt_list_orders",
      filters: { entityId, status },
      fields,
    });
    return { ...list, orders: items };
  },
});

export default [getOrder, listOrders];
