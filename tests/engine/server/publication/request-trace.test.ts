import { describe, expect, test } from "bun:test";
import { RequestTrace } from "../../../../engine/server/publication/request-trace.ts";
import { RecordedTracer } from "../../../support/recorded-tracer.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const fields = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: "vendor=1" };

function begun() {
  const tracer = new RecordedTracer();
  const trace = RequestTrace.begin(tracer, "order.submit", fields) ?? expect.unreachable();
  const shown = () => tracer.spans.map(({ name, failure, hasEnded }) => [name, failure, hasEnded]);
  return { tracer, trace, shown };
}

describe("the trace of a request", () => {
  test("goes on with the trace of its sender, as a server's span of its action", () => {
    const { tracer } = begun();
    expect(tracer.spans[0]?.begun).toEqual({
      kind: "server",
      parent: { traceId: TRACE, spanId: PARENT, isSampled: true, state: "vendor=1" },
      attributes: { "rpc.system": "mkt", "rpc.method": "order.submit" },
    });
  });

  test("has execution and commit as parts, which end before it", () => {
    const { tracer, trace, shown } = begun();
    const part = { kind: "internal" as const, parent: tracer.spans[0]!.context };
    expect(trace.executing(() => (expect(shown().at(-1)).toEqual(["execute", null, false]), 7))).toBe(7);
    trace.commitBegins();
    expect(shown()).toEqual([["order.submit", null, false], ["execute", null, true], ["commit", null, false]]);
    trace.commitEnds();
    expect(shown().at(-1)).toEqual(["commit", null, true]);
    expect(tracer.spans.slice(1).map(({ begun }) => begun)).toEqual([part, part]);
    trace.answered({ operationId: "op", status: "ok" });
    expect(shown()[0]).toEqual(["order.submit", null, true]);
  });

  test("ends its execution also if that throws, and a commit only if one began", () => {
    const { trace, shown } = begun();
    expect(() => trace.executing(() => expect.unreachable())).toThrow();
    trace.commitEnds();
    expect(shown()).toEqual([["order.submit", null, false], ["execute", null, true]]);
  });

  test.each(
    [
      ["a refusal by its code", { status: "rejected", code: "market_closed" }, "market_closed"],
      ["an error without a code by its status", { status: "error" }, "error"],
      ["success not", { status: "ok" }, null],
      ["an execution without a response not", null, null],
    ] as const,
  )("fails for %s", (_, answer, failure) => {
    const { trace, shown } = begun();
    trace.answered(answer && { operationId: "op", ...answer });
    expect(shown()).toEqual([["order.submit", failure, true]]);
  });

  test("is none if the request is not sampled", () => {
    const tracer = new RecordedTracer();
    const start = tracer.start.bind(tracer);
    const unsampled = Object.assign(tracer, {
      start: (...[name, options]: Parameters<typeof start>) =>
        Object.assign(start(name, options), { isRecording: false }),
    });
    expect(RequestTrace.begin(unsampled, "order.submit", fields)).toBeNull();
  });
});
