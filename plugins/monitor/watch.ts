// The four watch tools. Each reads one category of events and has the parameters of its row in the specification.

import { z } from "zod";
import type { EventFilter } from "../../core/market/event-reader.ts";
import type { EventCategory } from "../../protocol/index.ts";
import { eventTypesField, idField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY, type Tool } from "../../core/tools/tool.ts";
import { contractFilter, idFilters, pageFields, pollingFields } from "./event-fields.ts";
import { checkEventTypes, type PageRequest, readPage } from "./event-page.ts";

const POLL = "Needs mkt_connect_pubsub.";
const POLL_ALL = `${POLL.slice(0, -1)}; others' need Market.View.`;

interface Watch extends Pick<Tool, "name" | "title" | "description"> {
  readonly category: EventCategory;
  /** The field with the number of buffered events of the category. */
  readonly total: string;
  /** The parameter with event types, if the tool has one. */
  readonly types?: string;
  readonly filters: z.ZodRawShape;
}

type Input = PageRequest & Omit<EventFilter, "category" | "types">;

function defineWatch({ category, total, types = "", filters, ...texts }: Watch): Tool {
  const typesParameter = types === "" ? {} : { [types]: eventTypesField("Types").optional() };
  return defineTool({
    ...texts,
    input: z.strictObject({ ...typesParameter, ...filters, ...pollingFields }),
    output: () => z.looseObject({ ...pageFields, [total]: z.int() }),
    annotations: READ_ONLY,
    requires: { connection: "read" },
    handler: (input, context) => {
      const { [types]: chosen, ...others } = input as Record<string, unknown>;
      const { limit, since, waitSeconds, detail, ...named } = others as Input;
      const eventTypes = chosen as readonly string[] | undefined;
      checkEventTypes(types, eventTypes, category, context.events);
      const filter = { ...named, category, types: eventTypes };
      return readPage(filter, { limit, since, waitSeconds, detail }, context, (page) => ({
        ...page,
        [total]: context.events.count(category),
        filters: { ...named, limit, since, ...(eventTypes && { [types]: eventTypes }) },
      }));
    },
  });
}

export default [
  defineWatch({
    name: "mkt_watch_orders",
    title: "Watch orders",
    description:
      "Gives order events: new, changed, cancelled, rejected, expired, held, released. Price in cents/MWh, " +
      `quantity in MW. ${POLL_ALL}`,
    category: "order",
    total: "totalOrderEvents",
    types: "orderTypes",
    filters: idFilters,
  }),
  defineWatch({
    name: "mkt_watch_fills",
    title: "Watch fills",
    description:
      "Gives fill and trade events. A trade makes one new.trade, and one new.fill for each of its two orders. Price in " +
      `cents/MWh, quantity in MW. ${POLL_ALL}`,
    category: "fill",
    total: "totalFillEvents",
    types: "fillTypes",
    filters: idFilters,
  }),
  defineWatch({
    name: "mkt_watch_book",
    title: "Watch the book",
    description:
      "Gives change.book with the changed bids and asks, [price, volume] of the ten best (volume 0: gone; whole: all), and " +
      `change.spot. Price in cents/MWh, volume in MW. For the book now use mkt_get_order_book. ${POLL}`,
    category: "pricing",
    total: "totalPricingEvents",
    filters: { productCode: idField("Product").optional(), ...contractFilter },
  }),
  defineWatch({
    name: "mkt_watch_market",
    title: "Watch the market",
    description:
      "Gives market events: sessions, halts, resumes, and contracts that are listed, expire or are removed. For the state " +
      `now use mkt_get_market_state. ${POLL}`,
    category: "market",
    total: "totalMarketEvents",
    filters: contractFilter,
  }),
];
