// What each client says of an address that gives it nothing: in plain words, and never in those of the runtime, which are for
// programmers.

import { describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { tableFailure } from "../../common/audit/azure/table-connection.ts";
import { errorMessage } from "../../common/error-message.ts";
import { logger } from "../../common/logger.ts";
import { steadyNow } from "../../common/steady-now.ts";
import { directRequest } from "../../cli/doctor/direct-request.ts";
import { probe } from "../../cli/server/health.ts";
import { BackendHttp } from "../../core/backend/backend-http.ts";
import { requestBackup } from "../../engine/backup/backup-client.ts";
import { McpTarget } from "../../load/mcp-target.ts";
import { EngineClock } from "../../protocol/client/engine-clock.ts";
import { EngineLink, reasonOf } from "../../protocol/client/engine-link.ts";
import { BunRedisLink } from "../../replicas/redis/bun-redis-link.ts";
import { atEnd } from "../support/at-end.ts";
import { RUNTIME } from "../plugins/support/plain-words.ts";

/** For an address that never answers. Every other fault shows well before the long one. */
const [SHORT_MS, LONG_MS] = [200, 60_000];

/** The port of a server that treats each connection in this way. */
async function port(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    serve(socket);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

const CLOSED = /it closed the connection before its answer was complete|the connection was closed/;
const SILENT = /no answer (within 200 ms|in time)|silent for 200 ms/;

type Fault = readonly [what: string, host: () => Promise<string>, isTls: boolean, says: string | RegExp];
const FAULTS: readonly Fault[] = [
  ["that nobody listens at", () => Promise.resolve("127.0.0.1:1"), false, "nothing there accepts a connection"],
  [
    "that resets connections",
    async () => `127.0.0.1:${await port((socket) => socket.once("data", () => socket.resetAndDestroy()))}`,
    false,
    CLOSED,
  ],
  [
    "that closes connections",
    async () => `127.0.0.1:${await port((socket) => socket.once("data", () => socket.end()))}`,
    false,
    CLOSED,
  ],
  [
    "that speaks no TLS",
    async () => `127.0.0.1:${await port((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 No\r\n\r\n")))}`,
    true,
    /it does not speak TLS on this port/,
  ],
  [
    "that is unknown",
    () => Promise.resolve("nothing.invalid"),
    false,
    /its host name (is unknown|can't be looked up now)/,
  ],
  ["that never answers", async () => `127.0.0.1:${await port(() => {})}`, false, SILENT],
];

async function thrownBy(work: Promise<unknown>): Promise<string> {
  return await work.then(() => "it was answered", errorMessage);
}

const user = { token: null, userId: "u" };
const CLIENTS: Readonly<Record<string, (host: string, s: "s" | "", limitMs: number) => Promise<string>>> = {
  "the tools over HTTP": (host, s, limitMs) => {
    const http = new BackendHttp({
      baseUrl: `http${s}://${host}`,
      token: null,
      actingUserId: () => "u",
      timeoutMs: limitMs,
    });
    return thrownBy(http.ask({ method: "POST", path: "/" }));
  },
  "the connection to an engine": async (host, s, limitMs) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const link = new EngineLink({
      url: `ws${s}://${host}/ws`,
      hello: () => ({ kind: "ping" }),
      reader: { read: () => [] },
      clock: new EngineClock(steadyNow),
      timings: {
        pingMs: LONG_MS,
        silenceMs: limitMs,
        openMs: limitMs,
        answerMs: LONG_MS,
        synchronizeMs: LONG_MS,
        closeMs: 1,
      },
      onFrame: () => {},
      onEnd: (end) => resolve(reasonOf(end)),
    });
    return await promise.finally(() => link.close());
  },
  "mkt health": (host, s, limitMs) => thrownBy(probe(`http${s}://${host}`, limitMs)),
  "mkt doctor": (host, s, limitMs) => thrownBy(directRequest(`http${s}://${host}`, { timeoutMs: limitMs })),
  "mkt backup": (host, s, limitMs) => {
    const limit = AbortSignal.timeout(limitMs);
    return thrownBy(requestBackup({ baseUrl: `http${s}://${host}`, ...user }, limit).next());
  },
  "the connection to Redis": async (host, s, limitMs) => {
    const link = new BunRedisLink({ url: `redis${s}://${host}`, log: logger("test"), commandLimitMs: limitMs });
    return await thrownBy(link.attempted()).finally(() => link.close());
  },
};

/** Their time limits are seconds, or the runtime's own. */
const SLOW = ["the connection to Redis", "mkt backup"];

describe.each(Object.keys(CLIENTS))("%s", (name) => {
  test.each(FAULTS)("says of an address %s what is wrong", async (_what, host, isTls, says) => {
    if (says === SILENT && SLOW.includes(name)) return;
    const said = await CLIENTS[name]!(await host(), isTls ? "s" : "", says === SILENT ? SHORT_MS : LONG_MS);
    if (says instanceof RegExp) expect(said).toMatch(says);
    else expect(said).toContain(says);
    expect(said).not.toMatch(RUNTIME);
  });
});

test("table storage and mkt load say it, too", async () => {
  const settings = { endpoint: "http://127.0.0.1:1", accountName: "a", accountKey: "k", tableName: "t" };
  const refused = await fetch(settings.endpoint).then(() => null, (error: Error) => error);
  const load = new McpTarget({ url: settings.endpoint, connections: 1, token: null });
  for (const said of [tableFailure(refused, settings, LONG_MS).message, await thrownBy(load.open())]) {
    expect(said).toContain("nothing there accepts a connection");
    expect(said).not.toMatch(RUNTIME);
  }
});
