// What a handler gets of its request, and what it never gets.

import { expect, test } from "bun:test";
import { MAX_DEPTH } from "../../../../protocol/limits.ts";
import { ReceivedRequest } from "../../../../core/server/routes/route-request.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function received(body: Uint8Array) {
  const headers = {
    Authorization: "Bearer secret",
    Cookie: "mkt=secret",
    "X-Mkt-Request": "secret",
    "X-Other": "kept",
  };
  const request = new Request("http://desk:1/acme/a%20b?c=d", { method: "POST", headers, body: new Uint8Array(body) });
  return { request, got: new ReceivedRequest(request, { zone: "a b" }, body) };
}

test("it has address, parameters and headers, but no token and no cookie; the request itself keeps them", () => {
  const { request, got } = received(bytes(""));
  expect([got.url.pathname, got.url.search, got.parameters]).toEqual(["/acme/a%20b", "?c=d", { zone: "a b" }]);
  expect(["Authorization", "Cookie", "X-Mkt-Request", "X-Other"].map((name) => got.headers.get(name)))
    .toEqual([null, null, null, "kept"]);
  expect(request.headers.get("Authorization")).toBe("Bearer secret");
});

test("the body is there as it came, as text, and as JSON, as often as it is asked for", () => {
  const body = bytes('{"a":["Zoë"]}');
  const { got } = received(body);
  for (let time = 0; time < 2; time += 1) {
    expect([got.bytes(), got.text(), got.json()]).toEqual([body, '{"a":["Zoë"]}', { a: ["Zoë"] }]);
  }
  expect(received(bytes("null")).got.json()).toBeNull();
});

test("a text that is not UTF-8 is refused, and not read as bytes", () => {
  const { got } = received(Uint8Array.of(0xff, 0x41));
  expect(got.bytes()).toEqual(Uint8Array.of(0xff, 0x41));
  for (const read of [() => got.text(), () => got.json()]) {
    expect(read).toThrow(expect.objectContaining({ code: "invalid_input", message: "The request body is not UTF-8." }));
  }
});

test.each(["", "{", "undefined"])("%p is not JSON", (text) => {
  const refusal = { code: "invalid_input", message: "The request body is not JSON." };
  expect(() => received(bytes(text)).got.json()).toThrow(expect.objectContaining(refusal));
});

test("JSON may be as deep as messages are, and no deeper", () => {
  const nested = (depth: number) => bytes("[".repeat(depth) + "]".repeat(depth));
  expect(received(nested(MAX_DEPTH)).got.json()).toBeArray();
  expect(() => received(nested(MAX_DEPTH + 1)).got.json()).toThrow(`nested deeper than ${MAX_DEPTH} levels`);
});
