// Reads one page of events for a monitor tool, and waits for the first one if asked to.
//
// An answer with the default limit and without `detail` has at most MAX_BYTES, so it shows fewer events if they are long.
// What it leaves out comes on the next page.

import type { EventFilter, EventPage } from "../../core/market/event-reader.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { checkNamedModules } from "../toolkit/named-modules.ts";
import { DEFAULT_EVENTS } from "./event-fields.ts";
import { type ShownEvent, shownEvents, type ShownFor } from "./shown-event.ts";

/** Of the events in a default answer; the other fields of the answer have room up to 12,000. */
const MAX_BYTES = 11_550;

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
  const shownFor = { ...request, contractId: filter.contractId };
  const page = read();
  if (waitSeconds === 0 || page.events.length > 0 || page.missed !== 0) return shownPage(page, shownFor, context);
  const waited = await context.waitForEvent(filter, waitSeconds);
  return { ...shownPage(read(), shownFor, context), waited };
}

function shownPage(
  page: EventPage,
  { limit, since, waitSeconds = 0, contractId, detail }: PageRequest & ShownFor,
  { events: buffer }: ToolContext,
) {
  const isPoll = since !== undefined || waitSeconds > 0;
  const isShort = limit === DEFAULT_EVENTS && detail === undefined;
  const shown = shownEvents(page.events, buffer, { contractId, detail });
  const [first, end] = isShort ? fitting(shown, isPoll) : [0, shown.length];
  const kept = page.events.slice(first, end);
  const isCut = isPoll && kept.length < page.events.length;
  return {
    events: first === 0 ? shown.slice(0, end) : shownEvents(kept, buffer, { contractId }),
    count: kept.length,
    latestSequence: isCut ? kept.at(-1)!.sequence : page.latestSequence,
    hasMore: isCut || page.hasMore,
    missed: page.missed,
    epoch: page.epoch,
  };
}

/** The range of the oldest events that fit into MAX_BYTES, or of the newest; at least one. */
function fitting(events: readonly ShownEvent[], oldest: boolean): [first: number, end: number] {
  const sizes = events.map(sizeOf);
  let bytes = sizes.reduce((sum, size) => sum + size, 0);
  let [first, end] = [0, events.length];
  while (bytes > MAX_BYTES && end - first > 1) bytes -= sizes[oldest ? --end : first++]!;
  return [first, end];
}

function sizeOf(event: ShownEvent): number {
  return Buffer.byteLength(JSON.stringify(event)) + 1;
}

/** Accepts what was removed from the market if the buffer still has events of it. */
function checkNames(filter: EventFilter, { events, snapshot }: ToolContext): void {
  const { productCode, contractId, entityId, orderId } = filter;
  for (const [name, value] of Object.entries({ productCode, contractId, entityId, orderId })) {
    if (value === undefined || events.read({ [name]: value, limit: 1 }).events.length > 0) continue;
    checkNamedModules(snapshot, { [name]: value });
  }
}
