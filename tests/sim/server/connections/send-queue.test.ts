import { describe, expect, test } from "bun:test";
import { NO_MESSAGES } from "../../../../sim/server/publication/visible-messages.ts";
import { SendQueues } from "../../../../sim/server/connections/send-queues.ts";
import { type FrameSocket, FULL_FRAME, SendQueue } from "../../../../sim/server/connections/send-queue.ts";

/** A socket whose buffer the test sets: a real one drops no frame on demand. */
class FakeSocket implements FrameSocket {
  readonly sent: string[] = [];
  buffered = 0;
  drops = false;
  /** Number of frames until the buffer is full. */
  space = Infinity;

  send(text: string): number {
    if (this.drops) return 0;
    this.sent.push(text);
    this.space -= 1;
    if (this.space === 0) this.buffered = 2 << 20;
    return text.length;
  }

  getBufferedAmount(): number {
    return this.buffered;
  }

  close(): void {}

  terminate(): void {}
}

function newQueue(limit = 1000, sendQueues = new SendQueues(Infinity)) {
  const socket = new FakeSocket();
  return { socket, queue: new SendQueue(socket, limit, sendQueues) };
}

/** Yields `frames`, then the live states since then, then the end. Adds each frame that is read to `made`. */
function* initialFrames(
  queue: SendQueue,
  made: string[],
  frames: readonly string[],
): Generator<string, undefined, undefined> {
  for (const frame of [...frames]) {
    made.push(frame);
    yield frame;
  }
  for (let states = queue.takeStates(); states !== null; states = queue.takeStates()) yield `[${states}]`;
  yield "end";
  return undefined;
}

