// What the connections of an engine hold together, and that each gives back its part.

import { describe, expect, test } from "bun:test";
import type { Connection } from "../../../../engine/server/connections/connection.ts";
import { OpenConnections } from "../../../../engine/server/connections/open-connections.ts";
import { SendQueue } from "../../../../engine/server/connections/send-queue.ts";
import { SendQueues } from "../../../../engine/server/connections/send-queues.ts";
import { type Subscriber, Subscribers } from "../../../../engine/server/publication/subscribers.ts";
import { FakeSocket } from "./fake-socket.ts";

describe("open connections", () => {
  const connection = (isAuthenticated: boolean) => ({ isAuthenticated }) as Connection;

  test("at the limit give way to another one as long as one has not said hello, the oldest first", () => {
    const open = new OpenConnections(3);
    const cutOff: number[] = [];
    const all = [false, true, false].map(connection);
    for (const [number, each] of all.entries()) {
      expect(open.admitsAnother()).toBe(true);
      open.add(each, () => void cutOff.push(number));
    }
    for (const [number, place] of [[0, 3], [2, 4]] as const) {
      expect([open.admitsAnother(), cutOff.at(-1)]).toEqual([true, number]);
      expect(open.size).toBe(2);
      open.add(connection(true), () => void cutOff.push(place));
    }
    expect([open.admitsAnother(), cutOff, open.size]).toEqual([false, [0, 2], 3]);
    open.delete(all[1]!);
    expect([open.admitsAnother(), open.size, open.all.length]).toEqual([true, 2, 2]);
  });
});

describe("the send queues of all connections", () => {
  /** Queues whose sockets take nothing at first. */
  function queues(limit: number, count: number) {
    const all = new SendQueues(limit);
    const each = Array.from({ length: count }, () => {
      const socket = new FakeSocket();
      socket.buffered = 1 << 20;
      return { socket, queue: new SendQueue(socket, Infinity, all) };
    });
    return { all, each };
  }

  test("count what waits in them, and nothing of one that was sent, read or closed", () => {
    const { all, each } = queues(100, 3);
    const [sent, closed, snapshot] = each.map(({ queue }) => queue);
    sent!.add("x".repeat(10));
    closed!.add("x".repeat(20));
    snapshot!.addStates("x".repeat(30));
    expect([all.total, sent!.length, closed!.length, snapshot!.length]).toEqual([60, 10, 20, 30]);
    each[0]!.socket.buffered = 0;
    sent!.drain();
    closed!.close();
    snapshot!.takeStates();
    expect([all.total, sent!.length, closed!.length, snapshot!.length]).toEqual([0, 0, 0, 0]);
  });

  test("above the limit the longest one is too slow, also after a longer one was closed", () => {
    const { all, each } = queues(100, 3);
    const [short, long, longest] = each.map(({ queue }) => queue);
    const tooSlow = () => each.map(({ queue }) => queue.isTooSlow);
    for (const [queue, length] of [[short!, 30], [long!, 60], [longest!, 70]] as const) queue.add("x".repeat(length));
    expect(tooSlow()).toEqual([false, false, true]);
    longest!.close();
    expect([all.total, ...tooSlow()]).toEqual([90, false, false, false]);
    short!.add("x".repeat(20));
    expect(tooSlow()).toEqual([false, true, false]);
  });
});

test("subscribers are counted by user, and each is removed once", () => {
  const subscribers = new Subscribers();
  const all = ["ann", "ann", "ann", "bob"].map((id) => ({ user: { id } }) as Subscriber);
  for (const each of all) subscribers.add(each);
  const counts =
    () => [subscribers.count, subscribers.countOf("ann"), subscribers.countOf("bob"), subscribers.countOf("x")];
  expect(counts()).toEqual([4, 3, 1, 0]);
  for (const expected of [[3, 2, 1, 0], [2, 1, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0]]) {
    const [next] = [...subscribers];
    expect([subscribers.remove(next!), subscribers.remove(next!)]).toEqual([true, false]);
    expect(counts()).toEqual(expected);
  }
});
