// Which states a server takes back: its own, once, from the caller that it gave them to, and none if it can't know that.

import { expect, test } from "bun:test";
import { logger } from "../../../../../common/logger.ts";
import { OwnPendingStates } from "../../../../../core/server/sdk/asking/pending-states.ts";
import { carriesAnswer, RequestStates, requestStatesOf } from "../../../../../core/server/sdk/asking/request-states.ts";
import { MAX_PENDING, type PendingStates } from "../../../../../core/tools/pending-states.ts";

const LOG = logger("test");
const away = () => Promise.reject(new Error("Redis is away"));

function statesWith(changed: Partial<PendingStates> = {}) {
  const own = new OwnPendingStates(() => 0);
  const pending: PendingStates = {
    key: () => own.key(),
    put: (id, caller) => own.put(id, caller),
    take: (id, caller) => own.take(id, caller),
    ...changed,
  };
  return new RequestStates(pending, LOG);
}

test("a state comes back with its content, once, and only from its caller", async () => {
  const states = statesWith();
  const given = { asked: "a", agreed: "b", call: "c", value: { step: 2 } };
  for (const caller of ["desk", null]) {
    const text = await states.mint(given, caller);
    expect(await states.take(text, "other")).toBeNull();
    expect(await states.take(text, caller)).toMatchObject(given);
    expect(await states.take(text, caller)).toBeNull();
  }
});

test.each([[undefined], [7], [""], ["forged"]])("%p is no state", async (text) => {
  let taken = 0;
  const states = statesWith({ take: () => Promise.resolve((taken += 1) > 0) });
  expect([await states.take(text, "desk"), taken]).toEqual([null, 0]);
});

test("a state that was changed, or that another server gave, is none", async () => {
  const states = statesWith({ take: () => Promise.resolve(true) });
  const text = await statesWith().mint({ asked: "a" }, "desk");
  const own = await states.mint({ asked: "a" }, "desk");
  expect([await states.take(text, "desk"), await states.take(`x${own}`, "desk")]).toEqual([null, null]);
  expect(await states.take(own, "desk")).toMatchObject({ asked: "a" });
});

test("while it is unknown whether a state is pending nobody's agreement is taken, and none is asked for", async () => {
  const text = await statesWith().mint({ asked: "a" }, "desk");
  const states = statesWith({ take: away });
  const own = await states.mint({ asked: "a" }, "desk");
  await expect(states.take(own, "desk")).rejects.toThrow("Redis is away");
  await expect(statesWith({ put: away }).mint({ asked: "a" }, "desk")).rejects.toThrow("Redis is away");
  await expect(statesWith({ key: away }).mint({ asked: "a" }, "desk")).rejects.toThrow("Redis is away");
  await expect(statesWith({ key: away }).take(text, "desk")).rejects.toThrow("Redis is away");
});

test("states are signed with the key that is pending now", async () => {
  let key = new Uint8Array(32).fill(1);
  const states = statesWith({ key: () => Promise.resolve(key) });
  const before = await states.mint({ asked: "before" }, "desk");
  key = new Uint8Array(32).fill(2);
  const after = await states.mint({ asked: "after" }, "desk");
  expect(await states.take(before, "desk")).toBeNull();
  expect(await states.take(after, "desk")).toMatchObject({ asked: "after" });
});

test("a server with replicas shares its states with them; one alone keeps its own for five minutes", async () => {
  const shared = new OwnPendingStates(() => 0);
  const together = [1, 2].map(() =>
    requestStatesOf({ replicas: { pendingStates: shared } as never, now: () => 0, log: LOG })
  );
  expect(await together[1]!.take(await together[0]!.mint({ asked: "a" }, "desk"), "desk")).toMatchObject({
    asked: "a",
  });
  let now = 0;
  const alone = requestStatesOf({ replicas: null, now: () => now, log: LOG } as never);
  const [early, late] = [await alone.mint({ asked: "a" }, "desk"), await alone.mint({ asked: "b" }, "desk")];
  now = 300_000;
  expect(await alone.take(early, "desk")).toMatchObject({ asked: "a" });
  now += 1;
  expect(await alone.take(late, "desk")).toBeNull();
});

test("beyond the limit a caller's oldest state is dropped, and nobody else's", async () => {
  const pending = new OwnPendingStates(() => 0);
  await pending.put("other", "other");
  for (let i = 0; i <= MAX_PENDING; i++) await pending.put(`s-${i}`, "desk");
  const taken = [];
  for (const id of ["s-0", "s-1", `s-${MAX_PENDING}`]) taken.push(await pending.take(id, "desk"));
  expect([...taken, await pending.take("other", "other")]).toEqual([false, true, true, true]);
});

test.each([
  [undefined, undefined, false],
  [{}, undefined, true],
  [undefined, "state", true],
])("a call with the answers %p and the state %p repeats another: %p", (inputResponses, state, carries) => {
  expect(carriesAnswer({ mcpReq: { inputResponses, requestState: () => state } } as never)).toBe(carries);
});
