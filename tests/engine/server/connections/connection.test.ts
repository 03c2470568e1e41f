// What a connection takes from its client, and what ends it. deadlines.test.ts has its time limits.

import { describe, expect, test } from "bun:test";
import type { TokenStore } from "../../../../common/http/token-store.ts";
import { USERS } from "../../support/market.ts";
import { connected, HELLO } from "./one-connection.ts";

const MAX_HELLO_CHARACTERS = 64 << 10;
const order = (requestId: string, terms: object = {}) => ({
  ...{ kind: "request", requestId, operationId: requestId, action: "order.submit" },
  payload: { contractId: "N-H12", side: 0, price: 1, quantity: 1, ...terms },
});
const PING = JSON.stringify({ kind: "ping" });

type Connected = ReturnType<typeof connected>;

/** The kinds of the messages that were sent, with the ids of answers and the codes of refusals. */
function sentTo({ socket }: Connected): string[] {
  return socket.sent.flatMap((frame) => JSON.parse(frame)).map(({ kind, requestId, code, statePath }) =>
    statePath === undefined ? [kind, requestId, code].filter((part) => part !== undefined).join(" ") : "state"
  );
}
const lastSentTo = (each: Connected) => sentTo(each).at(-1);

describe("the first frame", () => {
  test.each([[MAX_HELLO_CHARACTERS, true], [MAX_HELLO_CHARACTERS + 1, false]])(
    "of %d characters is a hello: %p; later ones may be longer",
    (length, isTaken) => {
      const each = connected();
      each.connection.receive(HELLO.padEnd(length));
      expect([each.connection.isAuthenticated, each.ended()]).toEqual([isTaken, isTaken ? [] : ["invalid_message 1"]]);
      if (!isTaken) return;
      each.connection.receive(PING.padEnd(2 * length));
      expect(lastSentTo(each)).toBe("pong");
    },
  );

  test.each<[string, string | Uint8Array]>([
    ["bytes", new TextEncoder().encode(HELLO)],
    ["no JSON", "{"],
    ["no message", "[]"],
    ["a request before its hello", JSON.stringify([order("1"), JSON.parse(HELLO)])],
  ])("that is %s ends the connection", (_, frame) => {
    const each = connected();
    each.connection.receive(frame);
    expect([sentTo(each), each.connection.isAuthenticated, each.host.subscribers.count])
      .toEqual([["refused invalid_message"], false, 0]);
  });

  test("may have requests after the hello, which are answered in their order after the snapshot", () => {
    const each = connected();
    each.connection.receive(JSON.stringify([JSON.parse(HELLO), order("1"), order("2", { quantity: 0.5 })]));
    const sent = sentTo(each);
    expect([sent[0], sent.filter((what) => /response|snapshotEnd/.test(what))])
      .toEqual(["welcome", ["snapshotEnd", "response 1", "response 2 invalid_quantity"]]);
  });
});

test.each<[string, string | Uint8Array]>([
  ["a message that can't be answered", JSON.stringify([order("1"), { kind: "ping", x: [] }, { kind: "hello" }])],
  ["a second hello", `[${JSON.stringify(order("1"))},${HELLO}]`],
])("%s ends the connection after the answers to its requests, though nothing was confirmed yet", (_, frame) => {
  const each = connected({ defer: () => {} });
  each.connection.receive(HELLO);
  each.connection.receive(frame);
  const sent = sentTo(each);
  expect(sent.filter((what) => /response|refused/.test(what))).toEqual(["response 1", "refused invalid_message"]);
  expect(sent.filter((what) => what === "event").length).toBeGreaterThan(0);
});

describe("a token", () => {
  const holders: Record<string, readonly string[] | null> = {};
  /** Tokens whose users the test changes. */
  const tokens = {
    identify: (token: string | undefined) =>
      token !== undefined && holders[token] ? { name: token, userIds: holders[token] } : null,
  } as unknown as TokenStore;
  const withToken = (token: string) => JSON.stringify({ ...JSON.parse(HELLO), token });

  test.each<[string, readonly string[] | null, string | null]>([
    ["still covers the user", [USERS.beta, USERS.alpha], null],
    ["covers others now", [USERS.beta], "user_not_covered"],
    ["is gone", null, "unauthorized"],
  ])("that %s is checked as the one of the hello", (_, later, code) => {
    Object.assign(holders, { own: [USERS.alpha], other: [USERS.alpha] });
    const [own, other, silent] = [connected({ tokens }), connected({ tokens }), connected({ tokens })];
    own.connection.receive(withToken("own"));
    other.connection.receive(withToken("other"));
    expect([own, other].map(({ connection }) => connection.isAuthenticated)).toEqual([true, true]);
    holders["own"] = later;
    for (const { connection } of [own, other, silent]) connection.checkToken();
    expect([own, other, silent].map((each) => each.ended())).toEqual([code === null ? [] : [`${code} 1`], [], []]);
    expect(own.host.subscribers.count).toBe(code === null ? 1 : 0);
  });
});

test.each([["shutting_down", 1001], ["too_slow", 1008], ["unauthorized", 1008]] as const)(
  "a connection that is refused as %s is closed with %d, and is refused once",
  (code, closeCode) => {
    const each = connected();
    each.connection.receive(HELLO);
    const sent = sentTo(each).length;
    each.connection.refuse(code, "a reason");
    each.connection.refuse("too_many_connections", "another one");
    each.connection.faulted("a fault");
    each.connection.closed();
    each.connection.receive(PING);
    expect([sentTo(each).slice(sent), each.ended()]).toEqual([[`refused ${code}`], [`${code} 1`]]);
    expect(each.ends.closed.mock.calls as unknown[]).toEqual([[closeCode, code]]);
  },
);

test("a fault that the runtime reports is counted once, and nothing is sent", () => {
  const each = connected();
  each.connection.receive(HELLO);
  const sent = each.socket.sent.length;
  each.connection.faulted("Received too big message");
  each.connection.faulted("again");
  each.connection.refuse("too_slow", "late");
  expect([each.ended(), each.socket.sent.length, each.host.subscribers.count, each.timers.pending])
    .toEqual([["connection_fault 1"], sent, 0, 0]);
});
