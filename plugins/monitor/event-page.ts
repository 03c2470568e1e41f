// Reads one page of events for a monitor tool, and waits for the first one if asked to. Refuses a filter that names what does
// not exist.

import type { z } from "zod";
import type { EventFilter, EventPage, EventReader } from "../../core/market/event-reader.ts";
import { ToolError } from "../../core/error.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { categoryOf, type EventCategory, EVENTS } from "../../protocol/index.ts";
import { didYouMeanOne } from "../toolkit/meaning.ts";
import { checkNamedModules, idMeant } from "../toolkit/named-modules.ts";
import type { pollingFields } from "./event-fields.ts";
import { shownEvents, type ShownFor } from "./shown-event.ts";

export type PageRequest = z.output<z.ZodObject<typeof pollingFields>>;

/** A page as tools give it. */
type ShownPage = ReturnType<typeof shownPage> & { readonly waited?: boolean };

/**
 * The result that `resultOf` makes of the page. A promise only if the call waits. Throws ToolError `not_found` if the filter
 * names a module that does not exist.
 */
export function readPage<Result>(
  named: EventFilter,
  request: PageRequest,
  context: ToolContext,
  resultOf: (page: ShownPage) => Result,
): Result | Promise<Result> {
  const filter = filterMeant(named, context);
  const { events } = context;
  const { waitSeconds = 0, limit, detail } = request;
  // A call that waits without `since` gets the next event from now on.
  const since = request.since ?? (waitSeconds > 0 ? events.latestSequence : undefined);
  const read = () => events.read({ ...filter, since, limit });
  const shownFor = { detail, contractId: filter.contractId };
  const page = read();
  if (waitSeconds === 0 || page.events.length > 0 || page.missed !== 0) {
    return resultOf(shownPage(page, shownFor, context));
  }
  return context.waitForEvent(filter, waitSeconds)
    .then((waited) => resultOf({ ...shownPage(read(), shownFor, context), waited }));
}

function shownPage(
  { latestSequence, hasMore, missed, epoch, events }: EventPage,
  shownFor: ShownFor,
  context: ToolContext,
) {
  return {
    events: shownEvents(events, context.events, shownFor),
    latestSequence,
    hasMore,
    missed,
    epoch,
    count: events.length,
  };
}

const NAMES = ["productCode", "contractId", "entityId", "orderId"] as const;

/**
 * The filter with the ids that it means. A module that was removed from the market is accepted if the buffer still has events
 * of it.
 */
function filterMeant(filter: EventFilter, { events, snapshot }: ToolContext): EventFilter {
  let meant = filter;
  for (const name of NAMES) {
    const value = filter[name];
    if (value === undefined || events.read({ [name]: value, limit: 1 }).events.length > 0) continue;
    const id = idMeant(snapshot, name, value);
    if (id === null) checkNamedModules(snapshot, { [name]: value });
    else meant = { ...meant, [name]: id };
  }
  return meant;
}

const DECLARED = Object.keys(EVENTS);

/**
 * Checks that the event types of a filter exist. With a mistyped type, or one of another category, every result would be empty,
 * and the market would seem quiet. Known types are those that the protocol declares, and those in the buffer, because another
 * engine may have types of its own. `field` is the name of the parameter. Without a category every known type fits. Throws
 * ToolError `invalid_filter`.
 */
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
        : `${didYouMeanOne(type, possible)}Give one of ${possible.join(", ")}.`,
    );
  }
}
