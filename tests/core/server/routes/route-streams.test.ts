// How streams of routes end, and their limits.

import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { MAX_STREAMS, MAX_UNREAD_BYTES } from "../../../../core/server/routes/route-streams.ts";
import { listenersOf } from "../../../support/still-clock.ts";
import { until } from "../../../support/until.ts";
import { serve, Source } from "./served-streams.ts";

afterEach(() => {
  jest.useRealTimers();
});

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
    const stop = new AbortController();
    const abort = () => stop.abort();
    expect(() => begin({ body: refused, abort })).toThrow(expect.objectContaining({ code: "rate_limited" }));
    expect([refused.cancelled, stop.signal.aborted, streams.count]).toEqual([1, true, 2]);
    begin({ client: "token robot" });
    await first!.reader.cancel();
    begin();
    expect(streams.count).toBe(3);
  });

  test("of what clients have not read breaks off those that have read nothing for the longest time, and no other", async () => {
    const { streams, begin } = serve();
    const part = "x".repeat(MAX_UNREAD_BYTES / 4);
    const [waiting, reading] = [begin(), begin()];
    void waiting.read();
    const silent = Array.from({ length: 6 }, () => begin());
    for (const [count, { passed }] of silent.entries()) {
      expect(await reading.passed(`${count}`)).toBe(`${count}`);
      await passed(part);
    }
    const next = reading.read();
    await until(() => streams.count === 6);
    for (const [count, { read, ends, signal, source }] of silent.entries()) {
      const isOver = count < 2;
      expect([ends.count, signal.aborted, source.cancelled]).toEqual(isOver ? [1, true, 1] : [0, false, 0]);
      if (isOver) await expect(read()).rejects.toThrow("did not read all");
    }
    reading.source.give("more");
    expect(await next).toBe("more");
    // Whenever there is too much again, and not those that wait for more.
    void reading.read();
    const late = Array.from({ length: 2 }, () => begin());
    for (const { passed } of late) await passed(part);
    await until(() => streams.count === 6);
    expect([...silent, ...late, waiting].map(({ ends }) => ends.count)).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 0]);
  });

  test("of what clients have not read is free again once they have read", async () => {
    const { streams, begin } = serve();
    const part = "x".repeat(MAX_UNREAD_BYTES / 2);
    const slow = begin();
    for (let count = 0; count < 5; count++) {
      let length = (await slow.passed(part))?.length ?? 0;
      while (length < part.length) length += (await slow.read())?.length ?? part.length;
      expect(length).toBe(part.length);
    }
    const other = begin();
    await other.passed("y");
    await Bun.sleep(0);
    expect([streams.count, slow.ends.count]).toEqual([2, 0]);
  });

  test("that ends in the middle of a part breaks off, so nobody takes it for whole", async () => {
    const { begin, ending } = serve();
    const [stream, whole] = [begin(), begin()];
    expect(await stream.passed("x".repeat(100_000))).toHaveLength(1 << 16);
    expect(await whole.passed("x".repeat(1 << 16))).toHaveLength(1 << 16);
    ending.abort();
    await expect(stream.read()).rejects.toThrow("did not read all");
    expect([await whole.read(), stream.ends.count, whole.ends.count]).toEqual([null, 1, 1]);
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
    expect(await passed("\nevent: book\ndata")).toBe("\nevent: book\ndata");
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

  test("a stream ends with the session of its browser, and not before", () => {
    const { streams, begin } = serve();
    const ofSession = begin({ endsAt: Date.now() + 5_000 });
    const other = begin();
    jest.advanceTimersByTime(4_000);
    expect(streams.count).toBe(2);
    jest.advanceTimersByTime(1_000);
    expect([streams.count, ofSession.ends.count, other.ends.count]).toEqual([1, 1, 0]);
  });

  test.each<[string, (stream: ReturnType<ReturnType<typeof serve>["begin"]>) => unknown]>([
    ["client", ({ gone }) => gone.abort()],
    ["reader", ({ reader }) => reader.cancel()],
    ["source", ({ passed }) => passed(null)],
    ["source, which fails", ({ source, read }) => {
      source.fail(new Error("inside"));
      return read().catch(() => {});
    }],
  ])("what ends with its %s leaves nothing: no timer, no listener, no place of its client", async (_what, end) => {
    const { streams, begin } = serve({ mostForOne: 1 });
    for (let round = 0; round < 3; round += 1) {
      const stream = begin();
      expect([streams.count, jest.getTimerCount(), listenersOf(stream.gone.signal)]).toEqual([1, 1, 1]);
      await end(stream);
      expect([streams.count, jest.getTimerCount(), stream.ends.count]).toEqual([0, 0, 1]);
      if (!stream.gone.signal.aborted) expect(listenersOf(stream.gone.signal)).toBe(0);
    }
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
