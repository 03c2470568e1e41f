// The four watch tools. Each reads one category of events and has the parameters of its row in the specification.

import { z } from "zod";
import type { EventQuery } from "../../core/market/event-reader.ts";
import type { EventCategory } from "../../protocol/index.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { eventTypesField, idField, limitField, sinceField } from "../../core/tools/fields.ts";
import { checkNamedModules } from "../toolkit/named-modules.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { DEFAULT_EVENTS, pageFields, pageOf } from "./event-page.ts";
import { checkEventTypes } from "./event-types.ts";

const POLL = "To poll, pass the latestSequence of the last result as since. Needs mkt_connect_pubsub.";

const polling = { limit: limitField(DEFAULT_EVENTS), since: sinceField.optional() };

const commonFilters = {
  limit: z.int().describe("Maximum number of events"),
  since: z.int().describe("Sequence number given as since").optional(),
};

const totalEvents = (what: string) => z.int().describe(`Number of buffered ${what} events`);

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
    totalOrderEvents: totalEvents("order"),
    filters: z.looseObject({
      ...commonFilters,
      orderTypes: z.array(z.string()).describe("Event types given").optional(),
    }).describe("Filters of this call"),
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
    "Gives fill and trade events. A trade makes one new.trade, and one new.fill for each of its two orders. Price in " +
    `cents/MWh, quantity in MW. ${POLL}`,
  input: z.strictObject({
    ...polling,
    fillTypes: eventTypesField("Only events of these types, such as new.fill and new.trade").optional(),
  }),
  output: z.looseObject({
    ...pageFields,
    totalFillEvents: totalEvents("fill and trade"),
    filters: z.looseObject({
      ...commonFilters,
      fillTypes: z.array(z.string()).describe("Event types given").optional(),
    }).describe("Filters of this call"),
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
    "Gives order book and pricing events: change.book with the best levels, and change.spot. Price in cents/MWh, " +
    `volume in MW. For the current book use mkt_get_order_book. ${POLL}`,
  input: z.strictObject({
    ...polling,
    productCode: idField("Only events of this product: mkt_list_products gives the codes").optional(),
  }),
  output: z.looseObject({
    ...pageFields,
    totalPricingEvents: totalEvents("book and pricing"),
    filters: z.looseObject({
      ...commonFilters,
      productCode: z.string().describe("Product code given").optional(),
    }).describe("Filters of this call"),
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

/** Accepts a removed product if the buffer still has events of it. Throws ToolError `not_found`. */
function checkProductCode(productCode: string, { events, snapshot }: ToolContext): void {
  const { events: buffered } = events.read({ category: "pricing", productCode, limit: 1 });
  if (buffered.length === 0) checkNamedModules(snapshot, { productCode });
}

const watchMarket = defineTool({
  name: "mkt_watch_market",
  title: "Watch the market",
  description:
    "Gives market events: session changes, halts and resumes, with the status before and after. For the current state " +
    `use mkt_get_market_state. ${POLL}`,
  input: z.strictObject(polling),
  output: z.looseObject({
    ...pageFields,
    totalMarketEvents: totalEvents("market"),
    filters: z.looseObject(commonFilters).describe("Filters of this call"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: (filters, context) => {
    const { total, ...page } = read("market", filters, context);
    return { ...page, totalMarketEvents: total, filters };
  },
});

export default [watchOrders, watchFills, watchBook, watchMarket];
