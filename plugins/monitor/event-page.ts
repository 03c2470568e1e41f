// Reads one page of events for a monitor tool, and waits for the first one if asked to.

import type { EventFilter, EventPage } from "../../core/market/event-reader.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { checkNamedModules } from "../toolkit/named-modules.ts";
import { shownEvents, type ShownFor } from "./shown-event.ts";

export interface PageRequest {
  readonly limit: number;
  readonly since?: number | undefined;
  readonly waitSeconds?: number | undefined;
  readonly detail?: "full" | undefined;
}

/** A page as tools give it. */
export type ShownPage = ReturnType<typeof shownPage> & { readonly waited?: boolean };

/**
 * The result that `resultOf` makes of the page. A promise only if the call waits. Throws ToolError `not_found` if the filter
 * names a module that does not exist.
 */
export function readPage<Result>(
  filter: EventFilter,
  request: PageRequest,
  context: ToolContext,
  resultOf: (page: ShownPage) => Result,
): Result | Promise<Result> {
  checkNames(filter, context);
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

/** A module that was removed from the market is accepted if the buffer still has events of it. */
function checkNames(filter: EventFilter, { events, snapshot }: ToolContext): void {
  for (const name of NAMES) {
    const value = filter[name];
    if (value === undefined || events.read({ [name]: value, limit: 1 }).events.length > 0) continue;
    checkNamedModules(snapshot, { [name]: value });
  }
}
