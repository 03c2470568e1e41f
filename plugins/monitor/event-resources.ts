// The newest events of a category, as a resource. mkt_get_recent_events gives the same.

import { ToolError } from "../../core/error.ts";
import { defineResource } from "../../core/resources/resource.ts";
import { EVENT_CATEGORIES, type EventCategory } from "../../protocol/index.ts";
import { eventCategories } from "../toolkit/completions.ts";
import { DEFAULT_EVENTS } from "./event-fields.ts";
import { eventsRead } from "./recent-events.ts";

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

export default [events];
