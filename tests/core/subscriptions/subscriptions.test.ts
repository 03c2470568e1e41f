import { expect, jest, test } from "bun:test";
import type { CallScope } from "../../../core/dispatch/call-context.ts";
import type { Subscription } from "../../../core/subscriptions/subscription.ts";
import { logger } from "../../../common/logger.ts";
import { ChangeWatch, ROUND_MS } from "../../../core/subscriptions/change-watch.ts";
import { MAX_SUBSCRIPTIONS, Subscriptions } from "../../../core/subscriptions/subscriptions.ts";
import type { Offers } from "../../../core/dispatch/offers.ts";
import { ArtificialClock } from "./artificial-clock.ts";

/** No test here asks for a resource; a request passes all checks. */
const offers = {
  requests: { run: (_request: unknown, _scope: unknown, work: () => unknown) => work() },
} as unknown as Offers;
const log = logger("test");

/** Subscriptions on a clock that a test moves, with tokens that a test changes. */
function watched() {
  const clock = new ArtificialClock();
  const state = { changes: 0, ended: 0 };
  const tokens = { canChange: true, changes: () => state.changes };
  const subscriptions = new Subscriptions({ offers, log, tokens, schedule: clock.schedule });
  const delivery = { isReading: true, deliver: () => {}, rest: () => {}, end: () => void (state.ended += 1) };
  return { clock, state, subscriptions, delivery };
}

test("one client may have its share of subscriptions, all clients together the limit, and ended ones count no more", () => {
  const { subscriptions } = watched();
  const open = (client: string) => subscriptions.open({ client });
  const [first = expect.unreachable()] = Array.from({ length: MAX_SUBSCRIPTIONS.client }, () => open("desk"));
  expect(() => open("desk")).toThrow(/at most 1000 of all clients, 500 of one client/);
  for (let more = MAX_SUBSCRIPTIONS.client; more < MAX_SUBSCRIPTIONS.all; more += 1) open("robot");
  expect(() => open("other")).toThrow(/too many subscriptions/);
  first.close();
  first.close();
  open("desk");
  expect(subscriptions.count).toBe(MAX_SUBSCRIPTIONS.all);
  subscriptions.close();
  expect(subscriptions.count).toBe(0);
  expect(() => open("desk")).toThrow(/shutting down/);
});

test("only a change of the tokens makes subscriptions look at theirs, and ends those that are no longer accepted", () => {
  const { clock, state, subscriptions, delivery } = watched();
  let isValid = true;
  let looks = 0;
  const revoked = subscriptions.open({ client: "desk", isAccepted: () => (looks += 1, isValid) });
  subscriptions.open({ client: "robot", isAccepted: () => true });
  revoked.begin(delivery);
  clock.advance(4 * ROUND_MS);
  expect([looks, state.ended, subscriptions.count]).toEqual([1, 0, 2]);
  isValid = false;
  state.changes += 1;
  clock.advance(4 * ROUND_MS);
  expect([looks, state.ended, subscriptions.count]).toEqual([2, 1, 1]);
});

test("a token that was revoked after its request was checked gets no subscription", () => {
  const { subscriptions } = watched();
  expect(() => subscriptions.open({ client: "desk", isAccepted: () => false })).toThrow(/no longer valid/);
  expect(subscriptions.count).toBe(0);
});

test("a subscription whose token is revoked before its delivery begins ends when it begins", () => {
  const { clock, state, subscriptions, delivery } = watched();
  const revoked = subscriptions.open({ client: "desk", isAccepted: () => state.changes === 0 });
  state.changes += 1;
  clock.advance(ROUND_MS);
  expect(subscriptions.count).toBe(0);
  revoked.begin(delivery);
  expect(state.ended).toBe(1);
});

const topic = (key: number) => ({ key: `topic-${key}`, version: () => 0 });

test("a topic that is no longer followed counts no more, however its subscription ends", () => {
  const { subscriptions, state, delivery } = watched();
  const ends: readonly ((subscription: Subscription, at: number) => void)[] = [
    (subscription) => subscription.close(),
    (subscription) => subscription.end(),
    (subscription) => {
      for (let key = 0; key < 200; key += 1) subscription.unfollow(topic(key).key);
      subscription.close();
    },
  ];
  // Three times as many as one client may follow at once, and more than all may.
  for (let round = 0; round < 75; round += 1) {
    const subscription = subscriptions.open({ client: "desk" });
    subscription.begin(delivery);
    for (let key = 0; key < 200; key += 1) subscription.follow(topic(key));
    // One that it follows already takes nothing, and an unknown one gives nothing back.
    subscription.follow(topic(7));
    subscription.unfollow("unknown");
    expect(() => subscription.follow(topic(200))).toThrow(/200 of one subscription/);
    subscription.unfollow(topic(3).key);
    expect(subscription.isEmpty).toBe(false);
    subscription.follow(topic(200));
    expect(() => subscription.follow(topic(3))).toThrow(/too many resources/);
    ends[round % ends.length]!(subscription, round);
    // What has ended follows nothing more.
    subscription.follow(topic(1));
    expect(subscription.isEmpty).toBe(true);
  }
  expect([subscriptions.count, state.ended]).toEqual([0, 25]);
});

test("one client follows its share of topics, and all clients together the limit", () => {
  const { subscriptions } = watched();
  const follow = (client: string) => {
    const subscription = subscriptions.open({ client });
    for (let key = 0; key < 200; key += 1) subscription.follow(topic(key));
    return subscription;
  };
  for (const client of ["desk", "robot"]) {
    const [first = expect.unreachable()] = Array.from({ length: 25 }, () => follow(client));
    const other = subscriptions.open({ client });
    expect(() => other.follow(topic(0))).toThrow(/5000 of one client/);
    first.close();
    other.follow(topic(0));
    other.close();
    follow(client);
  }
  expect(() => subscriptions.open({ client: "other" }).follow(topic(0))).toThrow(/10000 of all clients/);
});

test("a subscription whose answer fails is closed", async () => {
  const { subscriptions } = watched();
  const answer = () => Promise.reject(new Error("the client is gone"));
  const listening = subscriptions.listen({ resourcesListChanged: true }, { client: "desk" }, {} as CallScope, answer);
  expect(await listening.catch((error: Error) => error.message)).toBe("the client is gone");
  expect(subscriptions.count).toBe(0);
});

test("a round that is due is cancelled once nobody subscribes, and one timer serves all subscribers", () => {
  jest.useFakeTimers();
  try {
    const rounds: string[] = [];
    const watch = new ChangeWatch({ roundBegins: () => void rounds.push("round") });
    const [one, other] = [{ changed: () => {}, roundEnded: () => {} }, { changed: () => {}, roundEnded: () => {} }];
    watch.enter(one);
    watch.enter(other);
    expect(jest.getTimerCount()).toBe(1);
    watch.leave(one);
    expect(jest.getTimerCount()).toBe(1);
    watch.leave(other);
    expect(jest.getTimerCount()).toBe(0);
    watch.enter(one);
    jest.advanceTimersByTime(ROUND_MS - 1);
    expect(rounds).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(rounds).toEqual(["round"]);
    watch.leave(one);
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});
