// Events of one category, or of all.

import { z } from "zod";
import type { EventFilter } from "../../core/market/event-reader.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { EVENT_CATEGORIES, type EventCategory } from "../../protocol/index.ts";
import { eventTypesField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { idFilters, pageFields, pollingFields } from "./event-fields.ts";
import { checkEventTypes, type PageRequest, readPage } from "./event-page.ts";

const getRecentEvents = defineTool({
  name: "mkt_get_recent_events",
  title: "Recent events",
  description:
    "Gives market events, oldest first. For the next ones pass latestSequence as since, with waitSeconds: nothing comes " +
    "twice, and missed counts what was lost. Prices in cents/MWh, quantities in MW. Needs mkt_connect_pubsub.",
  input: z.strictObject({
    category: z.enum([...EVENT_CATEGORIES, "all"]).default("all").describe("Category"),
    eventTypes: eventTypesField("Types").optional(),
    ...idFilters,
    ...pollingFields,
  }),
  output: () =>
    z.looseObject({
      ...pageFields,
      stats: z.looseObject({
        totalBuffered: z.int(),
        latestSequence: z.int(),
        byCategory: z.looseObject({}),
      }),
    }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: ({ waitSeconds, detail, ...filters }, context) => {
    const category = filters.category === "all" ? undefined : filters.category;
    checkEventTypes("eventTypes", filters.eventTypes, category, context.events);
    return eventsRead(filters, { waitSeconds, detail }, context);
  },
});

interface EventSearch
  extends Pick<EventFilter, "contractId" | "entityId" | "orderId">, Pick<PageRequest, "limit" | "since"> {
  readonly category: EventCategory | "all";
  readonly eventTypes?: readonly string[] | undefined;
}

/** A page of events, with what the buffer holds, and the search itself. Throws what `readPage` throws. */
export function eventsRead(
  search: EventSearch,
  request: Pick<PageRequest, "waitSeconds" | "detail">,
  context: ToolContext,
) {
  const { eventTypes: types, since, limit, ...named } = search;
  const category = search.category === "all" ? undefined : search.category;
  return readPage({ ...named, category, types }, { since, limit, ...request }, context, (page) => {
    const { totalEvents, byCategory } = context.events.stats();
    return {
      ...page,
      stats: { totalBuffered: totalEvents, latestSequence: page.latestSequence, byCategory: { ...byCategory } },
      filters: { ...search },
    };
  });
}

export default [getRecentEvents];
