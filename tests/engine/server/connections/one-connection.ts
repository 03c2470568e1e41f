// One connection on sockets, timers and a market that only the test moves.

import { spyOn } from "bun:test";
import { DEFAULT_ENGINE_LIMITS } from "../../../../common/http/guards/engine-limits.ts";
import { UserRates } from "../../../../common/http/guards/user-rates.ts";
import { TokenStore } from "../../../../common/http/token-store.ts";
import { logger } from "../../../../common/logger.ts";
import { SqliteAuditStore } from "../../../../engine/audit/sqlite-audit-store.ts";
import { Engine } from "../../../../engine/engine.ts";
import { AdvanceResponses } from "../../../../engine/server/connections/advance-responses.ts";
import { Connection, type ConnectionOptions } from "../../../../engine/server/connections/connection.ts";
import { SendQueues } from "../../../../engine/server/connections/send-queues.ts";
import { UnknownMessages } from "../../../../engine/server/connections/unknown-messages.ts";
import { EngineHost } from "../../../../engine/server/host/engine-host.ts";
import { EngineCounters } from "../../../../engine/server/metrics/engine-counters.ts";
import { PROTOCOL_VERSION } from "../../../../protocol/index.ts";
import { EPOCH, smallMarket, START, USERS } from "../../support/market.ts";
import { SteppedTimers } from "../host/stepped-timers.ts";
import { FakeSocket } from "./fake-socket.ts";

export const HELLO_MS = 3_000;
export const SNAPSHOT_MS = 7_000;
export const HELLO = JSON.stringify({ kind: "hello", protocol: PROTOCOL_VERSION, userId: USERS.alpha });

interface Given extends Partial<Pick<ConnectionOptions, "tokens">> {
  /** Default: a call of the market is confirmed at once. */
  readonly defer?: (task: () => void) => void;
}

export function connected({ defer = (task) => task(), tokens }: Given = {}) {
  const [log, timers, hostTimers] = [logger("test"), new SteppedTimers(), new SteppedTimers()];
  const now = () => START + timers.processTime;
  const engine = new Engine(smallMarket(), { epoch: EPOCH, now: START, engineId: "test-engine", secret: null });
  const audit = SqliteAuditStore.inMemory({ now });
  const host = new EngineHost({ engine, audit, now, log, timers: hostTimers, defer });
  const socket = new FakeSocket();
  const ends = { closed: spyOn(socket, "close"), terminated: spyOn(socket, "terminate") };
  const limits = { ...DEFAULT_ENGINE_LIMITS, snapshotSeconds: SNAPSHOT_MS / 1_000 };
  const [sendQueues, counters] = [new SendQueues(Infinity), new EngineCounters()];
  const connection = new Connection(socket, {
    ...{ host, engineId: "test-engine", log, limits, timers, sendQueues, helloTimeoutMs: HELLO_MS },
    tokens: tokens ?? new TokenStore({ token: null, file: null, variables: { token: "", file: "" }, log }),
    unknown: new UnknownMessages(log),
    rates: new UserRates(limits, now),
    advances: new AdvanceResponses({ timers, queuedCharacters: () => sendQueues.total }),
    counters,
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
  /** How many connections have ended, by code. */
  const ended = () =>
    counters.endedConnections.samples("code").filter(({ value }) => value > 0).map(({ labels, value }) =>
      `${labels["code"]} ${value}`
    );
  return { connection, ended, socket, timers, ends, refusal, host, hostTimers, sendQueues, submit };
}
