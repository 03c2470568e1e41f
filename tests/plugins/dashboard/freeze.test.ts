// The kill switch of the page: when it is offered, what it says and logs, and what a failure leaves.

import { expect, test } from "bun:test";
import { freeze, offersFreeze } from "../../../plugins/dashboard/freeze.ts";

test.each([
  [null, null, false, false],
  ["/f", null, false, true],
  [null, { url: "r" }, false, true],
  ["/f", { url: "r" }, true, false],
  ["/f", null, true, false],
])("with the file %p and Redis %p, read-only %p, it is offered: %p", (freezeFile, redis, readOnly, isOffered) => {
  const configuration = { guardrails: { freezeFile }, redis, packs: { readOnly } };
  expect(offersFreeze({ configuration } as never)).toBe(isOffered);
});

/** The answer, or the error, and what was done, in its order. */
async function frozenWith(body: unknown, states: readonly (object | null)[], failure: Error | null = null) {
  const done: unknown[] = [];
  const left = [...states];
  const context = {
    caller: "desk",
    now: () => Date.UTC(2030, 0, 2),
    frozen: () => left.shift() ?? null,
    freeze: (reason: string) => {
      done.push(["freeze", reason]);
      return failure === null ? Promise.resolve() : Promise.reject(failure);
    },
    log: {
      warn: (...all: unknown[]) => done.push(["warn", ...all]),
      error: (...all: unknown[]) => done.push(["error", ...all]),
    },
  };
  const answer = await freeze({ json: () => body } as never, context as never).catch((error: unknown) => error);
  return { answer: answer instanceof Response ? await answer.json() : answer, done };
}
const WARNED = ["warn", "frozen from the dashboard", { caller: "desk" }];

test("a freeze says what is frozen now, or what it did if it was thawed in this moment", async () => {
  const now = { reason: "Ours.", since: "2030-01-01T00:00:00.000Z" };
  expect(await frozenWith({ reason: " Ours. " }, [null, now])).toEqual({
    answer: { frozen: now },
    done: [["freeze", "Ours."], WARNED],
  });
  expect((await frozenWith({ reason: "Ours." }, [null, null])).answer).toEqual({
    frozen: { reason: "Ours.", since: "2030-01-02T00:00:00.000Z" },
  });
});

test("what is frozen already keeps its first reason", async () => {
  const { answer, done } = await frozenWith({ reason: "Other." }, [{ reason: "First.", since: null }]);
  expect(answer).toMatchObject({ code: "frozen" });
  expect(done).toEqual([]);
});

test("a freeze that fails is logged and told, and not called frozen", async () => {
  const failure = new Error("no disk");
  const { answer, done } = await frozenWith({ reason: "Ours." }, [null], failure);
  expect(answer).toBe(failure);
  expect(done).toEqual([["freeze", "Ours."], ["error", "the kill switch failed: {error}", { error: "no disk" }]]);
});

test.each<[unknown, boolean]>([
  [{ reason: "x".repeat(1_000) }, true],
  [{ reason: "x".repeat(1_001) }, false],
  [{ reason: "  " }, false],
  [{ reason: 1 }, false],
  [{}, false],
  [null, false],
  [{ reason: "x", more: 1 }, false],
])("only a request with a reason is accepted", async (body, isAccepted) => {
  const { answer, done } = await frozenWith(body, [null]);
  if (!isAccepted) expect(answer).toMatchObject({ code: "invalid_input" });
  expect(done.length > 0).toBe(isAccepted);
});
