// Events of one category, or of all: as a tool, and those of each category as a resource.

import { z } from "zod";
import type { EventFilter } from "../../core/market/event-reader.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { ToolError } from "../../core/error.ts";
import { defineResource } from "../../core/resources/resource.ts";
import { EVENT_CATEGORIES, type EventCategory } from "../../protocol/index.ts";
import { eventTypesField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { eventCategories } from "../toolkit/completions.ts";
import { DEFAULT_EVENTS, idFilters, pageFields, pollingFields } from "./event-fields.ts";
import { checkEventTypes, type PageRequest, readPage } from "./event-page.ts";

const getRecentEvents = defineTool({
  name: "mkt_get_recent_events",
  title: "Recent events",
  description:
    "Gives market events, oldest first. With since nothing comes twice, and missed counts what was lost. Prices in " +
    "cents/MWh, quantities in MW. Needs mkt_connect_pubsub; others' need Market.View.",
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
function eventsRead(
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

/** mkt_get_recent_events gives the same. */
const events = defineResource({
  name: "events",
  uri: "mkt://events/{category}",
  title: "Recent events of a category",
  description: `The ${DEFAULT_EVENTS} newest events, oldest first: prices in cents/MWh, quantities in MW. Needs ` +
    "mkt_connect_pubsub.",
  requires: { connection: "read" },
  parameters: { category: eventCategories },
  // The counts of other categories change without a new version.
  version: ({ category = "" }, { events }) => `${events.epoch} ${events.newestOf(categoryNamed(category))}`,
  read: ({ category = "" }, context) =>
    eventsRead({ category: categoryNamed(category), limit: DEFAULT_EVENTS }, {}, context),
});

/** Throws ToolError `not_found`. */
function categoryNamed(text: string): EventCategory {
  const category = EVENT_CATEGORIES.find((name) => name === text.toLowerCase());
  if (category !== undefined) return category;
  throw new ToolError(
    "not_found",
    `There is no event category ${JSON.stringify(text)}.`,
    `Give one of ${EVENT_CATEGORIES.join(", ")}.`,
  );
}

export const eventResources = [events];

export default [getRecentEvents];
