// Products, from the snapshot.

import { z } from "zod";
import { idField, listParameters, listResult } from "../../core/tools/fields.ts";
import { moduleSchema, wholeModule } from "../toolkit/columns.ts";
import { moduleOf } from "../toolkit/lookup.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { listModules } from "./snapshot-list.ts";

const getProduct = defineTool({
  name: "mkt_get_product",
  title: "Get a product",
  description:
    "Gives one product: name, type of delivery, node, and the lot (MW), tick and price range (cents/MWh) of " +
    "its contracts. Needs mkt_connect_pubsub. For its contracts: mkt_find_modules with moduleType CONTRACT and filter " +
    "productId.",
  input: z.strictObject({ productId: idField("Product id") }),
  output: moduleSchema("PRODUCT", ["name", "type", "contractSpecification"]),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ productId }, { snapshot }) => wholeModule(moduleOf(snapshot, "PRODUCT", productId)),
});

const listProducts = defineTool({
  name: "mkt_list_products",
  title: "List products",
  description: "Lists the products that can be traded. Needs mkt_connect_pubsub. Next: mkt_find_modules with " +
    "moduleType CONTRACT and filter productId, for the contracts of a product.",
  input: z.strictObject(listParameters()),
  output: z.looseObject({
    ...listResult,
    products: z.array(moduleSchema("PRODUCT")).describe("Products, in the backend's order"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ fields, ...page }, { snapshot }) => {
    const { items, ...list } = listModules(snapshot, "PRODUCT", {
      ...page,
      list: "mkt_list_products",
      filters: {},
      fields,
    });
    return { ...list, products: items };
  },
});

export default [getProduct, listProducts];
