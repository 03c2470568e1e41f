// What a connection waits for, and for how long, on a clock that only the test moves; and what it gives back at its end.

import { expect, test } from "bun:test";
import type { Connection } from "../../../../engine/server/connections/connection.ts";
import { USERS } from "../../support/market.ts";
import { connected, HELLO, HELLO_MS, SNAPSHOT_MS } from "./one-connection.ts";

const GRACE_MS = 5_000;

test.each<[string, (each: ReturnType<typeof connected>) => void, number, string]>([
  ["hello", () => {}, HELLO_MS, "no hello within 3 s"],
  [
    "snapshot to be read",
    ({ connection, socket }) => {
      socket.fill();
      connection.receive(HELLO);
    },
    SNAPSHOT_MS,
    "the snapshot was not read within 7 s",
  ],
])(
  "a connection waits for the %s as long as its limit, then for the client to close it",
  (_, begin, limitMs, reason) => {
    const each = connected();
    const { timers, refusal, ends } = each;
    begin(each);
    timers.pass(limitMs - 1);
    expect(refusal()).toBeNull();
    timers.pass(1);
    expect([refusal(), ends.closed.mock.calls.length, ends.terminated.mock.calls.length]).toEqual([reason, 1, 0]);
    timers.pass(GRACE_MS - 1);
    expect(ends.terminated).not.toHaveBeenCalled();
    timers.pass(1);
    expect(ends.terminated).toHaveBeenCalledTimes(1);
  },
);

test.each<[string, (each: ReturnType<typeof connected>) => void]>([
  ["whose snapshot was read", ({ connection }) => connection.receive(HELLO)],
  ["whose snapshot was read later", ({ connection, socket }) => {
    socket.fill();
    connection.receive(HELLO);
    socket.buffered = 0;
    connection.drained();
  }],
  ["that was closed before its hello", ({ connection }) => connection.closed()],
  ["that was closed before its snapshot was read", ({ connection, socket }) => {
    socket.fill();
    connection.receive(HELLO);
    connection.closed();
  }],
])("a connection %s waits for nothing", (_, begin) => {
  const each = connected();
  begin(each);
  expect(each.timers.pending).toBe(0);
  each.timers.pass(100_000);
  expect(each.refusal()).toBeNull();
});

test.each<[string, (connection: Connection) => void]>([
  ["is closed", (connection) => connection.closed()],
  ["is refused", (connection) => connection.refuse("too_slow", "too slow")],
  ["has a fault", (connection) => connection.faulted("too large")],
])("a connection that %s gives back its place and what waits for it, and is sent nothing more", (_, end) => {
  const { connection, socket, host, sendQueues, submit, hostTimers } = connected();
  connection.receive(HELLO);
  socket.fill();
  submit(20);
  hostTimers.pass(1000);
  expect([host.subscribers.count, sendQueues.total > 0]).toEqual([1, true]);
  end(connection);
  expect([host.subscribers.count, host.subscribers.countOf(USERS.alpha), sendQueues.total]).toEqual([0, 0, 0]);
  const sent = socket.sent.length;
  socket.buffered = 0;
  connection.drained();
  submit(20);
  connection.receive(HELLO);
  hostTimers.pass(1000);
  expect([socket.sent.length, sendQueues.total, host.subscribers.count]).toEqual([sent, 0, 0]);
});

test.each([["shutting_down", true], ["too_slow", false]] as const)(
  "a connection that ends as %s is sent what was confirmed before: %p",
  (code, isSent) => {
    const { connection, socket, submit } = connected();
    connection.receive(HELLO);
    const ids = () => socket.sent.join().match(/"new\.order"/g)?.length ?? 0;
    // More at once than leave without a wait.
    for (let count = 0; count < 30; count++) submit(1);
    const before = ids();
    expect(before).toBeLessThan(30);
    connection.refuse(code, "the end");
    expect(ids()).toBe(isSent ? 30 : before);
    expect(JSON.parse(socket.sent.at(-1)!)).toEqual({ kind: "refused", code, message: "the end" });
  },
);
