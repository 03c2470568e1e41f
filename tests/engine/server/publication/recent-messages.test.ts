// The published messages that not everyone has taken, and the place of each connection among them.

import { describe, expect, test } from "bun:test";
import { EVERYONE, PublishedEvent } from "../../../../engine/api/messages.ts";
import { RecentMessages } from "../../../../engine/server/publication/recent-messages.ts";
import { Updates } from "../../../../engine/server/publication/updates.ts";
import type { VisibilityClass } from "../../../../engine/server/publication/visibility-class.ts";

const execution = (...lengths: number[]) =>
  lengths.map((length, at) => new PublishedEvent(at, EVERYONE, { text: "x".repeat(length) }));

describe("recent messages", () => {
  test("are counted by execution and by character, and positions go on after all were forgotten", () => {
    const recent = new RecentMessages();
    const facts = () => [recent.end, recent.isEmpty, recent.length];
    expect(facts()).toEqual([0, true, 0]);
    recent.add([]);
    expect(facts()).toEqual([0, true, 0]);
    const [first, second, third] = [execution(3, 4), execution(5), execution(6)];
    recent.add(first);
    recent.add(second);
    expect(facts()).toEqual([2, false, 12]);
    expect([0, 1, 2].map((position) => recent.since(position))).toEqual([[first, second], [second], []]);
    recent.clear();
    expect(facts()).toEqual([2, true, 0]);
    expect(recent.since(2)).toEqual([]);
    recent.add(third);
    expect(facts()).toEqual([3, false, 6]);
    expect([2, 3].map((position) => recent.since(position))).toEqual([[third], []]);
    recent.clear();
    recent.clear();
    expect(facts()).toEqual([3, true, 0]);
  });
});

describe("the updates of a connection", () => {
  test("begin after everything that was published, and are taken once, as frames or for a snapshot", () => {
    const recent = new RecentMessages();
    const group = {
      framesSince: (position: number) => [`frames since ${position}`],
      messagesSince: (position: number) => recent.since(position).flat(),
    } as unknown as VisibilityClass;
    const event = (id: string) => {
      const text = JSON.stringify({ type: "halt.market", data: { id } });
      recent.add([new PublishedEvent(0, EVERYONE, { text })]);
      return text;
    };
    event("before");
    const updates = new Updates(recent, group);
    const another = event("another");
    expect(updates.takeForSnapshot().events).toBe(another);
    expect(updates.takeForSnapshot().events).toBe("");
    event("third");
    expect([updates.takeFrames(), updates.takeFrames()]).toEqual([["frames since 2"], ["frames since 3"]]);
    recent.clear();
    const fourth = event("fourth");
    expect(updates.takeForSnapshot().events).toBe(fourth);
    expect(updates.takeFrames()).toEqual(["frames since 4"]);
  });
});
