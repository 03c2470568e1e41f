// What the runtime reports of sockets, and what becomes of their connections. The sockets are stand-ins.

import type { ServerWebSocket } from "bun";
import { describe, expect, spyOn, test } from "bun:test";
import { DEFAULT_ENGINE_LIMITS } from "../../../../common/http/guards/engine-limits.ts";
import { UserRates } from "../../../../common/http/guards/user-rates.ts";
import { TokenStore } from "../../../../common/http/token-store.ts";
import { logger } from "../../../../common/logger.ts";
import { SqliteAuditStore } from "../../../../engine/audit/sqlite-audit-store.ts";
import { Engine } from "../../../../engine/engine.ts";
import { AdvanceResponses } from "../../../../engine/server/connections/advance-responses.ts";
import { UnknownMessages } from "../../../../engine/server/connections/unknown-messages.ts";
import { type SocketData, WebSockets } from "../../../../engine/server/connections/web-sockets.ts";
import { EngineFailure } from "../../../../engine/server/host/engine-failure.ts";
import { EngineHost } from "../../../../engine/server/host/engine-host.ts";
import { EngineCounters } from "../../../../engine/server/metrics/engine-counters.ts";
import { PROTOCOL_VERSION } from "../../../../protocol/index.ts";
import { replaced } from "../../../support/replaced.ts";
import { EPOCH, smallMarket, START, USERS } from "../../support/market.ts";
import { SteppedTimers } from "../host/stepped-timers.ts";
import { FakeSocket } from "./fake-socket.ts";

const CLOSED = 1000;
/** No close frame came. */
const ABNORMAL = 1006;
const HELLO = JSON.stringify({ kind: "hello", protocol: PROTOCOL_VERSION, userId: USERS.alpha });

/** Is answered with a rejection, after what was confirmed before. */
const ANSWERED = JSON.stringify({ kind: "request", requestId: "1" });

function served(connections: number) {
  const [log, timers, counters] = [logger("test"), new SteppedTimers(), new EngineCounters()];
  const now = () => START + timers.processTime;
  const engine = new Engine(smallMarket(), { epoch: EPOCH, now: START, engineId: "test-engine", secret: null });
  const host = new EngineHost({ engine, audit: SqliteAuditStore.inMemory({ now }), now, log, defer: (task) => task() });
  const limits = { ...DEFAULT_ENGINE_LIMITS, connections };
  const sockets = new WebSockets({
    ...{ host, engineId: "test-engine", log, limits, timers, counters, helloTimeoutMs: 3_000 },
    tokens: new TokenStore({ token: null, file: null, variables: { token: "", file: "" }, log }),
    unknown: new UnknownMessages(log),
    rates: new UserRates(limits, now),
    advances: new AdvanceResponses({ timers, queuedCharacters: () => 0 }),
  });
  const { open, message, close, drain } = sockets.handler;
  const opened = (hello: string | null = HELLO) => {
    const fake = new FakeSocket();
    const terminated = spyOn(fake, "terminate");
    const socket = Object.assign(fake, { data: { connection: null } }) as unknown as ServerWebSocket<SocketData>;
    void open!(socket);
    if (hello !== null) void message!(socket, hello as never);
    const closed = (code = CLOSED, reason = "") => void close!(socket, code, reason);
    const refusal = () => (fake.sent.at(-1) ?? "").includes('"refused"') ? JSON.parse(fake.sent.at(-1)!).code : null;
    const drained = () => void drain!(Object.assign(socket, { buffered: 0 }));
    return { closed, drained, fake, refusal, send: (text: string) => void message!(socket, text as never), terminated };
  };
  const faults = () =>
    counters.endedConnections.samples("code").filter(({ value }) => value > 0).map(({ labels, value }) =>
      `${labels["code"]} ${value}`
    );
  return { sockets, host, limits, opened, faults };
}

describe("a place among the open connections", () => {
  test("is given back whenever a connection closes, with or without a hello", () => {
    const { sockets, host, opened } = served(2);
    for (let round = 0; round < 3; round++) {
      const clients = [opened(), opened()];
      expect([sockets.count, sockets.all.length, host.subscribers.count, sockets.admitsAnother()])
        .toEqual([2, 2, 2, false]);
      clients[0]!.closed(round === 1 ? ABNORMAL : CLOSED);
      expect([sockets.count, host.subscribers.count, sockets.admitsAnother()]).toEqual([1, 1, true]);
      clients[1]!.closed();
      const silent = opened(null);
      expect([sockets.count, host.subscribers.count]).toEqual([1, 0]);
      silent.closed();
      expect([sockets.count, sockets.all]).toEqual([0, []]);
    }
  });

  test("is that of a silent connection if all are taken, whose socket is cut off", () => {
    const { sockets, opened } = served(2);
    const [silent, client] = [opened(null), opened()];
    expect(sockets.admitsAnother()).toBe(true);
    expect([silent.terminated.mock.calls.length, client.terminated.mock.calls.length, sockets.count]).toEqual([
      1,
      0,
      1,
    ]);
    silent.closed(ABNORMAL);
    expect(sockets.count).toBe(1);
  });
});

describe("a connection", () => {
  test("counts as ended by a fault only if the runtime gives a reason of its own", () => {
    const { opened, faults } = served(9);
    opened().closed(CLOSED, "bye");
    opened().closed(ABNORMAL, "");
    expect(faults()).toEqual([]);
    opened().closed(ABNORMAL, "Received too big message");
    expect(faults()).toEqual(["connection_fault 1"]);
  });

  test("is refused at a shutdown, also one that is opened later", () => {
    const { sockets, opened } = served(9);
    const early = opened();
    expect([early.refusal(), sockets.isShuttingDown]).toEqual([null, false]);
    sockets.shutDown();
    expect([early.refusal(), opened(null).refusal(), sockets.isShuttingDown])
      .toEqual(["shutting_down", "shutting_down", true]);
  });
});

describe("the runtime", () => {
  test("pings silent sockets, takes no frame above the limit, and keeps what a send queue may give it", () => {
    const { sockets: { handler }, limits } = served(9);
    const { idleTimeout, maxPayloadLength, backpressureLimit } = handler;
    expect([idleTimeout, maxPayloadLength, backpressureLimit]).toEqual([30, limits.frameBytes, 8 << 20]);
  });

  test("lets a connection go on with its snapshot once its socket has drained", () => {
    const { opened, host } = served(9);
    const client = opened(null);
    client.fake.fill();
    client.send(HELLO);
    expect([client.fake.sent.length, host.subscribers.count]).toEqual([0, 1]);
    client.drained();
    expect(client.fake.sent.at(-1)).toContain('"snapshotEnd"');
  });

  test("is not told of a failure that the engine has reported, and is told of any other", () => {
    const { opened, host } = served(9);
    const client = opened();
    let error: Error = new EngineFailure("reported");
    replaced(host, "flush", () => {
      throw error;
    });
    client.send(ANSWERED);
    error = new Error("another");
    expect(() => client.send(ANSWERED)).toThrow("another");
  });
});
