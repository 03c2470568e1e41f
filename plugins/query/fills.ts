// Fills, from the snapshot. A trade makes two fills, one for each order.

import { z } from "zod";
import { idField, listItems, listParameters, listResult, noteField } from "../../core/tools/fields.ts";
import { moduleSchema, wholeModule } from "../toolkit/columns.ts";
import { moduleMeant } from "../toolkit/lookup.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { listModules } from "./snapshot-list.ts";

const getFill = defineTool({
  name: "mkt_get_fill",
  title: "Get a fill",
  description:
    "Gives one fill, an execution of an order. Price in cents/MWh, quantity in MW. Needs mkt_connect_pubsub; " +
    "others' need Market.View.",
  input: z.strictObject({ fillId: idField("Fill id") }),
  output: () => moduleSchema("FILL", ["price", "quantity", "orderId"]),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ fillId }, { snapshot }) => wholeModule(moduleMeant(snapshot, "FILL", fillId)),
});

const listFills = defineTool({
  name: "mkt_list_fills",
  title: "List fills",
  description:
    "Lists fills, newest first: one for each order of a trade. Prices in cents/MWh, quantities in MW. Needs " +
    "mkt_connect_pubsub; others' need Market.View.",
  input: z.strictObject({
    entityId: idField("Only of this entity").optional(),
    orderId: idField("Only of this order").optional(),
    ...listParameters(),
  }),
  output: () => z.looseObject({ ...listResult, fills: listItems, note: noteField }),
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
