import { describe, expect, test } from "bun:test";
import { RefreshQueue } from "../../web/dashboard/live/refresh-queue.ts";

function queueOf(...ids: string[]): RefreshQueue {
  const queue = new RefreshQueue({ changedMs: 2, unchangedMs: 10 });
  queue.want(ids);
  return queue;
}

describe("RefreshQueue", () => {
  test("gives each item once, in order, a few at a time", () => {
    const queue = queueOf("a", "b", "c");
    expect([queue.take(2, 0), queue.take(2, 0), queue.take(2, 0)]).toEqual([["a", "b"], ["c"], []]);
  });

  test("gives unread items before changed ones, and those in the order of their change", () => {
    const queue = queueOf("a", "b", "c");
    queue.take(2, 0);
    for (const id of ["b", "a", "b"]) queue.changed(id);
    expect(queue.take(9, 2)).toEqual(["c", "b", "a"]);
    expect(queue.take(9, 4)).toEqual([]);
  });

  test("keeps a changed item whose pause is not over", () => {
    const queue = queueOf("a", "b");
    queue.take(1, 0);
    queue.take(1, 1);
    queue.changed("b");
    queue.changed("a");
    expect(queue.take(2, 2)).toEqual(["a"]);
    expect(queue.take(2, 3)).toEqual(["b"]);
  });

  test("gives unchanged items again after a long time, after those that have changed, the longest ago first", () => {
    const queue = queueOf("a", "b", "c");
    queue.take(1, 0);
    queue.take(2, 1);
    expect(queue.take(9, 9)).toEqual([]);
    queue.changed("c");
    expect(queue.take(9, 11)).toEqual(["c", "a", "b"]);
    expect(queue.take(9, 20)).toEqual([]);
  });

  test("ignores a change of what was not read or is not wanted", () => {
    const queue = queueOf("a");
    for (const id of ["a", "x"]) queue.changed(id);
    expect([queue.take(9, 0), queue.take(9, 5)]).toEqual([["a"], []]);
  });

  test("forgets what is no longer wanted, and reads it anew if it comes back", () => {
    const unread = queueOf("c", "d");
    unread.want(["d"]);
    expect(unread.take(9, 0)).toEqual(["d"]);
    const queue = queueOf("a", "b");
    queue.take(2, 0);
    queue.changed("a");
    queue.want(["b"]);
    expect(queue.take(9, 5)).toEqual([]);
    queue.want(["a", "b"]);
    expect(queue.take(9, 5)).toEqual(["a"]);
  });
});
