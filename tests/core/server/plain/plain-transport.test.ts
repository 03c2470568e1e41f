// The forms of an answer to a plain message, and an answer that takes long.

import { afterEach, expect, jest, test } from "bun:test";
import type { PlainMessage } from "../../../../core/messages/plain-message.ts";
import { type PlainBody, PlainTransport } from "../../../../core/server/plain/plain-transport.ts";

afterEach(() => {
  jest.useRealTimers();
});

function transport(message: Partial<PlainMessage> = {}, accept = "application/json, text/event-stream") {
  const request = new Request("http://localhost/mcp", { method: "POST", headers: { Accept: accept } });
  const exchange = { caller: null, client: "address 127.0.0.1", isAccepted: () => true, freeSlot: () => {} };
  return new PlainTransport(request, exchange, { era: "legacy", id: 7, method: "ping", ...message } as PlainMessage);
}

/** An answer that takes long: the clock has gone on by 250 ms. */
function slow(link = transport()) {
  jest.useFakeTimers();
  const running = Promise.withResolvers<PlainBody>();
  const written = link.written(running.promise);
  const timers = jest.getTimerCount();
  jest.advanceTimersByTime(250);
  return { running, written, timers, answer: () => running.resolve(link.write("{}")) };
}

const RESPONSE = '{"result":{},"jsonrpc":"2.0","id":7}';
const EVENT = `event: message\ndata: ${RESPONSE}\n\n`;

test("an answer is a stream only for a client of an older protocol that reads streams", () => {
  expect(transport().write("{}")).toEqual({ type: "stream", body: EVENT });
  expect(transport({}, "application/json").write("{}")).toEqual({ type: "json", body: RESPONSE });
  expect(transport({ era: "modern" }).write("{}")).toEqual({ type: "json", body: RESPONSE });
});

test("the id is JSON text, whatever characters it has", () => {
  expect(transport({ id: 'a"\n' }, "").write("{}").body).toBe('{"result":{},"jsonrpc":"2.0","id":"a\\"\\n"}');
});

test("an answer that comes soon is sent whole", async () => {
  const link = transport();
  expect(await link.written(Promise.resolve(link.write("{}")))).toEqual({ type: "stream", body: EVENT });
});

test("an answer that takes long begins as a stream, with a comment every 15 seconds until it comes", async () => {
  const { written, answer } = slow();
  const { type, body } = await written;
  expect(type).toBe("stream");
  jest.advanceTimersByTime(30_000);
  answer();
  expect(await new Response(body).text()).toBe(`: keepalive\n\n: keepalive\n\n${EVENT}`);
  expect(jest.getTimerCount()).toBe(0);
});

test("a client that leaves a stream ends its comments, and the answer goes nowhere", async () => {
  const { running, written, answer } = slow();
  const { body } = await written;
  await (body as ReadableStream).cancel();
  expect(jest.getTimerCount()).toBe(0);
  answer();
  await running.promise;
});

test("a client that reads JSON waits for the whole answer", async () => {
  const { written, timers, answer } = slow(transport({}, "application/json"));
  expect(timers).toBe(0);
  answer();
  expect(await written).toEqual({ type: "json", body: RESPONSE });
});
