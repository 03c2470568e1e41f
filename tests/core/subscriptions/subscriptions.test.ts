import { expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { ROUND_MS } from "../../../core/subscriptions/change-watch.ts";
import { MAX_SUBSCRIPTIONS, Subscriptions } from "../../../core/subscriptions/subscriptions.ts";
import type { Offers } from "../../../core/dispatch/offers.ts";
import { ArtificialClock } from "./artificial-clock.ts";

/** No test here asks for a resource. */
const offers = {} as Offers;
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
