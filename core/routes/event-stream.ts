// An answer of server-sent events (text/event-stream), for pages that show what happens live. The next event is only asked for
// once the client reads on, so a slow client costs nothing but its connection.

import { safeJson } from "../../common/safe-text.ts";

export interface ServerSentEvent {
  /** `message` for the page if absent. */
  readonly event?: string;
  /** What the page gets back as the header Last-Event-ID when it connects again. */
  readonly id?: string;
  /** Sent as JSON, in which text from the market is escaped as in a tool's result. */
  readonly data: object;
}

/**
 * The response with these events. If the client is gone, or an event is invalid, the source is ended with its `return`. A
 * source that waits should also end when `context.signal` aborts.
 *
 * @example handler: (_, context) => mkt.eventStream(changesOf(context))
 */
export function eventStream(events: AsyncIterable<ServerSentEvent>): Response {
  return eventTextStream(events, textOf);
}

/**
 * The same of whatever a source gives. `partOf` makes whole events of it, as they are sent; if it throws, the stream fails and
 * the source is ended.
 */
export function eventTextStream<Item>(items: AsyncIterable<Item>, partOf: (item: Item) => string): Response {
  const source = items[Symbol.asyncIterator]();
  const body = new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) return controller.close();
      try {
        controller.enqueue(partOf(value));
      } catch (error) {
        // A stream that fails is not cancelled, so the source would never end.
        await source.return?.();
        throw error;
      }
    },
    // It may be in the middle of a wait, which ends with the signal of the call.
    cancel() {
      Promise.resolve(source.return?.()).catch(() => {});
    },
  }, { highWaterMark: 0 });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

/** Throws TypeError if a field would break the line. */
function textOf({ event, id, data }: ServerSentEvent): string {
  const fields = [["event", event], ["id", id]].filter(([, value]) => value !== undefined) as [string, string][];
  const broken = fields.find(([, value]) => /[\r\n\0]/.test(value));
  if (broken !== undefined) throw new TypeError(`the ${broken[0]} of a server-sent event has a line break`);
  return [...fields, ["data", safeJson(data)]].map(([name, value]) => `${name}: ${value}\n`).join("") + "\n";
}
