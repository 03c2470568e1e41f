import { afterEach, describe, expect, jest, test } from "bun:test";
import { Deadlines } from "../../../common/deadlines.ts";
import { refusalResponse } from "../../../common/http/refusal.ts";
import { RequestBodies, textOf } from "../../../common/http/request-bodies.ts";
import { Capacity } from "../../../core/guardrails/capacity.ts";
import { isSettled } from "../../support/still-clock.ts";

afterEach(() => void jest.useRealTimers());

/** Answers with the body. A body `wait` is answered after `goOn` is called. */
function app({ maxBytes = 10, maxTotalBytes = 1000, maxClientBytes = 1000, deadlineMs = 60_000 } = {}) {
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  let waiting = 0;
  const bodies = new RequestBodies({
    maxBytes,
    deadlines: new Deadlines(deadlineMs),
    setting: "MAX_BODY_SIZE",
    capacity: new Capacity(maxTotalBytes, () => maxClientBytes),
  });
  const answer = async (text: string) => {
    if (text.startsWith("wait")) {
      waiting++;
      await promise;
    }
    return new Response(text);
  };
  const post = async (body: BodyInit | null, headers: Record<string, string> = {}) => {
    const request = new Request("http://localhost/", { method: "POST", body, headers });
    const held = bodies.read(request, request.headers.get("X-Client") ?? "");
    try {
      const body = textOf(await held.body);
      return body.kind === "whole" ? await answer(body.text) : refusalResponse(bodies.refusal(body.kind));
    } finally {
      held.release();
    }
  };
  return { post, goOn, waiting: () => waiting };
}

function chunked(...chunks: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
}

async function refusal(response: Response) {
  const { error } = await response.json();
  const { status, headers } = response;
  return { status, code: error.code, connection: headers.get("Connection"), retryAfter: headers.get("Retry-After") };
}

const closed = { connection: "close", retryAfter: null };

const TOO_LARGE = { status: 413, code: "payload_too_large", ...closed };

describe("the size of a body", () => {
  test("may be the limit in bytes, by Content-Length and chunked, and not one more character", async () => {
    const { post } = app({ maxBytes: 10 });
    expect(await (await post("0123456789", { "Content-Length": "10" })).text()).toBe("0123456789");
    expect(await (await post(chunked("01234", "56789"))).text()).toBe("0123456789");
    expect(await (await post(null)).text()).toBe("");
    expect([(await post("ééééé")).status, (await post("éééééa")).status]).toEqual([200, 413]);
  });

  test("is 413 one byte above it by Content-Length, before anything is read", async () => {
    const never = new ReadableStream({ pull: () => new Promise(() => {}) });
    expect(await refusal(await app({ maxBytes: 10 }).post(never, { "Content-Length": "11" }))).toEqual(TOO_LARGE);
  });

  test.each([undefined, "3", "many"])(
    "is 413 one byte above it in a chunked body, if Content-Length is %p",
    async (text) => {
      const headers: Record<string, string> = text === undefined ? {} : { "Content-Length": text };
      expect(await refusal(await app({ maxBytes: 10 }).post(chunked("01234", "567890"), headers))).toEqual(TOO_LARGE);
    },
  );
});

describe("the content of a body", () => {
  test("is UTF-8, also if a chunk ends within a character", async () => {
    const { post } = app();
    const [first = 0, second = 0] = new TextEncoder().encode("é");
    expect(await (await post(chunked(new Uint8Array([first]), new Uint8Array([second])))).text()).toBe("é");
    expect(await refusal(await post(new Uint8Array([0x22, 0xff, 0x22]))))
      .toEqual({ status: 400, code: "invalid_body", ...closed });
  });

  test("that is cut off is 400", async () => {
    const { post } = app();
    const broken = new ReadableStream({ pull: () => Promise.reject(new Error("gone")) });
    expect(await refusal(await post(broken))).toEqual({ status: 400, code: "invalid_body", ...closed });
  });
});

test("a body that is not complete in time is 408, and one that is complete just before is read", async () => {
  jest.useFakeTimers();
  const { post } = app({ deadlineMs: 1000 });
  let push: (text: string | null) => void = () => {};
  const slow = () =>
    new ReadableStream({
      start: (controller) => {
        push = (text) => text === null ? controller.close() : controller.enqueue(new TextEncoder().encode(text));
      },
    });
  const late = post(slow());
  // Each part has been read before more time passes: the limit is that of the whole body.
  for (const [part, passed] of [["a", 499], ["b", 500]] as const) {
    push(part);
    expect(await isSettled(late)).toBe(false);
    jest.advanceTimersByTime(passed);
  }
  push("c");
  expect(await isSettled(late)).toBe(false);
  jest.advanceTimersByTime(1);
  expect(await isSettled(late)).toBe(true);
  const answer = await late;
  expect(await refusal(answer.clone() as Response)).toEqual({ status: 408, code: "request_timeout", ...closed });
  expect((await answer.json()).error.message).toBe("The request body was not complete within 1 seconds.");

  const inTime = post(slow());
  push("a");
  jest.advanceTimersByTime(999);
  push(null);
  expect(await (await inTime).text()).toBe("a");
  jest.advanceTimersByTime(1000);
  expect(jest.getTimerCount()).toBe(0);
});

