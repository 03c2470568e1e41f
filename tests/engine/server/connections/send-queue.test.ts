import { describe, expect, test } from "bun:test";
import { SendQueues } from "../../../../engine/server/connections/send-queues.ts";
import { SendQueue } from "../../../../engine/server/connections/send-queue.ts";
import { FakeSocket } from "./fake-socket.ts";

function newQueue(limit = 1000) {
  const socket = new FakeSocket();
  return { socket, queue: new SendQueue(socket, limit, new SendQueues(Infinity)) };
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
  queue.completeSnapshot();
  yield "end";
  return undefined;
}

describe("the send queue", () => {
  test("sends a frame at once if nothing waits before it", () => {
    const { socket, queue } = newQueue();
    queue.add("a");
    expect([socket.sent, queue.length]).toEqual([["a"], 0]);
    socket.buffered = 128 << 10;
    queue.add("b");
    socket.buffered = 0;
    queue.add("c");
    expect([socket.sent, queue.length]).toEqual([["a"], 2]);
    queue.drainLive();
    expect([socket.sent, queue.length]).toEqual([["a", "b", "c"], 0]);
  });

  test("sends only while the socket's buffer holds less than 128 KiB", () => {
    const { socket, queue } = newQueue();
    socket.buffered = 128 << 10;
    queue.add("a");
    queue.drain();
    expect(socket.sent).toEqual([]);
    socket.buffered -= 1;
    queue.drain();
    expect(socket.sent).toEqual(["a"]);
  });

  test("sends again, in order, what the socket dropped, initial frames too", () => {
    const { socket, queue } = newQueue();
    socket.drops = true;
    queue.add("a");
    queue.drain();
    queue.add("b");
    socket.drops = false;
    queue.drain();
    expect(socket.sent.splice(0)).toEqual(["a", "b"]);
    socket.drops = true;
    queue.begin(initialFrames(queue, [], ["1", "2"]));
    queue.drain();
    socket.drops = false;
    queue.drain();
    expect(socket.sent).toEqual(["1", "2", "end"]);
  });

  test("loses and repeats no frame, however many wait and however few the socket takes at once", () => {
    const { socket, queue } = newQueue(Infinity);
    const frames = Array.from({ length: 5_000 }, (_, at) => `frame ${at}`);
    socket.buffered = 128 << 10;
    for (const frame of frames) queue.add(frame);
    for (let rounds = 0; queue.length > 0 && rounds < frames.length; rounds++) {
      Object.assign(socket, { buffered: 0, space: 300 });
      queue.drainLive();
    }
    expect(socket.sent).toEqual(frames);
  });

  test("makes initial frames only as the socket takes them", () => {
    const { socket, queue } = newQueue();
    const made: string[] = [];
    queue.begin(initialFrames(queue, made, ["1", "2", "3", "4"]));
    for (const [space, expected] of [[2, ["1", "2"]], [1, ["1", "2", "3"]]] as const) {
      Object.assign(socket, { buffered: 0, space });
      queue.drain();
      expect(made).toEqual([...expected]);
    }
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
    for (const name of ["a", "b"]) {
      queue.addStates(`state ${name}`);
      queue.add(`[event ${name}]`);
    }
    expect([queue.isSendingInitialFrames, queue.isSnapshotComplete]).toEqual([true, false]);
    socket.buffered = 0;
    socket.space = Infinity;
    queue.drain();
    queue.add("[state c,event c]");
    const live = ["[event a]", "[event b]", "[state c,event c]"];
    expect(socket.sent).toEqual(["1", "2", "[state a]", "[state b]", "end", ...live]);
    expect(queue.length).toBe(0);
  });

  test("is complete once the end of the snapshot is made, even if the socket has not taken all of it", () => {
    const { socket, queue } = newQueue();
    socket.space = 1;
    queue.begin(initialFrames(queue, [], []));
    queue.drain();
    expect([socket.sent, queue.isSnapshotComplete, queue.isSendingInitialFrames]).toEqual([["end"], true, true]);
    queue.add("[state a,event a]");
    queue.drainLive();
    expect(socket.sent).toEqual(["end"]);
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
    queue.addStates("12345");
    queue.add("67890");
    expect(queue.isTooSlow).toBe(false);
    queue.addStates("1");
    expect(queue.isTooSlow).toBe(true);
    socket.buffered = 0;
    queue.drain();
    expect([queue.isTooSlow, queue.length]).toEqual([false, 0]);
  });
});
