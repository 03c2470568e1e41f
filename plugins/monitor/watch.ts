// The four watch tools. Each reads one category of events and has the parameters of its row in the specification.

import { z } from "zod";
import type { EventFilter } from "../../core/market/event-reader.ts";
import type { EventCategory } from "../../protocol/index.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { eventTypesField, idField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { contractFilter, idFilters, pageFields, pollingFields } from "./event-fields.ts";
import { checkEventTypes, type PageRequest, readPage, type ShownPage } from "./event-page.ts";

const POLL = "For the next ones pass latestSequence as since, with waitSeconds. Needs mkt_connect_pubsub.";

type Watching = PageRequest & Omit<EventFilter, "category">;

/** `resultOf` gets the page, and the number of buffered events of the category. */
function watch<Result>(
  category: EventCategory,
  { limit, since, waitSeconds, detail, types, productCode, contractId, entityId, orderId }: Watching,
  context: ToolContext,
  resultOf: (page: ShownPage, total: number) => Result,
): Result | Promise<Result> {
  const filter = { category, types, productCode, contractId, entityId, orderId };
  const request = { limit, since, waitSeconds, detail };
  return readPage(filter, request, context, (page) => resultOf(page, context.events.count(category)));
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
  handler: ({ orderTypes, ...input }, context) => {
    checkEventTypes("orderTypes", orderTypes, "order", context.events);
    return watch("order", { ...input, types: orderTypes }, context, (page, total) => ({
      ...page,
      totalOrderEvents: total,
      filters: given({ ...input, orderTypes }),
    }));
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
  handler: ({ fillTypes, ...input }, context) => {
    checkEventTypes("fillTypes", fillTypes, "fill", context.events);
    return watch("fill", { ...input, types: fillTypes }, context, (page, total) => ({
      ...page,
      totalFillEvents: total,
      filters: given({ ...input, fillTypes }),
    }));
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
  handler: (input, context) =>
    watch("pricing", input, context, (page, total) => ({ ...page, totalPricingEvents: total, filters: given(input) })),
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
  handler: (input, context) =>
    watch("market", input, context, (page, total) => ({ ...page, totalMarketEvents: total, filters: given(input) })),
});

/** The filters of a call, without what says how to answer it. */
function given({ waitSeconds: _wait, detail: _detail, ...filters }: Partial<PageRequest> & Record<string, unknown>) {
  return filters;
}

export default [watchOrders, watchFills, watchBook, watchMarket];
