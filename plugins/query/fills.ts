// Fills, from the snapshot. A trade makes two fills, one for each order.

import { z } from "zod";
import { countField, idField, limitField, moduleObject, totalField } from "../../core/tools/fields.ts";
import { moduleOf } from "../toolkit/lookup.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { listModules } from "./snapshot-list.ts";

const getFill = defineTool({
  name: "mkt_get_fill",
  title: "Get a fill",
  description:
    "Gives one fill (an execution of an order): price in cents/MWh, quantity in MW, the order, the trade and " +
    "the counterparty. Needs mkt_connect_pubsub. mkt_list_fills gives fill ids.",
  input: z.strictObject({ fillId: idField("Fill id") }),
  output: moduleObject("FILL"),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ fillId }, { snapshot }) => ({ ...moduleOf(snapshot, "FILL", fillId) }),
});

const listFills = defineTool({
  name: "mkt_list_fills",
  title: "List fills",
  description:
    "Lists fills, newest first, optionally by entity and order. Prices in cents/MWh, quantities in MW, side 0 " +
    "bought and 1 sold. A trade makes one fill for each of its two orders. Needs mkt_connect_pubsub.",
  input: z.strictObject({
    entityId: idField("Only fills of this entity").optional(),
    orderId: idField("Only fills of this order").optional(),
    limit: limitField(100),
  }),
  output: z.looseObject({
    count: countField,
    total: totalField,
    fills: z.array(moduleObject("FILL")).describe("Fills, newest first"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ entityId, orderId, limit }, { snapshot }) => {
    const { total, modules } = listModules(snapshot, "FILL", { entityId, orderId }, limit);
    return { count: modules.length, total, fills: modules };
  },
});

export default [getFill, listFills];
