// Products, from the snapshot.

import { z } from "zod";
import { idField, listItems, listParameters, listResult, noteField } from "../../core/tools/fields.ts";
import { moduleSchema, wholeModule } from "../toolkit/columns.ts";
import { moduleMeant } from "../toolkit/lookup.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { pageOfModules } from "../toolkit/list-page.ts";
import { contractsOfProducts } from "./listed-contracts.ts";
import { listModules } from "./snapshot-list.ts";

const getProduct = defineTool({
  name: "mkt_get_product",
  title: "Get a product",
  description:
    "Gives one product, with the lot (MW), tick and price range (cents/MWh) of its contracts. Needs mkt_connect_pubsub.",
  input: z.strictObject({ productId: idField("Product id") }),
  output: () => moduleSchema("PRODUCT", ["name", "type", "contractSpecification"]),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ productId }, { snapshot }) => wholeModule(moduleMeant(snapshot, "PRODUCT", productId)),
});

const listProducts = defineTool({
  name: "mkt_list_products",
  title: "List products",
  description:
    "Lists products; with contracts, also the listed contracts of each with their bestBid, bestAsk, lastPrice (cents/MWh) and " +
    "traded volume (MW). Needs mkt_connect_pubsub.",
  input: z.strictObject({
    contracts: z.boolean().default(false).describe("Give contracts, and of products only the name"),
    ...listParameters(),
  }),
  output: () => z.looseObject({ ...listResult, products: listItems, note: noteField }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ contracts, fields, ...page }, context) => {
    const request = { ...page, list: "mkt_list_products", filters: {} };
    if (!contracts) {
      const { items, ...list } = listModules(context, "PRODUCT", { ...request, fields });
      return { ...list, products: items };
    }
    const { items: candidates } = pageOfModules(context.snapshot, "PRODUCT", {}, request);
    // Only so many products are listed as have room for their contracts.
    const found = contractsOfProducts(context.snapshot, candidates.map(({ id }) => id));
    const limit = Math.max(1, found.length);
    const { items, ...list } = listModules(context, "PRODUCT", { ...request, limit, fields: fields ?? ["name"] });
    return { ...list, products: items.map((product, index) => ({ ...product, ...found[index] })) };
  },
});

export default [getProduct, listProducts];
