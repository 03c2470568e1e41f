// What a connection waits for, and for how long, on a clock that only the test moves.

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
  const [log, timers] = [logger("test"), new SteppedTimers()];
  const now = () => START + timers.processTime;
  const engine = new Engine(smallMarket(), { epoch: EPOCH, now: START, engineId: "test-engine", secret: null });
  const host = new EngineHost({ engine, audit: SqliteAuditStore.inMemory({ now }), now, log, defer: (task) => task() });
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
  return { connection, socket, timers, ends, refusal };
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
