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

/** Throws ToolError `not_found` if the filter names a module that does not exist. */
export async function readPage(filter: EventFilter, request: PageRequest, context: ToolContext) {
  checkNames(filter, context);
  const { events } = context;
  const { waitSeconds = 0 } = request;
  // A call that waits without `since` gets the next event from now on.
  const since = request.since ?? (waitSeconds > 0 ? events.latestSequence : undefined);
  const read = () => events.read({ ...filter, since, limit: request.limit });
  const shownFor = { ...request, contractId: filter.contractId };
  const page = read();
  if (waitSeconds === 0 || page.events.length > 0 || page.missed !== 0) return shownPage(page, shownFor, context);
  const waited = await context.waitForEvent(filter, waitSeconds);
  return { ...shownPage(read(), shownFor, context), waited };
}

function shownPage(page: EventPage, shownFor: ShownFor, { events: buffer }: ToolContext) {
  return { ...page, events: shownEvents(page.events, buffer, shownFor), count: page.events.length };
}

/** A module that was removed from the market is accepted if the buffer still has events of it. */
function checkNames(filter: EventFilter, { events, snapshot }: ToolContext): void {
  const { productCode, contractId, entityId, orderId } = filter;
  for (const [name, value] of Object.entries({ productCode, contractId, entityId, orderId })) {
    if (value === undefined || events.read({ [name]: value, limit: 1 }).events.length > 0) continue;
    checkNamedModules(snapshot, { [name]: value });
  }
}
