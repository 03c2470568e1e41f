// Orders, from the snapshot.

import { z } from "zod";
import { ORDER_STATUSES } from "../../protocol/modules/registry.ts";
import { countField, idField, limitField, moduleObject, totalField } from "../../core/tools/fields.ts";
import { moduleOf } from "../toolkit/lookup.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { listModules } from "./snapshot-list.ts";

const getOrder = defineTool({
  name: "mkt_get_order",
  title: "Get an order",
  description:
    "Gives one order: side (0 buy, 1 sell), price in cents/MWh, quantities in MW, status and fills so far. " +
    "Needs mkt_connect_pubsub. mkt_list_orders gives order ids; mkt_list_fills with orderId gives its fills.",
  input: z.strictObject({ orderId: idField("Order id") }),
  output: moduleObject("ORDER"),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ orderId }, { snapshot }) => ({ ...moduleOf(snapshot, "ORDER", orderId) }),
});

const listOrders = defineTool({
  name: "mkt_list_orders",
  title: "List orders",
  description:
    "Lists orders, newest first, optionally by entity and status. Prices in cents/MWh, quantities in MW, side 0 buy " +
    "and 1 sell. Needs mkt_connect_pubsub. For other conditions use mkt_find_modules with moduleType ORDER.",
  input: z.strictObject({
    entityId: idField("Only orders of this entity").optional(),
    status: z.enum(ORDER_STATUSES).describe("Only orders with this status").optional(),
    limit: limitField(100),
  }),
  output: z.looseObject({
    count: countField,
    total: totalField,
    orders: z.array(moduleObject("ORDER")).describe("Orders, newest first"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ entityId, status, limit }, { snapshot }) => {
    const { total, modules } = listModules(snapshot, "ORDER", { entityId, status }, limit);
    return { count: modules.length, total, orders: modules };
  },
});

export default [getOrder, listOrders];
