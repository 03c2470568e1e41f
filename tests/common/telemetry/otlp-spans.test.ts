// What a span tells OpenTelemetry, and which traces begin here, without a receiver.

import { type Context, type Link, type SpanContext, type SpanOptions, trace } from "@opentelemetry/api";
import { TraceState } from "@opentelemetry/core";
import { describe, expect, spyOn, test } from "bun:test";
import { OtlpTracer } from "../../../common/telemetry/otlp/otlp-tracer.ts";
import type { SpanStart } from "../../../common/telemetry/tracer.ts";
import { atEnd } from "../../support/at-end.ts";

const PARENT = {
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  spanId: "00f067aa0ba902b7",
  isSampled: true,
  state: null,
};

/** A tracer of OpenTelemetry that notes what is asked of it. */
function tracer(ratio: number | null, own: Partial<SpanContext> = {}) {
  const started: { name: string; options: SpanOptions; parent: SpanContext | undefined }[] = [];
  const calls: unknown[][] = [];
  const note = (what: string) => (...given: unknown[]) => void calls.push([what, ...given]);
  const startSpan = (name: string, options: SpanOptions, context: Context) => {
    started.push({ name, options, parent: trace.getSpanContext(context) });
    return {
      spanContext: () => ({ traceId: "t", spanId: `s${started.length}`, traceFlags: 1, ...own }),
      isRecording: () => true,
      setAttribute: note("attribute"),
      setStatus: note("status"),
      end: note("end"),
    };
  };
  return { tracer: new OtlpTracer({ startSpan } as never, ratio), started, calls };
}
const begin = (given: Partial<SpanStart> = {}): SpanStart => ({ kind: "server", parent: null, ...given });

describe("a span", () => {
  test("has its name, kind, attributes, parent and link, and nothing that is not given", () => {
    const { tracer: made, started } = tracer(1);
    const link = { ...PARENT, spanId: "1111111111111111", isSampled: false, state: "vendor=1" };
    made.start("a", begin({ kind: "client", parent: { ...PARENT, state: "x=y" }, link, attributes: { n: 5 } }));
    for (const kind of ["server", "internal"] as const) made.start(kind, begin({ kind }));
    const [full, server, internal] = started;
    expect([full!.name, full!.options.kind, full!.options.attributes]).toEqual(["a", 2, { n: 5 }]);
    const { traceState, ...parent } = full!.parent!;
    const { traceId, spanId } = PARENT;
    expect([parent, traceState?.serialize()]).toEqual([{ traceId, spanId, traceFlags: 1, isRemote: true }, "x=y"]);
    const [linked] = full!.options.links as Link[];
    expect(linked!.context).toMatchObject({ spanId: "1111111111111111", traceFlags: 0, isRemote: true });
    expect(linked!.context.traceState?.serialize()).toBe("vendor=1");
    expect([server, internal]).toEqual([
      { name: "server", options: { kind: 1 }, parent: undefined },
      { name: "internal", options: { kind: 0 }, parent: undefined },
    ]);
  });

  test("passes on its own context, with the state of its trace if there is one", () => {
    const context = (own: Partial<SpanContext>) => tracer(1, own).tracer.start("a", begin()).context;
    expect(context({})).toEqual({ traceId: "t", spanId: "s1", isSampled: true, state: null });
    expect(context({ traceFlags: 0 }).isSampled).toBeFalse();
    expect(context({ traceState: new TraceState("v=1") }).state).toBe("v=1");
    expect(context({ traceState: new TraceState("") }).state).toBeNull();
  });

  test("has what is set, its failure with the class of error, and its end", () => {
    const { tracer: made, calls } = tracer(1);
    const span = made.start("a", begin());
    span.set("n", 5);
    span.fail("rate_limited");
    span.fail("500", "server_error");
    span.end();
    expect(calls).toEqual([
      ["attribute", "n", 5],
      ["attribute", "error.type", "rate_limited"],
      ["status", { code: 2, message: "rate_limited" }],
      ["attribute", "error.type", "server_error"],
      ["status", { code: 2, message: "500" }],
      ["end"],
    ]);
  });
});

describe("a trace", () => {
  test("that begins here is recorded by its ratio, and one that has begun elsewhere as its parent is", () => {
    const draws = [0.29, 0.3];
    const random = spyOn(Math, "random").mockImplementation(() => draws.shift() ?? expect.unreachable());
    atEnd(() => random.mockRestore());
    const { tracer: made } = tracer(0.3);
    const recorded = [
      made.start("a", begin()),
      made.start("b", begin()),
      made.start("c", begin({ parent: PARENT })),
      made.start("d", begin({ parent: { ...PARENT, isSampled: false } })),
    ].map(({ isRecording }) => isRecording);
    expect([recorded, draws]).toEqual([[true, false, true, false], []]);
  });

  test("is left to the sampler without a ratio, whatever its parent is", () => {
    const { tracer: made, started } = tracer(null);
    for (const parent of [null, PARENT, { ...PARENT, isSampled: false }]) made.start("a", begin({ parent }));
    expect(started.length).toBe(3);
  });

  test("that is not recorded has its parent's context, or one of its own that is not sampled", () => {
    const { tracer: made, started, calls } = tracer(0);
    const parent = { ...PARENT, isSampled: false, state: "v=1" };
    expect(made.start("a", begin({ parent })).context).toBe(parent);
    const [one, other] = [made.start("b", begin()), made.start("c", begin())];
    expect(one.context).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      isSampled: false,
      state: null,
    });
    expect(one.context).toBe(one.context);
    expect(other.context.traceId).not.toBe(one.context.traceId);
    one.set("n", 1);
    one.fail("x");
    expect(made.within(one, () => made.active())).toBe(one);
    one.end();
    expect([made.within(one, () => made.active()), made.active(), started, calls]).toEqual([null, null, [], []]);
  });
});
