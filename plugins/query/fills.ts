// Fills, from the snapshot. A trade makes two fills, one for each order.

import { z } from "zod";
import { idField, listParameters, listResult } from "../../core/tools/fields.ts";
import { moduleSchema, wholeModule } from "../toolkit/columns.ts";
import { moduleMeant } from "../toolkit/lookup.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { listModules } from "./snapshot-list.ts";

const getFill = defineTool({
  name: "mkt_get_fill",
  title: "Get a fill",
  description:
    "Gives one fill (an execution of an order): price in cents/MWh, quantity in MW, the order, the trade and " +
    "the counterparty. Needs mkt_connect_pubsub. mkt_list_fills gives fill ids.",
  input: z.strictObject({ fillId: idField("Fill id") }),
  output: moduleSchema("FILL", ["price", "quantity", "orderId"]),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ fillId }, { snapshot }) => wholeModule(moduleMeant(snapshot, "FILL", fillId)),
});

const listFills = defineTool({
  name: "mkt_list_fills",
  title: "List fills",
  description:
    "Lists fills, newest first. Prices in cents/MWh, quantities in MW. A trade makes one fill for each of its two " +
    "orders. Needs mkt_connect_pubsub.",
  input: z.strictObject({
    entityId: idField("Only fills of this entity").optional(),
    orderId: idField("Only fills of this order").optional(),
    ...listParameters(),
  }),
  output: z.looseObject({ ...listResult, fills: z.array(moduleSchema("FILL")).describe("Fills, newest first") }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ entityId, orderId, fields, ...page }, context) => {
    const { items, ...list } = listModules(context, "FILL", {
      ...page,
      list: "mkt_list_fills",
      filters: { entityId, orderId },
      fields,
    });
    return { ...list, fills: items };
  },
});

export default [getFill, listFills];
