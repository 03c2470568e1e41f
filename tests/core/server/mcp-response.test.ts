// The headers of answers to POST /mcp, and which answers come in parts.

import { describe, expect, test } from "bun:test";
import { isStillSent, refusalForStrangers, responseTo } from "../../../core/server/mcp-response.ts";

const EMPTY = () => new ReadableStream<Uint8Array>({ start: (stream) => stream.close() });
const typed = (type: string | null) => new Response("", { headers: type === null ? {} : { "Content-Type": type } });

test("an answer comes in parts if it is a stream, past the SDK or from it", () => {
  expect(isStillSent({ type: "json", body: "{}" })).toBe(false);
  expect(isStillSent({ type: "stream", body: EMPTY() } as never)).toBe(true);
  expect(["application/json", "application/json; charset=utf-8", "text/event-stream"].map(typed).map(isStillSent))
    .toEqual(
      [false, false, true],
    );
});

describe("the headers of an answer", () => {
  const headersOf = async (answer: Parameters<typeof responseTo>[1], origin?: string) => {
    const request = new Request("http://localhost/mcp", { headers: origin === undefined ? {} : { Origin: origin } });
    const response = responseTo(request, answer);
    await response.text();
    return [response.status, response.headers] as const;
  };
  const origin = "http://localhost:5173";

  test.each([undefined, origin])("are those of its kind and of every answer, from the origin %p", async (from) => {
    const [, json] = await headersOf({ type: "json", body: "{}" }, from);
    const [, stream] = await headersOf({ type: "stream", body: EMPTY() } as never, from);
    const [, sdk] = await headersOf(new Response("{}", { status: 202 }), from);
    const [status, refused] = await headersOf({ status: 400, message: "No." } as never, from);
    expect([json.get("Content-Type"), json.get("X-Accel-Buffering")]).toEqual(["application/json", null]);
    expect(["Content-Type", "Cache-Control", "X-Accel-Buffering"].map((name) => stream.get(name))).toEqual(
      ["text/event-stream", "no-cache, no-transform", "no"],
    );
    expect(status).toBe(400);
    for (const headers of [json, stream, sdk, refused]) {
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Access-Control-Allow-Origin")).toBe(from ?? null);
    }
  });

  test("of a refusal for strangers let no page of another origin read it", () => {
    const { status, headers } = refusalForStrangers({ status: 403, message: "No." } as never);
    expect([status, headers.get("X-Content-Type-Options"), headers.get("Access-Control-Allow-Origin")]).toEqual(
      [403, "nosniff", null],
    );
  });
});
