// Checks that the event types of a filter exist. With a mistyped type, or one of another category, every result would be
// empty, and the market would seem quiet. Known types are those that the protocol declares, and those in the buffer,
// because another engine may have types of its own.

import type { EventReader } from "../../core/market/event-reader.ts";
import { categoryOf, type EventCategory, EVENTS } from "../../protocol/index.ts";
import { ToolError } from "../../core/error.ts";

const DECLARED = Object.keys(EVENTS);

/** `field` is the name of the parameter. Without a category every known type fits. Throws ToolError `invalid_filter`. */
export function checkEventTypes(
  field: string,
  types: readonly string[] | undefined,
  category: EventCategory | undefined,
  events: EventReader,
): void {
  for (const type of types ?? []) {
    const fits = category === undefined || categoryOf(type) === category;
    if (fits && (DECLARED.includes(type) || events.read({ types: [type], limit: 1 }).events.length > 0)) continue;
    const possible = DECLARED.filter((each) => category === undefined || categoryOf(each) === category);
    throw new ToolError(
      "invalid_filter",
      `${field}: there is no event type ${JSON.stringify(type)}${
        category === undefined ? "" : ` in category ${category}`
      }.`,
      possible.length === 0
        ? `No type is declared for category ${category}: leave ${field} out.`
        : `Give one of ${possible.join(", ")}.`,
    );
  }
}
