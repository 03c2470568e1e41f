// Streams of routes whose sources and clients do what a test says.

import { expect } from "bun:test";
import { logger } from "../../../../common/logger.ts";
import type { BodyInParts } from "../../../../core/server/routes/route-body.ts";
import type { StreamRequest } from "../../../../core/server/routes/route-stream.ts";
import { MAX_STREAMS, RouteStreams } from "../../../../core/server/routes/route-streams.ts";

const text = new TextDecoder();

/** A source that gives a part when the test says so. */
export class Source implements BodyInParts {
  readonly kind = "parts";
  asked = 0;
  cancelled = 0;
  readonly #parts: PromiseWithResolvers<Uint8Array | null>[] = [];
  #given = 0;

  next(): Promise<Uint8Array | null> {
    return this.#part(this.asked++).promise;
  }

  cancel(): void {
    this.cancelled += 1;
  }

  give(part: string | null): void {
    this.#part(this.#given++).resolve(part === null ? null : new TextEncoder().encode(part));
  }

  fail(error: Error): void {
    const { promise, reject } = this.#part(this.#given++);
    // The stream may ask for it only later.
    promise.catch(() => {});
    reject(error);
  }

  /** Without a timer, because some tests fake them. */
  async untilAsked(times: number): Promise<void> {
    for (let turn = 0; this.asked < times && turn < 100; turn++) await Promise.resolve();
    expect(this.asked).toBe(times);
  }

  #part(index: number) {
    return this.#parts[index] ??= Promise.withResolvers();
  }
}

export function serve({ mostForOne = MAX_STREAMS }: { readonly mostForOne?: number } = {}) {
  const ending = new AbortController();
  const tokens = { changes: 0, areValid: true };
  const streams = new RouteStreams({
    mostForOne: () => mostForOne,
    ending: ending.signal,
    tokenChanges: () => tokens.changes,
    now: Date.now,
    log: logger("test"),
  });
  const begin = (given: Partial<StreamRequest> = {}) => {
    const source = new Source();
    const gone = new AbortController();
    const stop = new AbortController();
    const ends = { count: 0 };
    const reader = streams.begin({
      name: "GET /acme",
      client: "token desk",
      body: source,
      isEvents: true,
      abort: () => stop.abort(),
      onEnd: () => void (ends.count += 1),
      gone: gone.signal,
      isAllowed: () => tokens.areValid,
      endsAt: null,
      ...given,
    }).getReader();
    const read = async () => {
      const { done, value } = await reader.read();
      return done ? null : text.decode(value);
    };
    /** The part that the client reads when the source gives it. */
    const passed = async (part: string | null) => {
      const next = read();
      source.give(part);
      return await next;
    };
    return { source, gone, signal: stop.signal, ends, reader, read, passed };
  };
  return { streams, begin, ending, tokens };
}
