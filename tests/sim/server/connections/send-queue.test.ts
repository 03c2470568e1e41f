import { describe, expect, test } from "bun:test";
import { SendQueues } from "../../../../sim/server/connections/send-queues.ts";
import { type FrameSocket, FULL_FRAME, SendQueue } from "../../../../sim/server/connections/send-queue.ts";

/** A socket whose buffer is what the test says; the real one can't be made to drop a frame at will. */
class FakeSocket implements FrameSocket {
  readonly sent: string[] = [];
  buffered = 0;
  drops = false;
  /** Frames that it takes until its buffer is full. */
  room = Infinity;

  send(text: string): number {
    if (this.drops) return 0;
    this.sent.push(text);
    this.room -= 1;
    if (this.room === 0) this.buffered = 2 << 20;
    return text.length;
  }

  getBufferedAmount(): number {
    return this.buffered;
  }

  close(): void {
    this.sent.push("closed");
  }

  terminate(): void {
    this.sent.push("terminated");
  }
}

function queueOn(socket: FakeSocket, limit = 1000, sendQueues = new SendQueues(Infinity)): SendQueue {
  return new SendQueue(socket, limit, sendQueues);
}

/** An opening of these frames, then the states that came meanwhile, then the end. `made` has what was asked for. */
function* opening(
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

describe("the queue", () => {
  test("sends by itself what fills a frame, and lets less wait for more", () => {
    const socket = new FakeSocket();
    const queue = queueOn(socket);
    const half = "x".repeat(FULL_FRAME / 2);
    queue.addLive("", half);
    queue.addLive("", half.slice(1));
    expect([socket.sent, queue.length]).toEqual([[], FULL_FRAME - 1]);
    queue.addLive("", "y");
    expect([socket.sent, queue.length]).toEqual([[`[${half},${half.slice(1)},y]`], 0]);
  });

  test("sends while less than 128 KiB lie in the socket's own buffer, and not from there on", () => {
    const socket = new FakeSocket();
    const queue = queueOn(socket);
    queue.addLive("", "a");
    socket.buffered = 128 << 10;
    queue.drain();
    expect(socket.sent).toEqual([]);
    socket.buffered -= 1;
    queue.drain();
    expect(socket.sent).toEqual(["[a]"]);
  });

  test("sends again, in order, what the socket has dropped", () => {
    const socket = new FakeSocket();
    const queue = queueOn(socket);
    socket.drops = true;
    queue.addLive("", "a");
    queue.drain();
    queue.addLive("", "b");
    socket.drops = false;
    queue.drain();
    expect(socket.sent).toEqual(["[a,b]"]);
  });

  test("sends again a frame of the opening that the socket has dropped", () => {
    const socket = new FakeSocket();
    const queue = queueOn(socket);
    socket.drops = true;
    queue.open(opening(queue, [], ["1", "2"]));
    queue.drain();
    socket.drops = false;
    queue.drain();
    expect(socket.sent).toEqual(["1", "2", "end"]);
  });

  test("puts messages that wait together into frames of a limited length", () => {
    const socket = new FakeSocket();
    const queue = queueOn(socket, 1 << 20);
    const long = "x".repeat(40_000);
    for (const messages of ["1,2", "3", long, long, "4"]) queue.addLive("", messages);
    queue.drain();
    expect(socket.sent).toEqual([`[1,2,3,${long},${long}]`, "[4]"]);
  });

  test("makes the frames of its opening as the socket takes them, and no further", () => {
    const socket = new FakeSocket();
    const queue = queueOn(socket);
    const made: string[] = [];
    socket.room = 2;
    queue.open(opening(queue, made, ["1", "2", "3", "4"]));
    queue.drain();
    expect(made).toEqual(["1", "2"]);
    socket.buffered = 0;
    socket.room = 1;
    queue.drain();
    expect(made).toEqual(["1", "2", "3"]);
  });

  test("makes some frames of its opening at a time, so that others get their turn", () => {
    const socket = new FakeSocket();
    const queue = queueOn(socket);
    const made: string[] = [];
    queue.open(opening(queue, made, Array.from({ length: 10 }, (_, at) => String(at))));
    queue.drain();
    expect([made.length, queue.isPaused]).toEqual([8, true]);
    queue.drain();
    expect([made.length, queue.isPaused, queue.isOpening]).toEqual([10, false, false]);
    expect(socket.sent.at(-1)).toBe("end");
  });

  test("sends states that came during the snapshot before its end, and everything else after it, in order", () => {
    const socket = new FakeSocket();
    const queue = queueOn(socket);
    socket.room = 1;
    queue.open(opening(queue, [], ["1", "2"]));
    queue.drain();
    queue.addLive("state a", "event a");
    queue.addLive("state b", "event b");
    expect(queue.isOpening).toBe(true);
    socket.buffered = 0;
    socket.room = Infinity;
    queue.drain();
    queue.addLive("state c", "event c");
    queue.drain();
    expect(socket.sent).toEqual(["1", "2", "[state a]", "[state b]", "end", "[event a,event b]", "[state c,event c]"]);
    expect(queue.length).toBe(0);
  });

  test("keeps states with their events if they come after the snapshot's end, before the opening has ended", () => {
    const socket = new FakeSocket();
    const queue = queueOn(socket);
    socket.room = 1;
    queue.open(opening(queue, [], []));
    queue.drain();
    expect(socket.sent).toEqual(["end"]);
    queue.addLive("state a", "event a");
    socket.buffered = 0;
    socket.room = Infinity;
    queue.drain();
    expect(socket.sent).toEqual(["end", "[state a,event a]"]);
  });

  test("is too slow beyond its limit, states for a snapshot that is being sent included", () => {
    const socket = new FakeSocket();
    const queue = queueOn(socket, 10);
    socket.buffered = 2 << 20;
    queue.open(opening(queue, [], ["x".repeat(100)]));
    queue.drain();
    queue.addLive("12345", "67890");
    expect(queue.tooSlow).toBe(false);
    queue.addLive("1", "");
    expect(queue.tooSlow).toBe(true);
    socket.buffered = 0;
    queue.drain();
    expect([queue.tooSlow, queue.length]).toEqual([false, 0]);
    socket.sent.length = 0;
    queue.end("bye", 1008, "too_slow");
    expect(socket.sent).toEqual(["bye", "closed"]);
  });

  test("of all that are behind the one with the most is too slow, if together they are beyond the limit of all", () => {
    const sendQueues = new SendQueues(100);
    const [most, some, none] = Array.from({ length: 3 }, () => {
      const socket = new FakeSocket();
      socket.buffered = 2 << 20;
      return queueOn(socket, 1000, sendQueues);
    }) as [SendQueue, SendQueue, SendQueue];
    most.addLive("", "x".repeat(60));
    some.addLive("", "x".repeat(40));
    expect([most, some, none].map(({ tooSlow }) => tooSlow)).toEqual([false, false, false]);
    some.addLive("", "x");
    expect([most, some, none].map(({ tooSlow }) => tooSlow)).toEqual([true, false, false]);
    most.end("bye", 1008, "too_slow");
    expect(sendQueues.total).toBe(41);
    expect(some.tooSlow).toBe(false);
  });
});
