// The four watch tools. Each reads one category of events and has the parameters of its row in the specification.

import { z } from "zod";
import type { EventFilter } from "../../core/market/event-reader.ts";
import type { EventCategory } from "../../protocol/index.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { eventTypesField, idField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { contractFilter, idFilters, pageFields, pollingFields } from "./event-fields.ts";
import { type PageRequest, readPage } from "./event-page.ts";
import { checkEventTypes } from "./event-types.ts";

const POLL = "For the next ones pass latestSequence as since, with waitSeconds. Needs mkt_connect_pubsub.";

type Watching = PageRequest & Omit<EventFilter, "category">;

/** The page, the number of buffered events of the category, and the filters that were given. */
async function watch(
  category: EventCategory,
  { limit, since, waitSeconds, detail, ...filter }: Watching,
  context: ToolContext,
) {
  const page = await readPage({ ...filter, category }, { limit, since, waitSeconds, detail }, context);
  return { page, total: context.events.stats().byCategory[category] };
}

const watchOrders = defineTool({
  name: "mkt_watch_orders",
  title: "Watch orders",
  description: "Gives order events: new, changed, cancelled, rejected, expired, held, released. Price in cents/MWh, " +
    `quantity in MW. ${POLL}`,
  input: z.strictObject({
    orderTypes: eventTypesField("Types").optional(),
    ...idFilters,
    ...pollingFields,
  }),
  output: () => z.looseObject({ ...pageFields, totalOrderEvents: z.int() }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: async ({ orderTypes, ...input }, context) => {
    checkEventTypes("orderTypes", orderTypes, "order", context.events);
    const { page, total } = await watch("order", { ...input, types: orderTypes }, context);
    return { ...page, totalOrderEvents: total, filters: given({ ...input, orderTypes }) };
  },
});

const watchFills = defineTool({
  name: "mkt_watch_fills",
  title: "Watch fills",
  description:
    "Gives fill and trade events. A trade makes one new.trade, and one new.fill for each of its two orders. Price in " +
    `cents/MWh, quantity in MW. ${POLL}`,
  input: z.strictObject({
    fillTypes: eventTypesField("Types").optional(),
    ...idFilters,
    ...pollingFields,
  }),
  output: () => z.looseObject({ ...pageFields, totalFillEvents: z.int() }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: async ({ fillTypes, ...input }, context) => {
    checkEventTypes("fillTypes", fillTypes, "fill", context.events);
    const { page, total } = await watch("fill", { ...input, types: fillTypes }, context);
    return { ...page, totalFillEvents: total, filters: given({ ...input, fillTypes }) };
  },
});

const watchBook = defineTool({
  name: "mkt_watch_book",
  title: "Watch the book",
  description:
    "Gives change.book with the changed bids and asks, [price, volume] of the ten best (volume 0: gone; whole: all), and " +
    `change.spot. Price in cents/MWh, volume in MW. For the book now use mkt_get_order_book. ${POLL}`,
  input: z.strictObject({
    productCode: idField("Product").optional(),
    ...contractFilter,
    ...pollingFields,
  }),
  output: () => z.looseObject({ ...pageFields, totalPricingEvents: z.int() }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: async (input, context) => {
    const { page, total } = await watch("pricing", input, context);
    return { ...page, totalPricingEvents: total, filters: given(input) };
  },
});

const watchMarket = defineTool({
  name: "mkt_watch_market",
  title: "Watch the market",
  description:
    "Gives market events: sessions, halts, resumes, and contracts that are listed, expire or are removed. For the state " +
    `now use mkt_get_market_state. ${POLL}`,
  input: z.strictObject({ ...contractFilter, ...pollingFields }),
  output: () => z.looseObject({ ...pageFields, totalMarketEvents: z.int() }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: async (input, context) => {
    const { page, total } = await watch("market", input, context);
    return { ...page, totalMarketEvents: total, filters: given(input) };
  },
});

/** The filters of a call, without what says how to answer it. */
function given({ waitSeconds: _wait, detail: _detail, ...filters }: Partial<PageRequest> & Record<string, unknown>) {
  return filters;
}

export default [watchOrders, watchFills, watchBook, watchMarket];
