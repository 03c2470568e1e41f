import { expect, test } from "bun:test";
import { eventStream, type ServerSentEvent } from "../../../core/routes/event-stream.ts";
import { until } from "../../support/until.ts";

async function* sourceOf(events: readonly ServerSentEvent[]) {
  for (const event of events) yield await Promise.resolve(event);
}

test("events are sent with their fields, and their data as JSON in one line with text escaped", async () => {
  const response = eventStream(
    sourceOf([{ data: { a: 1 } }, { event: "book", id: "7", data: { note: "x\u202ey\nz" } }]),
  );
  expect(response.headers.get("Content-Type")).toBe("text/event-stream");
  expect(await response.text()).toBe(
    'data: {"a":1}\n\n' + 'event: book\nid: 7\ndata: {"note":"x\\\\u202ey\\\\nz"}\n\n',
  );
});

test("a field with a line break fails the stream, and the source ends", async () => {
  let hasEnded = false;
  async function* events() {
    try {
      yield* sourceOf([{ event: "a\ndata: forged", data: {} }]);
    } finally {
      hasEnded = true;
    }
  }
  const response = eventStream(events());
  await expect(response.text()).rejects.toThrow("the event of a server-sent event has a line break");
  expect(hasEnded).toBe(true);
});

test("the next event is only asked for once the client reads on, and the source ends with the client", async () => {
  let asked = 0;
  let hasEnded = false;
  async function* events() {
    try {
      for (;;) yield await Promise.resolve({ data: { asked: ++asked } });
    } finally {
      hasEnded = true;
    }
  }
  const reader = eventStream(events()).body!.getReader();
  expect(asked).toBe(0);
  await reader.read();
  await reader.read();
  expect(asked).toBe(2);
  await reader.cancel();
  await until(() => hasEnded);
  expect(asked).toBe(2);
});
