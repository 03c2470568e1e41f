import { describe, expect, test } from "bun:test";
import { Backlogs } from "../../../sim/server/backlogs.ts";
import { type FrameSocket, FULL_FRAME, Outbox } from "../../../sim/server/outbox.ts";

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

function outboxOn(socket: FakeSocket, limit = 1000, backlogs = new Backlogs(Infinity)): Outbox {
  return new Outbox(socket, limit, backlogs);
}

/** An opening of these frames, then the states that came meanwhile, then the end. `made` has what was asked for. */
function* opening(outbox: Outbox, made: string[], frames: readonly string[]): Generator<string, undefined, undefined> {
  for (const frame of [...frames]) {
    made.push(frame);
    yield frame;
  }
  for (let states = outbox.takeStates(); states !== null; states = outbox.takeStates()) yield `[${states}]`;
  yield "end";
  return undefined;
}

describe("the outbox", () => {
  test("sends by itself what fills a frame, and lets less wait for more", () => {
    const socket = new FakeSocket();
    const outbox = outboxOn(socket);
    const half = "x".repeat(FULL_FRAME / 2);
    outbox.addLive("", half);
    outbox.addLive("", half.slice(1));
    expect([socket.sent, outbox.length]).toEqual([[], FULL_FRAME - 1]);
    outbox.addLive("", "y");
    expect([socket.sent, outbox.length]).toEqual([[`[${half},${half.slice(1)},y]`], 0]);
  });

  test("sends while less than 128 KiB lie in the socket's own buffer, and not from there on", () => {
    const socket = new FakeSocket();
    const outbox = outboxOn(socket);
    outbox.addLive("", "a");
    socket.buffered = 128 << 10;
    outbox.drain();
    expect(socket.sent).toEqual([]);
    socket.buffered -= 1;
    outbox.drain();
    expect(socket.sent).toEqual(["[a]"]);
  });

  test("sends again, in order, what the socket has dropped", () => {
    const socket = new FakeSocket();
    const outbox = outboxOn(socket);
    socket.drops = true;
    outbox.addLive("", "a");
    outbox.drain();
    outbox.addLive("", "b");
    socket.drops = false;
    outbox.drain();
    expect(socket.sent).toEqual(["[a,b]"]);
  });

  test("sends again a frame of the opening that the socket has dropped", () => {
    const socket = new FakeSocket();
    const outbox = outboxOn(socket);
    socket.drops = true;
    outbox.open(opening(outbox, [], ["1", "2"]));
    outbox.drain();
    socket.drops = false;
    outbox.drain();
    expect(socket.sent).toEqual(["1", "2", "end"]);
  });

  test("puts messages that wait together into frames of a limited length", () => {
    const socket = new FakeSocket();
    const outbox = outboxOn(socket, 1 << 20);
    const long = "x".repeat(40_000);
    for (const messages of ["1,2", "3", long, long, "4"]) outbox.addLive("", messages);
    outbox.drain();
    expect(socket.sent).toEqual([`[1,2,3,${long},${long}]`, "[4]"]);
  });

  test("makes the frames of its opening as the socket takes them, and no further", () => {
    const socket = new FakeSocket();
    const outbox = outboxOn(socket);
    const made: string[] = [];
    socket.room = 2;
    outbox.open(opening(outbox, made, ["1", "2", "3", "4"]));
    outbox.drain();
    expect(made).toEqual(["1", "2"]);
    socket.buffered = 0;
    socket.room = 1;
    outbox.drain();
    expect(made).toEqual(["1", "2", "3"]);
  });

  test("makes some frames of its opening at a time, so that others get their turn", () => {
    const socket = new FakeSocket();
    const outbox = outboxOn(socket);
    const made: string[] = [];
    outbox.open(opening(outbox, made, Array.from({ length: 10 }, (_, at) => String(at))));
    outbox.drain();
    expect([made.length, outbox.isPaused]).toEqual([8, true]);
    outbox.drain();
    expect([made.length, outbox.isPaused, outbox.isOpening]).toEqual([10, false, false]);
    expect(socket.sent.at(-1)).toBe("end");
  });

  test("sends states that came during the snapshot before its end, and everything else after it, in order", () => {
    const socket = new FakeSocket();
    const outbox = outboxOn(socket);
    socket.room = 1;
    outbox.open(opening(outbox, [], ["1", "2"]));
    outbox.drain();
    outbox.addLive("state a", "event a");
    outbox.addLive("state b", "event b");
    expect(outbox.isOpening).toBe(true);
    socket.buffered = 0;
    socket.room = Infinity;
    outbox.drain();
    outbox.addLive("state c", "event c");
    outbox.drain();
    expect(socket.sent).toEqual(["1", "2", "[state a]", "[state b]", "end", "[event a,event b]", "[state c,event c]"]);
    expect(outbox.length).toBe(0);
  });

  test("keeps states with their events if they come after the snapshot's end, before the opening has ended", () => {
    const socket = new FakeSocket();
    const outbox = outboxOn(socket);
    socket.room = 1;
    outbox.open(opening(outbox, [], []));
    outbox.drain();
    expect(socket.sent).toEqual(["end"]);
    outbox.addLive("state a", "event a");
    socket.buffered = 0;
    socket.room = Infinity;
    outbox.drain();
    expect(socket.sent).toEqual(["end", "[state a,event a]"]);
  });

  test("is too slow beyond its limit, states for a snapshot that is being sent included", () => {
    const socket = new FakeSocket();
    const outbox = outboxOn(socket, 10);
    socket.buffered = 2 << 20;
    outbox.open(opening(outbox, [], ["x".repeat(100)]));
    outbox.drain();
    outbox.addLive("12345", "67890");
    expect(outbox.tooSlow).toBe(false);
    outbox.addLive("1", "");
    expect(outbox.tooSlow).toBe(true);
    socket.buffered = 0;
    outbox.drain();
    expect([outbox.tooSlow, outbox.length]).toEqual([false, 0]);
    socket.sent.length = 0;
    outbox.end("bye", 1008, "too_slow");
    expect(socket.sent).toEqual(["bye", "closed"]);
  });

  test("of all that are behind the one with the most is too slow, if together they are beyond the limit of all", () => {
    const backlogs = new Backlogs(100);
    const [most, some, none] = Array.from({ length: 3 }, () => {
      const socket = new FakeSocket();
      socket.buffered = 2 << 20;
      return outboxOn(socket, 1000, backlogs);
    }) as [Outbox, Outbox, Outbox];
    most.addLive("", "x".repeat(60));
    some.addLive("", "x".repeat(40));
    expect([most, some, none].map(({ tooSlow }) => tooSlow)).toEqual([false, false, false]);
    some.addLive("", "x");
    expect([most, some, none].map(({ tooSlow }) => tooSlow)).toEqual([true, false, false]);
    most.end("bye", 1008, "too_slow");
    expect(backlogs.total).toBe(41);
    expect(some.tooSlow).toBe(false);
  });
});