test("a short body of known length has the same deadline, and reserves its capacity before it comes", async () => {
  jest.useFakeTimers();
  const capacity = new Capacity(10, () => 10);
  const bodies = new RequestBodies({ maxBytes: 10, deadlines: new Deadlines(1_000), setting: "X", capacity });
  const begin = (length: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const request = { headers: new Headers({ "Content-Length": String(length) }), bytes: () => promise } as never;
    return { resolve, reject, ...bodies.read(request, "a") };
  };
  const late = begin(6);
  expect(await begin(5).body).toEqual({ kind: "too_many" });
  jest.advanceTimersByTime(999);
  expect(await isSettled(late.body)).toBe(false);
  jest.advanceTimersByTime(1);
  expect(await late.body).toEqual({ kind: "too_slow" });
  late.release();
  const [whole, long, broken] = [begin(5), begin(3), begin(2)];
  whole.resolve(new Uint8Array(5));
  long.resolve(new Uint8Array(11));
  broken.reject(new Error("gone"));
  expect([(await whole.body).kind, (await long.body).kind, (await broken.body).kind])
    .toEqual(["whole", "too_large", "broken_off"]);
  for (const { release } of [whole, long, broken]) release();
  expect(capacity.take("b", 10)).toBe("taken");
  jest.advanceTimersByTime(1_000);
  expect(jest.getTimerCount()).toBe(0);
});

test("a client that announces more than 64 KiB reserves only what it sends", async () => {
  const held = app({ maxBytes: 70_000, maxTotalBytes: 70_000, maxClientBytes: 70_000 });
  const started = Promise.withResolvers<void>();
  const silent = new ReadableStream({ pull: () => (started.resolve(), new Promise<void>(() => {})) }, {
    highWaterMark: 0,
  });
  void held.post(silent, { "Content-Length": "65537" });
  await started.promise;
  expect((await held.post("x".repeat(60_000))).status).toBe(200);
});

test("a body that has come leaves no wait behind, whether it was short or a stream", async () => {
  class Counted extends Deadlines {
    waits = 0;
    override begin(expire: () => void) {
      this.waits += 1;
      return super.begin(expire);
    }
    override end(wait: Parameters<Deadlines["end"]>[0]) {
      this.waits -= 1;
      super.end(wait);
    }
  }
  const deadlines = new Counted(1_000);
  const bodies = new RequestBodies({ maxBytes: 10, deadlines, setting: "X" });
  for (const headers of [{ "Content-Length": "2" }, {}] as Record<string, string>[]) {
    const { body } = bodies.read(new Request("http://h/", { method: "POST", body: "ab", headers }));
    expect(deadlines.waits).toBe(1);
    expect([(await body).kind, deadlines.waits]).toEqual(["whole", 0]);
  }
});

test("a refused body is not read further", async () => {
  const { post } = app({ maxBytes: 4 });
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(3)),
    cancel: () => void (cancelled = true),
  });
  expect((await post(endless)).status).toBe(413);
  expect(cancelled).toBe(true);
});

describe("all bodies together", () => {
  const busy = { status: 503, code: "busy", connection: "close", retryAfter: "1" };

  async function untilWaiting({ waiting }: { waiting: () => number }, count: number) {
    while (waiting() < count) await Promise.resolve();
  }

  test("may reach their limit while they are processed; one byte more is 503, until capacity is released", async () => {
    const held = app({ maxTotalBytes: 10 });
    const working = held.post("wait12");
    await untilWaiting(held, 1);
    expect((await held.post("1234")).status).toBe(200);
    expect(await refusal(await held.post("12345"))).toEqual(busy);
    held.goOn();
    expect((await working).status).toBe(200);
    expect((await held.post("0123456789")).status).toBe(200);
  });

  test("of one client may reach its share, which leaves capacity for others", async () => {
    const held = app({ maxTotalBytes: 20, maxClientBytes: 8 });
    const [a, b] = ["a", "b"].map((client) => (body: string) => held.post(body, { "X-Client": client }));
    const working = a!("wait12");
    await untilWaiting(held, 1);
    expect(await refusal(await a!("123"))).toEqual(busy);
    expect([(await a!("12")).status, (await b!("123")).status]).toEqual([200, 200]);
    held.goOn();
    await working;
    expect((await a!("12345678")).status).toBe(200);
  });

  test("that are refused release their capacity, too", async () => {
    const { post } = app({ maxBytes: 10, maxTotalBytes: 10 });
    for (let count = 0; count < 5; count++) {
      expect((await post(chunked("01234", "567890"))).status).toBe(413);
      expect((await post(new Uint8Array([0xff]))).status).toBe(400);
      expect((await post(chunked("01", "23456"))).status).toBe(200);
    }
    expect((await post("0123456789")).status).toBe(200);
  });
});
