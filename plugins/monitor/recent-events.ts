// Events of one category, or of all.

import { z } from "zod";
import { EVENT_CATEGORIES } from "../../protocol/index.ts";
import { eventTypesField, limitField, sinceField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { DEFAULT_EVENTS, pageFields, pageOf } from "./event-page.ts";
import { checkEventTypes } from "./event-types.ts";

const input = z.strictObject({
  category: z.enum([...EVENT_CATEGORIES, "all"]).default("all").describe("Only events of this category"),
  limit: limitField(DEFAULT_EVENTS),
  since: sinceField.optional(),
  eventTypes: eventTypesField("Only events of these types, such as new.order and change.order").optional(),
});

const getRecentEvents = defineTool({
  name: "mkt_get_recent_events",
  title: "Recent events",
  description:
    "Gives buffered market events of one category, or of all. Without since: the newest. To poll, pass the " +
    "latestSequence of the last result as since: no event comes twice, and missed counts any that were lost. Needs " +
    "mkt_connect_pubsub.",
  input,
  output: z.looseObject({
    ...pageFields,
    stats: z.looseObject({
      totalBuffered: z.int().describe("Number of buffered events, all categories"),
      latestSequence: z.int().describe("The same as latestSequence beside stats"),
      byCategory: z.record(z.enum(EVENT_CATEGORIES), z.int()).describe("Number of buffered events by category"),
    }).describe("The event buffer"),
    filters: z.looseObject({
      category: z.string().describe("Category given, or all"),
      limit: z.int().describe("Maximum number of events"),
      since: z.int().describe("Sequence number given as since").optional(),
      eventTypes: z.array(z.string()).describe("Event types given").optional(),
    }).describe("Filters of this call"),
  }),
  annotations: READ_ONLY,
  requires: { connection: "read" },
  handler: (filters, { events }) => {
    const { eventTypes: types, since, limit } = filters;
    const category = filters.category === "all" ? undefined : filters.category;
    checkEventTypes("eventTypes", types, category, events);
    const page = pageOf(events.read({ category, types, since, limit }));
    const { totalEvents, byCategory } = events.stats();
    return {
      ...page,
      stats: { totalBuffered: totalEvents, latestSequence: page.latestSequence, byCategory: { ...byCategory } },
      filters,
    };
  },
});

export default [getRecentEvents];
