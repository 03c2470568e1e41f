// How long a state is pending, for whom, and how many a caller may have.

import { expect, test } from "bun:test";
import { OwnPendingStates } from "../../../../../core/server/sdk/asking/pending-states.ts";
import { MAX_PENDING, PENDING_SECONDS } from "../../../../../core/tools/pending-states.ts";

function pendingAt() {
  const clock = { now: 1_000 };
  return { clock, pending: new OwnPendingStates(() => clock.now) };
}

test("a state is taken once, by its caller, within its time", async () => {
  const { clock, pending } = pendingAt();
  for (const caller of ["desk", null]) {
    await pending.put("a", caller);
    expect([await pending.take("a", "other"), await pending.take("b", caller)]).toEqual([false, false]);
    expect([await pending.take("a", caller), await pending.take("a", caller)]).toEqual([true, false]);
    await pending.put("in time", caller);
    await pending.put("late", caller);
    clock.now += PENDING_SECONDS * 1_000;
    expect(await pending.take("in time", caller)).toBeTrue();
    clock.now += 1;
    expect(await pending.take("late", caller)).toBeFalse();
  }
});

test("beyond the limit a caller's oldest state is dropped; those of others, and those that were taken, do not count", async () => {
  const { pending } = pendingAt();
  await pending.put("of another", null);
  for (let number = 0; number < MAX_PENDING; number += 1) await pending.put(String(number), "desk");
  expect(await pending.take("5", "desk")).toBeTrue();
  await pending.put("new", "desk");
  expect(await pending.take("1", "desk")).toBeTrue();
  await pending.put("newer", "desk");
  await pending.put("newest", "desk");
  expect([await pending.take("0", "desk"), await pending.take("2", "desk")]).toEqual([false, true]);
  expect([await pending.take("newest", "desk"), await pending.take("of another", null)]).toEqual([true, true]);
});

test("states that have expired make room for new ones", async () => {
  const { clock, pending } = pendingAt();
  for (let number = 0; number < MAX_PENDING; number += 1) await pending.put(String(number), "desk");
  clock.now += PENDING_SECONDS * 1_000 + 1;
  for (let number = 0; number < MAX_PENDING; number += 1) await pending.put(`n${number}`, "desk");
  expect([await pending.take("n0", "desk"), await pending.take("0", "desk")]).toEqual([true, false]);
});

test("the key is the same for the life of a process, and another in each", async () => {
  const [one, other] = [new OwnPendingStates(() => 0), new OwnPendingStates(() => 0)];
  expect(await one.key()).toBe(await one.key());
  expect([(await one.key()).length, await one.key()]).not.toEqual([32, await other.key()]);
});
