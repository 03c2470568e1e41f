// An engine stops at its first failure, and what it then says.

import { describe, expect, test } from "bun:test";
import {
  EngineFailure,
  InvariantFailure,
  JournalFailure,
  PublicationFailure,
} from "../../../../engine/server/host/engine-failure.ts";
import { FailStop } from "../../../../engine/server/host/fail-stop.ts";
import type { FailedCall } from "../../../../engine/journal/journal-call.ts";

function failStop() {
  const reported: string[] = [];
  const stop = new FailStop(({ message }) => void reported.push(message));
  return { stop, reported };
}

const failing = (text: string) => () => {
  throw new Error(text);
};

describe("an engine that fails", () => {
  test("reports its first failure once, after the last work, and throws it from then on", () => {
    const { stop, reported } = failStop();
    stop.check();
    stop.guard((cause) => new JournalFailure(cause), () => {});
    expect([stop.hasFailed, reported]).toEqual([false, []]);
    const first = new EngineFailure("first");
    stop.fail(first, () => {
      expect([stop.hasFailed, reported]).toEqual([true, []]);
      expect(() => stop.check()).toThrow(first);
      // The last work fails too, which changes nothing.
      stop.guard((cause) => new JournalFailure(cause), failing("disk"));
    });
    expect(reported).toEqual(["first"]);
    stop.fail(new EngineFailure("second"), () => expect.unreachable());
    expect(() => stop.guard((cause) => new PublicationFailure(cause), failing("third"))).toThrow(first);
    expect(() => stop.check()).toThrow(first);
    expect([stop.hasFailed, reported]).toEqual([true, ["first"]]);
  });

  test("fails with what guarded work throws, and hides no fault of the last work", () => {
    const { stop, reported } = failStop();
    const message = "the journal can't be written: no space left; look";
    expect(() => stop.guard((cause) => new JournalFailure(cause), failing("no space\n  left; look"))).toThrow(message);
    expect(reported).toEqual([message]);
    const other = failStop();
    expect(() => other.stop.fail(new EngineFailure("first"), failing("a fault of the program"))).toThrow("a fault");
  });
});

const REPORT = "start the engine again, and report this fault";

test.each<[string, FailedCall, string]>([
  [
    "order.cancel of user u, operation o",
    { kind: "execute", userId: "u", operationId: "o", action: "order.cancel" },
    "start the engine again: it comes up without this request",
  ],
  [
    "the cancellation of 2 orders of an ended connection",
    { kind: "cancelDisconnected", orderIds: ["ORD-1", "ORD-2"] },
    "start the engine again: it comes up with these orders open",
  ],
  ["the connection of user u", { kind: "setConnected", userId: "u", connected: true }, REPORT],
  ["the disconnection of user u", { kind: "setConnected", userId: "u", connected: false }, REPORT],
  ["the change of the clock to fast, speed 60", { kind: "setClock", clock: { mode: "fast", speed: 60 } }, REPORT],
  [
    "changes due by the schedule",
    { kind: "advance" },
    "a restart meets the same schedule again: report this fault, with the data directory",
  ],
])("the failure of %s says what a restart does, with a journal and without", (what, call, restart) => {
  const cause = new Error(`broken\n${"x".repeat(400)}`);
  // A long reason is cut.
  const failed = `the engine failed on ${what}: broken ${"x".repeat(293)}; nobody was sent any result of it; `;
  expect(new InvariantFailure(call, cause, true).message).toBe(`${failed}${restart}`);
  const lost = "without --data the market is lost: start the engine again, and report this fault";
  expect(new InvariantFailure(call, cause, false).message).toBe(`${failed}${lost}`);
});
