// How streams of routes end, and their limits.

import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { logger } from "../../../../common/logger.ts";
import { type BodyInParts, routeBody } from "../../../../core/server/routes/route-body.ts";
import { MAX_STREAMS, RouteStreams, type StreamRequest } from "../../../../core/server/routes/route-streams.ts";

const text = new TextDecoder();

afterEach(() => {
  jest.useRealTimers();
});

/** A source that gives a part when the test says so. */
class Source implements BodyInParts {
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

function serve({ mostForOne = MAX_STREAMS }: { readonly mostForOne?: number } = {}) {
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

describe("a stream", () => {
  test("gives what its source gives, and gives back its place at the end", async () => {
    const { streams, begin } = serve();
    const { source, passed, signal } = begin();
    expect(streams.count).toBe(1);
    expect(await passed("one")).toBe("one");
    expect(await passed(null)).toBeNull();
    expect([streams.count, source.cancelled, signal.aborted]).toEqual([0, 0, false]);
  });

  test("asks its source only while the client reads", async () => {
    const { begin } = serve();
    const { source, passed } = begin();
    await Promise.resolve();
    expect(source.asked).toBe(0);
    await passed("one");
    await Promise.resolve();
    expect(source.asked).toBe(1);
  });

  test.each<[string, (stream: ReturnType<ReturnType<typeof serve>["begin"]>) => unknown]>([
    ["its client is gone", ({ gone }) => gone.abort()],
    ["its reader cancels", ({ reader }) => reader.cancel()],
  ])("ends when %s, and tells its handler and its source", async (_, end) => {
    const { streams, begin } = serve();
    const stream = begin();
    const next = stream.read();
    await end(stream);
    expect(await next).toBeNull();
    expect([streams.count, stream.source.cancelled, stream.signal.aborted]).toEqual([0, 1, true]);
  });

  test("that begins after its client is gone ends at once", async () => {
    const { streams, begin } = serve();
    expect(await begin({ gone: AbortSignal.abort() }).read()).toBeNull();
    expect(streams.count).toBe(0);
  });

  test("breaks off if its source fails, since something is missing", async () => {
    const { streams, begin } = serve();
    const { source, read, signal } = begin();
    const next = read();
    source.fail(new Error("inside"));
    await expect(next).rejects.toThrow("the stream failed");
    expect([streams.count, signal.aborted]).toEqual([0, true]);
  });
});

describe("a shutdown", () => {
  test("ends every stream in order", async () => {
    const { streams, begin, ending } = serve();
    const both = [begin(), begin()];
    const nexts = both.map(({ read }) => read());
    ending.abort();
    expect(await Promise.all(nexts)).toEqual([null, null]);
    expect(both.map(({ source }) => source.cancelled)).toEqual([1, 1]);
    expect(streams.count).toBe(0);
  });

  test("lets none begin", () => {
    const { begin, ending, streams } = serve();
    ending.abort();
    expect(() => begin()).toThrow(expect.objectContaining({ code: "shutting_down" }));
    expect(streams.count).toBe(0);
  });
});

describe("the limit", () => {
  test("of one client refuses one stream more and ends its source, and leaves room for others", async () => {
    const { streams, begin } = serve({ mostForOne: 2 });
    const [first] = [begin(), begin()];
    const refused = new Source();
    expect(() => begin({ body: refused })).toThrow(expect.objectContaining({ code: "rate_limited" }));
    expect([refused.cancelled, streams.count]).toEqual([1, 2]);
    begin({ client: "token robot" });
    await first!.reader.cancel();
    begin();
    expect(streams.count).toBe(3);
  });

  test(`of all is ${MAX_STREAMS}`, () => {
    const { streams, begin } = serve();
    for (let count = 0; count < MAX_STREAMS; count++) begin({ client: `token ${count}` });
    expect(() => begin({ client: "token last" })).toThrow("1000 streams are already running");
    expect(streams.count).toBe(MAX_STREAMS);
  });
});

describe("with time", () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  test("a stream of events that is quiet gets a comment every 15 s, where no line is open", async () => {
    const { begin } = serve();
    const { source, read, passed } = begin();
    const whole = read();
    await source.untilAsked(1);
    jest.advanceTimersByTime(16_000);
    expect(await whole).toBe(": keep-alive\n");
    expect(await passed("event: book\ndata")).toBe("event: book\ndata");
    const later = read();
    await source.untilAsked(2);
    jest.advanceTimersByTime(40_000);
    source.give(": 1\n\n");
    expect(await later).toBe(": 1\n\n");
  });

  test("other streams get no comment", async () => {
    const { begin } = serve();
    const { source, read } = begin({ isEvents: false });
    const next = read();
    await source.untilAsked(1);
    jest.advanceTimersByTime(40_000);
    source.give("a");
    expect(await next).toBe("a");
  });

  test("a client that reads nothing for a minute loses its stream; one that waits keeps it", async () => {
    const { streams, begin } = serve();
    const [stalled, waiting] = [begin(), begin({ isEvents: false })];
    const next = waiting.read();
    await waiting.source.untilAsked(1);
    jest.advanceTimersByTime(59_000);
    expect(streams.count).toBe(2);
    jest.advanceTimersByTime(3_000);
    expect([streams.count, stalled.source.cancelled, stalled.signal.aborted]).toEqual([1, 1, true]);
    expect([stalled.ends.count, waiting.ends.count]).toEqual([1, 0]);
    waiting.source.give(null);
    expect(await next).toBeNull();
    expect(waiting.ends.count).toBe(1);
  });

  test("a token that was revoked while the handler ran gets no stream, and the source ends", () => {
    const { streams, begin, tokens } = serve();
    const body = new Source();
    tokens.areValid = false;
    expect(() => begin({ body })).toThrow(/no longer valid/);
    expect([streams.count, body.cancelled]).toEqual([0, 1]);
  });

  test("a token that is no longer valid ends its stream within a second", () => {
    const { streams, begin, tokens } = serve();
    begin();
    jest.advanceTimersByTime(2_000);
    for (const areValid of [true, false]) {
      expect(streams.count).toBe(1);
      Object.assign(tokens, { areValid, changes: tokens.changes + 1 });
      jest.advanceTimersByTime(1_000);
    }
    expect(streams.count).toBe(0);
  });
});

describe("the body of an answer", () => {
  test.each<[string, BodyInit | null, string]>([
    ["text", "abc", "abc"],
    ["nothing", null, ""],
    ["bytes", new Uint8Array([97, 98]), "ab"],
    ["a stream that is complete at once", streamOf("a", "", "b"), "ab"],
  ])("that is %s is whole", async (_, given, expected) => {
    const body = await routeBody(new Response(given));
    expect(body.kind === "whole" ? text.decode(body.bytes) : body.kind).toBe(expected);
  });

  test("that is not complete at once, or longer than 1 MiB, comes in parts, all of them and in order", async () => {
    const later = Promise.withResolvers<void>();
    const slow = new ReadableStream<string>({
      start: (controller) => controller.enqueue("one"),
      pull: async (controller) => {
        await later.promise;
        controller.enqueue("two");
        controller.close();
      },
    });
    const body = await routeBody(new Response(slow));
    const long = await routeBody(new Response("x".repeat(5_000_000)));
    later.resolve();
    expect(await textOf(body)).toBe("onetwo");
    expect(await textOf(long)).toHaveLength(5_000_000);
  });

  test("that was read already, or is neither text nor bytes, is a fault of the pack", async () => {
    const read = new Response("a");
    await read.text();
    await expect(routeBody(read)).rejects.toThrow("has been read");
    const numbers = new ReadableStream({ start: (controller) => controller.enqueue(7) });
    await expect(routeBody(new Response(numbers))).rejects.toThrow("neither text nor bytes");
  });
});

function streamOf(...parts: readonly string[]): ReadableStream<string> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

async function textOf(body: Awaited<ReturnType<typeof routeBody>>): Promise<string> {
  if (body.kind === "whole") throw new Error("the body is whole");
  let all = "";
  for (let part = await body.next(); part !== null; part = await body.next()) all += text.decode(part);
  return all;
}
