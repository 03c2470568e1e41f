import { describe, expect, test } from "bun:test";
import type { LinkEnd } from "../../../protocol/client/engine-link.ts";
import { Reconnection } from "../../../protocol/client/reconnection.ts";

const LOST: LinkEnd = { kind: "lost", reason: "cut" };
const UNREADABLE: LinkEnd = { kind: "unreadable", reason: "garbled" };
const UNKNOWN_USER: LinkEnd = { kind: "refused", code: "unknown_user", message: "no" };
const [FIRST_MS, MAX_MS, PENDING_MS] = [100, 1000, 150];
const HAD_SESSION = { established: true, pending: false };
const FIRST_ATTEMPT = { established: false, pending: false };

const reconnection = () =>
  new Reconnection(
    { firstRetryMs: FIRST_MS, longestRetryMs: MAX_MS, pendingRetryMs: PENDING_MS },
    { retriesFirstAttempt: false, finalRefusals: 3 },
  );

describe("a lost connection", () => {
  test("is retried after waits that double, and start over once a connection has proved good", () => {
    const some = reconnection();
    const waits = Array.from({ length: 6 }, () => some.after(LOST, HAD_SESSION) ?? NaN);
    waits.forEach((wait, at) => {
      const whole = Math.min(FIRST_MS * 2 ** at, MAX_MS);
      expect(wait).toBeWithin(whole / 2, whole + 0.001);
    });
    some.proved();
    expect(some.after(LOST, HAD_SESSION)).toBeLessThanOrEqual(FIRST_MS);
  });

  test("is retried soon while requests are pending", () => {
    const some = reconnection();
    for (let attempt = 0; attempt < 5; attempt++) some.after(LOST, HAD_SESSION);
    expect(some.after(LOST, { established: true, pending: true })).toBe(PENDING_MS);
  });

  test("is not retried before the first connection was established, unless a message was unreadable", () => {
    expect(reconnection().after(LOST, FIRST_ATTEMPT)).toBeNull();
    expect(reconnection().after(UNREADABLE, FIRST_ATTEMPT)).not.toBeNull();
  });

  test("is given up after three final refusals in a row, not after two", () => {
    const some = reconnection();
    const refused = () => some.after(UNKNOWN_USER, HAD_SESSION);
    expect([refused() === null, refused() === null]).toEqual([false, false]);
    some.after(LOST, HAD_SESSION);
    expect([refused() === null, refused() === null, refused()]).toEqual([false, false, null]);
  });
});

test.each<[string, ("unreadable" | "proved" | "readAgain")[], boolean]>([
  ["after one unreadable connection", ["unreadable"], false],
  ["after two in a row", ["unreadable", "unreadable"], true],
  ["if a connection proves good in between", ["unreadable", "proved", "unreadable"], false],
  ["if a tolerant one proves good, which does not read everything", ["unreadable", "unreadable", "proved"], true],
  ["if it is to be read strictly again", ["unreadable", "unreadable", "readAgain"], false],
  ["after the first strike of a strict one", ["unreadable", "unreadable", "readAgain", "unreadable"], true],
])("%s an engine is tolerated as expected", (_when, steps, tolerant) => {
  const some = reconnection();
  for (const step of steps) {
    if (step === "unreadable") some.after(UNREADABLE, HAD_SESSION);
    else some[step]();
  }
  expect(some.tolerant).toBe(tolerant);
});

describe("a refusal", () => {
  const attempts = (code: string) => {
    const some = reconnection();
    let count = 0;
    while (count < 10 && some.after({ kind: "refused", code, message: "No." }, HAD_SESSION) !== null) count += 1;
    return count;
  };

  test.each(["unauthorized", "unknown_user", "unsupported_protocol", "wrong_user"])(
    "as %s is final, and the third in a row ends all attempts",
    (code) => expect(attempts(code)).toBe(2),
  );

  test.each(["shutting_down", "too_slow", "invalid_message", "something_new"])(
    "as %s may be temporary, and never ends the attempts",
    (code) => expect(attempts(code)).toBe(10),
  );
});
