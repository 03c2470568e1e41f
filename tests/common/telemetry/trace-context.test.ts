import { describe, expect, test } from "bun:test";
import { parseTraceContext, traceFields } from "../../../common/telemetry/trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const VALID = `00-${TRACE}-${SPAN}-01`;

describe("a traceparent", () => {
  test("gives its ids, and whether its trace is recorded", () => {
    expect(parseTraceContext(VALID)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true, state: null });
    expect(parseTraceContext(`00-${TRACE}-${SPAN}-00`)?.isSampled).toBe(false);
    expect(parseTraceContext(`00-${TRACE}-${SPAN}-03`)?.isSampled).toBe(true);
  });

  test("of a later version may have more fields", () => {
    expect(parseTraceContext(`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`)?.spanId).toBe(SPAN);
    expect(parseTraceContext(`cc-${TRACE}-${SPAN}-01`)?.spanId).toBe(SPAN);
  });

  test.each([
    ["is no text", 7],
    ["is missing", undefined],
    ["is empty", ""],
    ["has the forbidden version", `ff-${TRACE}-${SPAN}-01`],
    ["has an id of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["has a parent of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["has upper-case digits", VALID.toUpperCase()],
    ["has other characters", `00-${TRACE.slice(1)}g-${SPAN}-01`],
    ["is too short", VALID.slice(0, -1)],
    ["has more fields than version 00", `${VALID}-00`],
    ["of a later version continues without a hyphen", `cc-${TRACE}-${SPAN}-01x`],
    ["comes twice", `${VALID}, ${VALID}`],
    ["has spaces around it", ` ${VALID}`],
  ])("that %s is ignored", (_name, traceparent) => {
    expect(parseTraceContext(traceparent, "a=1")).toBeNull();
  });
});

describe("a tracestate", () => {
  const stateOf = (state: unknown) => parseTraceContext(VALID, state)?.state;

  test("is passed on, without the spaces between its members", () => {
    expect(stateOf("rojo=00f067aa0ba902b7 , congo=t61rcWkgMzE")).toBe("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE");
    expect(stateOf("1tenant@system=a b,,")).toBe("1tenant@system=a b");
  });

  test.each([
    ["is no text", 1],
    ["is empty", " "],
    ["has no equals sign", "rojo"],
    ["has a key in upper case", "Rojo=1"],
    ["has a key twice", "a=1,a=2"],
    ["has more than 32 members", Array.from({ length: 33 }, (_, at) => `k${at}=1`).join(",")],
    ["is longer than 4096 characters", Array.from({ length: 20 }, (_, at) => `k${at}=${"v".repeat(250)}`).join(",")],
  ])("that %s is ignored, and the traceparent is not", (_name, state) => {
    expect(parseTraceContext(VALID, state)).toMatchObject({ spanId: SPAN, state: null });
  });
});

test("the fields of a context are read as the same context", () => {
  for (const [isSampled, state] of [[true, null], [true, "a=1,b=2"], [false, null], [false, "a=1,b=2"]] as const) {
    const context = { traceId: TRACE, spanId: SPAN, isSampled, state };
    const { traceparent, tracestate } = traceFields(context);
    expect(parseTraceContext(traceparent, tracestate)).toEqual(context);
  }
});
