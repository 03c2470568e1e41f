import { describe, expect, test } from "bun:test";
import { RefreshQueue } from "../../web/dashboard/live/refresh-queue.ts";

function queueOf(...ids: string[]): RefreshQueue {
  const queue = new RefreshQueue();
  queue.want(ids);
  return queue;
}

describe("RefreshQueue", () => {
  test("gives each item once, in order, a few at a time", () => {
    const queue = queueOf("a", "b", "c");
    expect([queue.take(2), queue.take(2), queue.take(2)]).toEqual([["a", "b"], ["c"], []]);
  });

  test("gives unread items before changed ones, and those in the order of their change", () => {
    const queue = queueOf("a", "b", "c");
    queue.take(2);
    for (const id of ["b", "a", "b"]) queue.changed(id);
    expect(queue.take(9)).toEqual(["c", "b", "a"]);
    expect(queue.take(9)).toEqual([]);
  });

  test("keeps a changed item that is not due", () => {
    const queue = queueOf("a", "b");
    queue.take(2);
    queue.changed("a");
    queue.changed("b");
    expect(queue.take(2, (id) => id === "b")).toEqual(["b"]);
    expect(queue.take(2)).toEqual(["a"]);
  });

  test("ignores a change of what was not read or is not wanted", () => {
    const queue = queueOf("a");
    queue.changed("a");
    queue.changed("x");
    expect([queue.take(9), queue.take(9)]).toEqual([["a"], []]);
  });

  test("forgets what is no longer wanted, and reads it anew if it comes back", () => {
    const queue = queueOf("a", "b");
    queue.take(2);
    queue.changed("a");
    queue.want(["b"]);
    expect(queue.take(9)).toEqual([]);
    queue.want(["a", "b"]);
    expect(queue.take(9)).toEqual(["a"]);
  });
});
