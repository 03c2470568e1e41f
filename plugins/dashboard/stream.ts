// GET /dashboard/stream (web/contract/update.ts): what has changed, at each tick at most. A stream goes on after the update
// that the browser names as Last-Event-ID, or the page as `since`.
//
// All streams look for changes at the same ticks, so that they find the same events and rows, whose texts are then shared. Some
// look in each turn of the event loop, so the updates of all streams are never in memory at once. There is no timer if nobody
// waits.

import { ToolError } from "../../core/error.ts";
import { eventTextStream } from "../../core/routes/event-stream.ts";
import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import { MAX_ID_LENGTH } from "../../protocol/limits.ts";
import { EVENT_CHOICES, type EventChoice, MAX_WATCHED } from "../../web/contract/update.ts";
import { liveMarketOf } from "./live-market.ts";
import { positionOf } from "./stream-position.ts";
import { type StreamChoice, UpdateSource, type UpdateText } from "./update-source.ts";

/** Throws ToolError `invalid_input`. */
export function stream({ url: { searchParams }, headers }: RouteRequest, context: RouteContext): Response {
  const choice = { watched: watchedOf(searchParams), events: eventsOf(searchParams.get("events")) };
  const since = headers.get("Last-Event-ID") ?? searchParams.get("since");
  return eventTextStream(updates(context, choice, since), sentText);
}

/** `since`: a position; another text begins anew. */
async function* updates(
  context: Pick<RouteContext, "events" | "snapshot" | "pubsub" | "frozen" | "configuration" | "signal">,
  choice: StreamChoice,
  since: string | null,
): AsyncGenerator<UpdateText> {
  const source = new UpdateSource(liveMarketOf(context), choice, positionOf(since));
  while (!context.signal.aborted) {
    const update = source.next(performance.now());
    if (update !== null) yield update;
    await nextLook(source.hasMore);
  }
}

/** As a server-sent event. Neither field has a line break: the one is numbers and letters, the other compact JSON. */
function sentText({ position, text }: UpdateText): string {
  return position === null ? `data: ${text}\n\n` : `id: ${position}\ndata: ${text}\n\n`;
}

function watchedOf(parameters: URLSearchParams): string[] {
  const ids = [...new Set(parameters.getAll("contract"))];
  if (ids.length <= MAX_WATCHED && ids.every((id) => id.length <= MAX_ID_LENGTH)) return ids;
  throw new ToolError(
    "invalid_input",
    `contract: at most ${MAX_WATCHED} ids of at most ${MAX_ID_LENGTH} characters can be watched.`,
    "Watch the contracts that are shown.",
  );
}

function eventsOf(text: string | null): EventChoice {
  if (text === null) return "all";
  const choice = EVENT_CHOICES.find((choice) => choice === text);
  if (choice !== undefined) return choice;
  throw new ToolError("invalid_input", "events: there is no such choice.", `Give one of ${EVENT_CHOICES.join(", ")}.`);
}

/** Between two updates of a stream, milliseconds. */
const TICK_MS = 100;
/** Streams that look at once. Their updates are sent before the next ones are made, so no tick makes those of all streams. */
const AT_ONCE = 32;

/** Until the next tick. */
let waiting: (() => void)[] = [];
/** Until their turn, in this order. */
const due: (() => void)[] = [];

/** Resolves at the next tick, or if the stream is behind, in a next turn of the event loop. */
function nextLook(isBehind: boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (isBehind) resume([resolve]);
  else {
    if (waiting.length === 0) setTimeout(tick, untilNext(performance.now()));
    waiting.push(resolve);
  }
  return promise;
}

function tick(): void {
  const ready = waiting;
  waiting = [];
  resume(ready);
}

function resume(ready: readonly (() => void)[]): void {
  if (due.length === 0) setImmediate(resumeSome);
  due.push(...ready);
}

function resumeSome(): void {
  for (const resolve of due.splice(0, AT_ONCE)) resolve();
  if (due.length > 0) setImmediate(resumeSome);
}

/** Never too short, since a timer that is early by a fraction would make two ticks of one. */
function untilNext(now: number): number {
  return Math.ceil(TICK_MS - now % TICK_MS) + 1;
}
