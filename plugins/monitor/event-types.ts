// Whether the event types that a caller filters by exist: one that is mistyped, or of another category, would wait for
// ever, and an empty answer would look like a quiet market. Known are the types that the protocol declares, and those that
// the buffer holds, which another engine may have of its own.

import type { EventReader } from "../../core/market/event-reader.ts";
import { categoryOf, type EventCategory, EVENTS } from "../../protocol/index.ts";
import { ToolError } from "../../core/error.ts";

const DECLARED = Object.keys(EVENTS);

/** `field` is the parameter's name; without a category all types fit. Throws ToolError `invalid_filter`. */
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
