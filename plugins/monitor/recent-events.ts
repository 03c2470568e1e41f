// Events of one category, or of all.

import { z } from "zod";
import { EVENT_CATEGORIES } from "../../protocol/index.ts";
import { eventTypesField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { idFilters, pageFields, pollingFields } from "./event-fields.ts";
import { readPage } from "./event-page.ts";
import { checkEventTypes } from "./event-types.ts";

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
    const { eventTypes: types, since, limit, ...named } = filters;
    const category = filters.category === "all" ? undefined : filters.category;
    checkEventTypes("eventTypes", types, category, context.events);
    return readPage({ ...named, category, types }, { since, limit, waitSeconds, detail }, context, (page) => {
      const { totalEvents, byCategory } = context.events.stats();
      return {
        ...page,
        stats: { totalBuffered: totalEvents, latestSequence: page.latestSequence, byCategory: { ...byCategory } },
        filters,
      };
    });
  },
});

export default [getRecentEvents];
