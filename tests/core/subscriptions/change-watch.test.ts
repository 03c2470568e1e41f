// When rounds are, and who hears of what in them.

import { expect, test } from "bun:test";
import { ChangeWatch, ROUND_MS, type Subscriber } from "../../../core/subscriptions/change-watch.ts";
import { ArtificialClock } from "./artificial-clock.ts";

function watching() {
  const clock = new ArtificialClock();
  const heard: string[] = [];
  const versions: Record<string, unknown> = { a: 1, b: NaN };
  let asked = 0;
  const topic = (key: string) => ({ key, version: () => (asked += 1, versions[key]) });
  const subscriber = (name: string): Subscriber => ({
    changed: (key) => heard.push(`${name} ${key}`),
    roundEnded: () => heard.push(`${name}.`),
  });
  const watch = new ChangeWatch({ schedule: clock.schedule, roundBegins: () => heard.push("round") });
  const round = () => (clock.advance(ROUND_MS), heard.splice(0));
  return { clock, heard, versions, topic, subscriber, watch, round, asked: () => asked };
}

test("a change is told once, in the next round, to those that follow the topic", () => {
  const { watch, subscriber, topic, versions, round, asked } = watching();
  const [x, y] = [subscriber("x"), subscriber("y")];
  watch.enter(x);
  watch.enter(y);
  watch.follow(topic("a"), x);
  watch.follow(topic("a"), y);
  watch.follow(topic("b"), y);
  expect(asked()).toBe(2);
  expect(round()).toEqual(["round", "x.", "y."]);
  expect(asked()).toBe(4);
  versions["a"] = 2;
  expect(round()).toEqual(["round", "x a", "y a", "x.", "y."]);
  expect(round()).toEqual(["round", "x.", "y."]);
  watch.unfollow("a", x);
  [versions["a"], versions["b"]] = [3, 0];
  expect(round()).toEqual(["round", "y a", "y b", "x.", "y."]);
  versions["b"] = -0;
  expect(round()).toEqual(["round", "y b", "x.", "y."]);
});

test("a topic that nobody follows is not asked, and one that is followed anew counts from then on", () => {
  const { watch, subscriber, topic, versions, round, asked } = watching();
  const x = subscriber("x");
  watch.enter(x);
  watch.follow(topic("a"), x);
  watch.unfollow("a", x);
  watch.unfollow("none", x);
  round();
  expect(asked()).toBe(1);
  versions["a"] = 2;
  watch.follow(topic("a"), x);
  expect(round()).toEqual(["round", "x."]);
});

test("rounds are their time apart, and there are none without subscribers", () => {
  const { watch, subscriber, clock, heard, round } = watching();
  const [x, y] = [subscriber("x"), subscriber("y")];
  expect(clock.pending).toBe(0);
  watch.enter(x);
  clock.advance(ROUND_MS - 1);
  watch.enter(y);
  expect([clock.pending, heard]).toEqual([1, []]);
  clock.advance(1);
  expect(heard.splice(0)).toEqual(["round", "x.", "y."]);
  watch.leave(x);
  expect(clock.pending).toBe(1);
  watch.leave(y);
  expect(clock.pending).toBe(0);
  watch.enter(x);
  expect(round()).toEqual(["round", "x."]);
});

test("a subscriber that leaves or comes while a round ends neither stops the rounds nor doubles them", () => {
  const { watch, subscriber, clock, heard, round } = watching();
  const later = subscriber("later");
  const leaving: Subscriber = {
    changed: () => {},
    roundEnded: () => {
      heard.push("left");
      watch.leave(leaving);
      watch.enter(later);
    },
  };
  watch.enter(leaving);
  expect(round().slice(0, 2)).toEqual(["round", "left"]);
  expect(clock.pending).toBe(1);
  expect(round()).toEqual(["round", "later."]);
  watch.leave(later);
  expect(clock.pending).toBe(0);
});
