// Lists orders, from the snapshot. order.ts gives one.

import { z } from "zod";
import { ORDER_STATUSES } from "../../protocol/modules/registry.ts";
import { idField, listItems, listParameters, listResult, noteField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { listModules } from "./snapshot-list.ts";

const listOrders = defineTool({
  name: "mkt_list_orders",
  title: "List orders",
  description: "Lists orders, newest first. Prices in cents/MWh, quantities in MW. Needs mkt_connect_pubsub. Other " +
    "conditions: mkt_find_modules.",
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

export default [listOrders];
