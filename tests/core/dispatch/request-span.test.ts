// The names, attributes and ends of spans of requests.

import { describe, expect, test } from "bun:test";
import { endRequestSpan, endToolSpan, requestSpan, toolSpan } from "../../../core/dispatch/request-span.ts";
import { RecordedTracer } from "../../support/recorded-tracer.ts";

describe("the span of a request", () => {
  test.each(
    [
      ["resource", "mkt://order/{orderId}", "resources/read mkt://order/{orderId}", {
        "mcp.method.name": "resources/read",
        "mcp.resource.uri": "mkt://order/{orderId}",
      }],
      ["prompt", "mkt_look", "prompts/get mkt_look", {
        "mcp.method.name": "prompts/get",
        "gen_ai.prompt.name": "mkt_look",
      }],
      ["completion", "mkt_look", "completion/complete", { "mcp.method.name": "completion/complete" }],
      ["route", "GET /acme", "GET /acme", { "http.request.method": "GET", "http.route": "/acme" }],
    ] as const,
  )("for a %s has what is known of it, and belongs to the request around it", (kind, name, shown, attributes) => {
    const tracer = new RecordedTracer();
    const outer = tracer.start("outer", { kind: "server", parent: null });
    const span = tracer.within(outer, () => requestSpan(tracer, { kind, name }, undefined));
    requestSpan(tracer, { kind, name }, undefined);
    const [, inner, alone] = tracer.spans;
    expect([span as unknown, inner?.name, inner?.attributes]).toEqual([inner, shown, attributes]);
    expect([inner?.begun.kind, inner?.begun.parent]).toEqual(["internal", outer.context]);
    expect([alone?.begun.kind, alone?.begun.parent]).toEqual(["server", null]);
  });

  test("is none for a subscription, and has no name of a tool that is not offered", () => {
    const tracer = new RecordedTracer();
    expect(requestSpan(tracer, { kind: "subscription", name: "mkt://market" }, undefined)).toBeNull();
    toolSpan(tracer, "mkt_ping", undefined);
    toolSpan(tracer, null, undefined);
    const shared = { "mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool" };
    expect(tracer.spans.map(({ name, attributes }) => [name, attributes])).toEqual([
      ["tools/call mkt_ping", { ...shared, "gen_ai.tool.name": "mkt_ping" }],
      ["tools/call", shared],
    ]);
  });

  test("ends with its outcome, and failed unless that is a success or a question to the person", () => {
    const tracer = new RecordedTracer();
    const ends = [["ok", false], ["asked", true], ["asked", false], ["not_found", true], ["rejected", false]] as const;
    for (const [outcome, hasFailed] of ends) {
      endToolSpan(tracer.start("t", { kind: "server", parent: null }), outcome, { hasFailed });
    }
    for (const outcome of ["ok", "asked", "not_found"]) {
      endRequestSpan(tracer.start("r", { kind: "server", parent: null }), outcome);
    }
    expect(tracer.spans.map(({ attributes, failure, hasEnded }) => [attributes["mkt.outcome"], failure, hasEnded]))
      .toEqual([
        ["ok", null, true],
        ["asked", null, true],
        ["asked", null, true],
        ["not_found", "not_found", true],
        ["rejected", null, true],
        ["ok", null, true],
        ["asked", null, true],
        ["not_found", "not_found", true],
      ]);
  });
});
