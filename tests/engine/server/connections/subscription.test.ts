import { describe, expect, test } from "bun:test";
import { EngineFailure } from "../../../../engine/server/host/engine-failure.ts";
import type { EngineHost } from "../../../../engine/server/host/engine-host.ts";
import { SendQueue } from "../../../../engine/server/connections/send-queue.ts";
import { SendQueues } from "../../../../engine/server/connections/send-queues.ts";
import { Subscription } from "../../../../engine/server/connections/subscription.ts";
import type { Updates } from "../../../../engine/server/publication/updates.ts";
import { SteppedTimers } from "../host/stepped-timers.ts";
import { FakeSocket } from "./fake-socket.ts";

const FRAMES = Array.from({ length: 30 }, (_, at) => `frame ${at}`);

/** A connection that is sent its snapshot. `turns`: how many frames it was sent before each of its later turns. */
function connected(limit = Infinity) {
  const [socket, timers, turns] = [new FakeSocket(), new SteppedTimers(), [] as number[]];
  const [cuts, frames] = [[] as number[], [] as string[]];
  const bookState = (id: string) => id === "gone" ? null : { text: `book ${id}` };
  const host = { hasFailed: false, flush: () => void turns.push(socket.sent.length), bookState };
  const queue = new SendQueue(socket, limit, new SendQueues(Infinity));
  const published = { states: "", events: "", books: [] as string[] };
  const updates = {
    takeFrames: () => frames.splice(0),
    takeForSnapshot: () => ({ ...published, books: published.books.splice(0) }),
  };
  const subscription = new Subscription({
    host: host as unknown as EngineHost,
    user: { id: "anna", entityId: null, permissions: new Set() },
    cancelOnDisconnect: false,
    queue,
    updates: updates as unknown as Updates,
    timers,
    cutOff: () => void cuts.push(socket.sent.length),
  });
  queue.begin(FRAMES.values() as Iterator<string, undefined>);
  return { cuts, frames, host, queue, socket, subscription, timers, turns, published };
}

describe("a snapshot of more frames than are sent at once", () => {
  test("is sent whole to a socket that takes everything, eight frames a turn", () => {
    const { socket, subscription, timers, turns } = connected();
    subscription.send();
    expect(socket.sent).toEqual(FRAMES.slice(0, 8));
    timers.pass(0);
    expect([socket.sent, turns, timers.pending]).toEqual([FRAMES, [8, 16, 24], 0]);
  });

  test("has one next turn, however often the connection is sent something", () => {
    const { socket, subscription, timers } = connected();
    for (let times = 1; times <= 3; times++) {
      subscription.send();
      expect([socket.sent.length, timers.pending]).toEqual([8 * times, 1]);
    }
    timers.pass(0);
    expect([socket.sent, timers.pending]).toEqual([FRAMES, 0]);
  });

  test("goes on only when the socket has drained, if its buffer is full", () => {
    const { socket, subscription, timers, turns } = connected();
    socket.space = 12;
    subscription.send();
    timers.pass(0);
    expect([socket.sent.length, turns, timers.pending]).toEqual([12, [8], 0]);
    Object.assign(socket, { buffered: 0, space: Infinity });
    subscription.drained();
    timers.pass(0);
    expect([socket.sent, turns, timers.pending]).toEqual([FRAMES, [8, 12, 20, 28], 0]);
  });

  test("ends with its connection, and with an engine that has failed", () => {
    const closed = connected();
    closed.subscription.send();
    closed.subscription.close();
    closed.timers.pass(0);
    expect([closed.socket.sent.length, closed.timers.pending]).toEqual([8, 0]);

    const failed = connected();
    failed.subscription.send();
    failed.host.flush = () => {
      failed.host.hasFailed = true;
      throw new EngineFailure("the journal can't be written");
    };
    failed.timers.pass(0);
    failed.subscription.send();
    expect([failed.socket.sent.length, failed.timers.pending]).toEqual([8, 0]);
  });
});

test("a book that changes while the snapshot is read is sent again once, at its end, unless its contract is gone", () => {
  const { subscription, published } = connected();
  published.books = ["A", "gone", "B"];
  subscription.deliver();
  published.books = ["A"];
  subscription.deliver();
  expect(subscription.takeStates()).toBe("book A,book B");
  published.books = ["B"];
  subscription.deliver();
  expect([subscription.takeStates(), subscription.takeStates()]).toEqual(["book B", null]);
});

/** A connection whose snapshot was sent. */
function established(limit = Infinity) {
  const each = connected(limit);
  const { queue, subscription, timers, socket } = each;
  subscription.send();
  timers.pass(0);
  queue.completeSnapshot();
  socket.sent.length = 0;
  return each;
}

test("an answer comes after the updates before it, at once, and several at once in one frame", () => {
  const { frames, socket, subscription } = established();
  frames.push("[update 1]", "[update 2]");
  subscription.respond("answer 1");
  subscription.respond("answer 2");
  expect(socket.sent).toEqual([]);
  expect(subscription.deliver()).toBe(true);
  expect(socket.sent.splice(0)).toEqual(["[update 1]", "[update 2]", "[answer 1,answer 2]"]);
  expect([subscription.deliver(), socket.sent]).toEqual([true, []]);
  frames.push("[update 3]");
  subscription.reply({ kind: "pong", time: "now" } as never);
  expect(socket.sent).toEqual(["[update 3]", '[{"kind":"pong","time":"now"}]']);
});

test("a reply to a client that does not keep up cuts it off, once it waits for more than the limit", () => {
  const reply = { kind: "pong" } as never;
  const length = JSON.stringify([reply]).length;
  for (const [limit, cuts] of [[length, []], [length - 1, [0]]] as const) {
    const each = established(limit);
    each.socket.fill();
    each.subscription.reply(reply);
    expect([limit, each.cuts]).toEqual([limit, [...cuts]]);
    expect(each.subscription.deliver()).toBe(cuts.length === 0);
  }
});

test("a closed connection keeps up with everything, and takes nothing more", () => {
  const { cuts, frames, queue, socket, subscription } = established(0);
  socket.fill();
  frames.push("[update]");
  expect([subscription.isClosed, subscription.deliver(), queue.length]).toEqual([false, false, 8]);
  subscription.close();
  frames.push("[later]");
  subscription.reply({ kind: "pong" } as never);
  expect([subscription.isClosed, cuts, queue.length, frames]).toEqual([true, [], 0, ["[later]"]]);
});
