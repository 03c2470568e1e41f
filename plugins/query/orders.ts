// Lists orders, from the snapshot. order.ts gives one.

import { z } from "zod";
import { ORDER_STATUSES } from "../../protocol/modules/registry.ts";
import { idField, listParameters, listResult } from "../../core/tools/fields.ts";
import { moduleSchema } from "../toolkit/columns.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { listModules } from "./snapshot-list.ts";

const listOrders = defineTool({
  name: "mkt_list_orders",
  title: "List orders",
  description:
    "Lists orders, newest first. Prices in cents/MWh, quantities in MW. Needs mkt_connect_pubsub. For other " +
    "conditions: mkt_find_modules with moduleType ORDER.",
  input: z.strictObject({
    entityId: idField("Only orders of this entity").optional(),
    status: z.enum(ORDER_STATUSES).describe("Only orders with this status").optional(),
    ...listParameters(),
  }),
  output: z.looseObject({ ...listResult, orders: z.array(moduleSchema("ORDER")).describe("Orders, newest first") }),
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