describe("the send queue", () => {
  test("sends a full frame at once, and lets shorter messages wait for more", () => {
    const { socket, queue } = newQueue();
    const half = "x".repeat(FULL_FRAME / 2);
    queue.addLive({ ...NO_MESSAGES, events: half });
    queue.addLive({ ...NO_MESSAGES, events: half.slice(1) });
    expect([socket.sent, queue.length]).toEqual([[], FULL_FRAME - 1]);
    queue.addLive({ ...NO_MESSAGES, events: "y" });
    expect([socket.sent, queue.length]).toEqual([[`[${half},${half.slice(1)},y]`], 0]);
  });

  test("sends only while the socket's buffer holds less than 128 KiB", () => {
    const { socket, queue } = newQueue();
    queue.addLive({ ...NO_MESSAGES, events: "a" });
    socket.buffered = 128 << 10;
    queue.drain();
    expect(socket.sent).toEqual([]);
    socket.buffered -= 1;
    queue.drain();
    expect(socket.sent).toEqual(["[a]"]);
  });

  test("sends again, in order, what the socket dropped", () => {
    const { socket, queue } = newQueue();
    socket.drops = true;
    queue.addLive({ ...NO_MESSAGES, events: "a" });
    queue.drain();
    queue.addLive({ ...NO_MESSAGES, events: "b" });
    socket.drops = false;
    queue.drain();
    expect(socket.sent).toEqual(["[a,b]"]);
  });

  test("sends again an initial frame that the socket dropped", () => {
    const { socket, queue } = newQueue();
    socket.drops = true;
    queue.begin(initialFrames(queue, [], ["1", "2"]));
    queue.drain();
    socket.drops = false;
    queue.drain();
    expect(socket.sent).toEqual(["1", "2", "end"]);
  });

  test("joins waiting messages into frames of limited length", () => {
    const { socket, queue } = newQueue(1 << 20);
    const long = "x".repeat(40_000);
    for (const messages of ["1,2", "3", long, long, "4"]) queue.addLive({ ...NO_MESSAGES, events: messages });
    queue.drain();
    expect(socket.sent).toEqual([`[1,2,3,${long},${long}]`, "[4]"]);
  });

  test("makes initial frames only as the socket takes them", () => {
    const { socket, queue } = newQueue();
    const made: string[] = [];
    socket.space = 2;
    queue.begin(initialFrames(queue, made, ["1", "2", "3", "4"]));
    queue.drain();
    expect(made).toEqual(["1", "2"]);
    socket.buffered = 0;
    socket.space = 1;
    queue.drain();
    expect(made).toEqual(["1", "2", "3"]);
  });

  test("pauses after eight initial frames, so other connections get their turn", () => {
    const { socket, queue } = newQueue();
    const made: string[] = [];
    queue.begin(initialFrames(queue, made, Array.from({ length: 10 }, (_, at) => String(at))));
    queue.drain();
    expect([made.length, queue.isPaused]).toEqual([8, true]);
    queue.drain();
    expect([made.length, queue.isPaused, queue.isSendingInitialFrames]).toEqual([10, false, false]);
    expect(socket.sent.at(-1)).toBe("end");
  });

  test("sends live states before the end of the snapshot, and events after it, in order", () => {
    const { socket, queue } = newQueue();
    socket.space = 1;
    queue.begin(initialFrames(queue, [], ["1", "2"]));
    queue.drain();
    queue.addLive({ ...NO_MESSAGES, states: "state a", events: "event a" });
    queue.addLive({ ...NO_MESSAGES, states: "state b", events: "event b" });
    expect(queue.isSendingInitialFrames).toBe(true);
    socket.buffered = 0;
    socket.space = Infinity;
    queue.drain();
    queue.addLive({ ...NO_MESSAGES, states: "state c", events: "event c" });
    queue.drain();
    expect(socket.sent).toEqual(["1", "2", "[state a]", "[state b]", "end", "[event a,event b]", "[state c,event c]"]);
    expect(queue.length).toBe(0);
  });

  test("keeps states with their events after the snapshot has ended", () => {
    const { socket, queue } = newQueue();
    socket.space = 1;
    queue.begin(initialFrames(queue, [], []));
    queue.drain();
    expect(socket.sent).toEqual(["end"]);
    queue.addLive({ ...NO_MESSAGES, states: "state a", events: "event a" });
    socket.buffered = 0;
    socket.space = Infinity;
    queue.drain();
    expect(socket.sent).toEqual(["end", "[state a,event a]"]);
  });

  test("is too slow above its limit, which counts live states for the snapshot too", () => {
    const { socket, queue } = newQueue(10);
    socket.buffered = 2 << 20;
    queue.begin(initialFrames(queue, [], ["x".repeat(100)]));
    queue.drain();
    queue.addLive({ ...NO_MESSAGES, states: "12345", events: "67890" });
    expect(queue.isTooSlow).toBe(false);
    queue.addLive({ ...NO_MESSAGES, states: "1" });
    expect(queue.isTooSlow).toBe(true);
    socket.buffered = 0;
    queue.drain();
    expect([queue.isTooSlow, queue.length]).toEqual([false, 0]);
  });

  test("is too slow if it is the longest of all queues and they are above their common limit", () => {
    const sendQueues = new SendQueues(100);
    const [most, some, none] = Array.from({ length: 3 }, () => {
      const { socket, queue } = newQueue(1000, sendQueues);
      socket.buffered = 2 << 20;
      return queue;
    }) as [SendQueue, SendQueue, SendQueue];
    most.addLive({ ...NO_MESSAGES, events: "x".repeat(60) });
    some.addLive({ ...NO_MESSAGES, events: "x".repeat(40) });
    expect([most, some, none].map(({ isTooSlow }) => isTooSlow)).toEqual([false, false, false]);
    some.addLive({ ...NO_MESSAGES, events: "x" });
    expect([most, some, none].map(({ isTooSlow }) => isTooSlow)).toEqual([true, false, false]);
    most.close();
    expect(sendQueues.total).toBe(41);
    expect(some.isTooSlow).toBe(false);
  });
});
