// What a connection waits for, and for how long, on a clock that only the test moves; and what it gives back at its end.

import { expect, spyOn, test } from "bun:test";
import { DEFAULT_ENGINE_LIMITS } from "../../../../common/http/guards/engine-limits.ts";
import { UserRates } from "../../../../common/http/guards/user-rates.ts";
import { TokenStore } from "../../../../common/http/token-store.ts";
import { logger } from "../../../../common/logger.ts";
import { SqliteAuditStore } from "../../../../engine/audit/sqlite-audit-store.ts";
import { Engine } from "../../../../engine/engine.ts";
import { AdvanceResponses } from "../../../../engine/server/connections/advance-responses.ts";
import { Connection } from "../../../../engine/server/connections/connection.ts";
import { SendQueues } from "../../../../engine/server/connections/send-queues.ts";
import { UnknownMessages } from "../../../../engine/server/connections/unknown-messages.ts";
import { EngineHost } from "../../../../engine/server/host/engine-host.ts";
import { EngineCounters } from "../../../../engine/server/metrics/engine-counters.ts";
import { PROTOCOL_VERSION } from "../../../../protocol/index.ts";
import { EPOCH, smallMarket, START, USERS } from "../../support/market.ts";
import { SteppedTimers } from "../host/stepped-timers.ts";
import { FakeSocket } from "./fake-socket.ts";

const HELLO_MS = 3_000;
const SNAPSHOT_MS = 7_000;
const GRACE_MS = 5_000;
const HELLO = JSON.stringify({ kind: "hello", protocol: PROTOCOL_VERSION, userId: USERS.alpha });

function connected() {
  const [log, timers, hostTimers] = [logger("test"), new SteppedTimers(), new SteppedTimers()];
  const now = () => START + timers.processTime;
  const engine = new Engine(smallMarket(), { epoch: EPOCH, now: START, engineId: "test-engine", secret: null });
  const audit = SqliteAuditStore.inMemory({ now });
  const host = new EngineHost({ engine, audit, now, log, timers: hostTimers, defer: (task) => task() });
  const socket = new FakeSocket();
  const ends = { closed: spyOn(socket, "close"), terminated: spyOn(socket, "terminate") };
  const limits = { ...DEFAULT_ENGINE_LIMITS, snapshotSeconds: SNAPSHOT_MS / 1_000 };
  const sendQueues = new SendQueues(Infinity);
  const connection = new Connection(socket, {
    ...{ host, engineId: "test-engine", log, limits, timers, sendQueues, helloTimeoutMs: HELLO_MS },
    tokens: new TokenStore({ token: null, file: null, variables: { token: "", file: "" }, log }),
    unknown: new UnknownMessages(log),
    rates: new UserRates(limits, now),
    advances: new AdvanceResponses({ timers, queuedCharacters: () => sendQueues.total }),
    counters: new EngineCounters(),
  });
  /** The reason of the engine for ending the connection, or null. */
  const refusal = () => {
    const last = socket.sent.at(-1) ?? "{}";
    return last.includes('"refused"') ? JSON.parse(last).message as string : null;
  };
  let orders = 0;
  /** Another user's orders, each of which everybody is told. */
  const submit = (count: number) => {
    for (let at = 0; at < count; at++) {
      const payload = { contractId: "N-H12", side: 0, price: 1, quantity: 1 };
      host.execute({ userId: USERS.beta, operationId: `o-${++orders}`, action: "order.submit", payload });
    }
    host.flush();
  };
  return { connection, socket, timers, ends, refusal, host, hostTimers, sendQueues, submit };
}

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
