// The four watch tools: one category each, with the parameters that the specification gives it.

import { z } from "zod";
import type { EventQuery } from "../../core/market/event-reader.ts";
import type { EventCategory } from "../../protocol/index.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { eventTypesField, idField, limitField, sinceField } from "../../core/tools/fields.ts";
import { checkNamedModules } from "../toolkit/named-modules.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { DEFAULT_EVENTS, pageFields, pageOf } from "./event-page.ts";
import { checkEventTypes } from "./event-types.ts";

const POLL = "To poll, pass the latestSequence of the last answer as since. Needs mkt_connect_pubsub.";

const polling = { limit: limitField(DEFAULT_EVENTS), since: sinceField.optional() };

const askedFor = {
  limit: z.int().describe("Events returned at most"),
  since: z.int().describe("Number after which events were asked for").optional(),
};

const totalEvents = (what: string) => z.int().describe(`${what} events buffered now`);

function read(category: EventCategory, query: Omit<EventQuery, "category">, { events }: ToolContext) {
  return { ...pageOf(events.read({ ...query, category })), total: events.stats().byCategory[category] };
}

const watchOrders = defineTool({
  name: "mkt_watch_orders",
  title: "Watch orders",
  description: "Gives order events: new, changed, cancelled, rejected, expired, held, released. Price in cents/MWh, " +
    `quantity in MW, side 0 buy and 1 sell. ${POLL}`,
  input: z.strictObject({
    ...polling,
    orderTypes: eventTypesField("Only events of these types, such as new.order and cancel.order").optional(),
  }),
  output: z.looseObject({
    ...pageFields,
    totalOrderEvents: totalEvents("Order"),
    filters: z.looseObject({
      ...askedFor,
      orderTypes: z.array(z.string()).describe("Types asked for").optional(),
    }).describe("What was asked for"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: (filters, context) => {
    const { orderTypes: types, ...polled } = filters;
    checkEventTypes("orderTypes", types, "order", context.events);
    const { total, ...page } = read("order", { ...polled, types }, context);
    return { ...page, totalOrderEvents: total, filters };
  },
});

const watchFills = defineTool({
  name: "mkt_watch_fills",
  title: "Watch fills",
  description:
    "Gives fill and trade events: a trade makes one new.trade and a new.fill for each of its orders. Price in " +
    `cents/MWh, quantity in MW. ${POLL}`,
  input: z.strictObject({
    ...polling,
    fillTypes: eventTypesField("Only events of these types, such as new.fill and new.trade").optional(),
  }),
  output: z.looseObject({
    ...pageFields,
    totalFillEvents: totalEvents("Fill and trade"),
    filters: z.looseObject({
      ...askedFor,
      fillTypes: z.array(z.string()).describe("Types asked for").optional(),
    }).describe("What was asked for"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: (filters, context) => {
    const { fillTypes: types, ...polled } = filters;
    checkEventTypes("fillTypes", types, "fill", context.events);
    const { total, ...page } = read("fill", { ...polled, types }, context);
    return { ...page, totalFillEvents: total, filters };
  },
});

const watchBook = defineTool({
  name: "mkt_watch_book",
  title: "Watch the book",
  description:
    "Gives order book and pricing events: change.book with the best levels, change.spot. Price in cents/MWh, " +
    `volume in MW. For the book as it is now use mkt_get_order_book. ${POLL}`,
  input: z.strictObject({
    ...polling,
    productCode: idField("Only events of this product: mkt_list_products gives the codes").optional(),
  }),
  output: z.looseObject({
    ...pageFields,
    totalPricingEvents: totalEvents("Book and pricing"),
    filters: z.looseObject({
      ...askedFor,
      productCode: z.string().describe("Product asked for").optional(),
    }).describe("What was asked for"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: (filters, context) => {
    const { productCode } = filters;
    if (productCode !== undefined) checkProductCode(productCode, context);
    const { total, ...page } = read("pricing", filters, context);
    return { ...page, totalPricingEvents: total, filters };
  },
});

/** The buffer may still hold events of a product that the market no longer has. Throws ToolError `not_found`. */
function checkProductCode(productCode: string, { events, snapshot }: ToolContext): void {
  const { events: buffered } = events.read({ category: "pricing", productCode, limit: 1 });
  if (buffered.length === 0) checkNamedModules(snapshot, { productCode });
}

const watchMarket = defineTool({
  name: "mkt_watch_market",
  title: "Watch the market",
  description:
    "Gives market events: session changes, halts and resumes, with the status before and after. For the state " +
    `as it is now use mkt_get_market_state. ${POLL}`,
  input: z.strictObject(polling),
  output: z.looseObject({
    ...pageFields,
    totalMarketEvents: totalEvents("Market"),
    filters: z.looseObject(askedFor).describe("What was asked for"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: (filters, context) => {
    const { total, ...page } = read("market", filters, context);
    return { ...page, totalMarketEvents: total, filters };
  },
});

export default [watchOrders, watchFills, watchBook, watchMarket];
