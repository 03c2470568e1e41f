// Reads one page of events for a monitor tool, and waits for the first one if asked to.
//
// An answer with the default limit and without `detail` has at most MAX_BYTES, so it shows fewer events if they are long.
// What it leaves out comes on the next page.

import type { EventFilter, EventPage } from "../../core/market/event-reader.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { checkNamedModules } from "../toolkit/named-modules.ts";
import { DEFAULT_EVENTS } from "./event-fields.ts";
import { shownEvent } from "./shown-event.ts";

/** Of the events in a default answer; the other fields of the answer have room up to 12,000. */
const MAX_BYTES = 11_500;

export interface PageRequest {
  readonly limit: number;
  readonly since?: number | undefined;
  readonly waitSeconds?: number | undefined;
  readonly detail?: "full" | undefined;
}

/** Throws ToolError `not_found` for a filter that finds nothing because it names nothing. */
export async function readPage(filter: EventFilter, request: PageRequest, context: ToolContext) {
  checkNames(filter, context);
  const { events } = context;
  const { waitSeconds = 0 } = request;
  // A call that waits without `since` gets the next event from now on.
  const since = request.since ?? (waitSeconds > 0 ? events.latestSequence : undefined);
  const read = () => events.read({ ...filter, since, limit: request.limit });
  const page = read();
  if (waitSeconds === 0 || page.events.length > 0 || page.missed !== 0) return shownPage(page, request, context);
  const waited = await context.waitForEvent(filter, waitSeconds);
  return { ...shownPage(read(), request, context), waited };
}

function shownPage(page: EventPage, { limit, since, detail }: PageRequest, { events: reader }: ToolContext) {
  const all = page.events.map((event) => shownEvent(event, reader, detail));
  const isShort = limit === DEFAULT_EVENTS && detail === undefined;
  const events = isShort ? fitting(all, since === undefined) : all;
  const isCut = events.length < all.length && since !== undefined;
  return {
    events,
    count: events.length,
    latestSequence: isCut ? page.events[events.length - 1]!.sequence : page.latestSequence,
    hasMore: isCut || page.hasMore,
    missed: page.missed,
    epoch: page.epoch,
  };
}

/** The oldest events that fit into MAX_BYTES, or the newest; at least one. */
function fitting<Shown>(events: readonly Shown[], newest: boolean): Shown[] {
  const inOrder = newest ? events.toReversed() : events;
  let bytes = 0;
  const fit = inOrder.findIndex((event, at) => {
    bytes += Buffer.byteLength(JSON.stringify(event)) + 1;
    return at > 0 && bytes > MAX_BYTES;
  });
  const kept = fit < 0 ? inOrder : inOrder.slice(0, fit);
  return newest ? kept.toReversed() : [...kept];
}

/** Accepts what was removed from the market if the buffer still has events of it. */
function checkNames(filter: EventFilter, { events, snapshot }: ToolContext): void {
  const { productCode, contractId, entityId, orderId } = filter;
  for (const [name, value] of Object.entries({ productCode, contractId, entityId, orderId })) {
    if (value === undefined || events.read({ [name]: value, limit: 1 }).events.length > 0) continue;
    checkNamedModules(snapshot, { [name]: value });
  }
}
