// Cancelled calls with the compiled executable: while a person is asked, between the steps of a flush, many at once, and
// notifications that cancel nothing.

import { beforeAll, describe, expect, test } from "bun:test";
import { BARE_ENVIRONMENT, type RunningEngineProcess, startHttpServer } from "../support/executable.ts";
import { HANDSHAKE, modernCall, modernHeaders, modernMeta } from "../support/raw-request.ts";
import { size } from "../support/sizes.ts";
import { startStdioServer } from "../support/stdio-server.ts";
import { until } from "../support/until.ts";
import { loggingServer } from "../core/server/clients/followed-call.ts";
import { called } from "../core/server/clients/followed-client.ts";
import { NORTH, startMarket } from "./support/market.ts";
import { startSilentEngine } from "../support/silent-engine.ts";

let engine: RunningEngineProcess;

beforeAll(async () => {
  engine = await startMarket();
});

// Protocol 2026-07-28 asks no person while a call runs: the client repeats the call with the answer.
test.each(["v1", "v2"] as const)(
  "client %s: a call that asks a person ends, and changes nothing",
  async (generation) => {
    const { newClient, logged } = await loggingServer({ generation, transport: "stdio", era: "legacy" }, {
      ...engine.environmentFor("operator"),
      MKT_CONFIRM: "elicit",
    });
    const asked = Promise.withResolvers<void>();
    const client = await newClient(() => {
      asked.resolve();
      return new Promise(() => {});
    });
    await called(client, "mkt_connect_pubsub");
    const cancelling = new AbortController();
    const call = called(client, "mkt_halt_market", {}, { signal: cancelling.signal });
    await asked.promise;
    cancelling.abort();
    expect(await call.then(() => "answered", () => "ended")).toBe("ended");
    const halts = () => logged().filter(({ tool }) => tool === "mkt_halt_market");
    expect(await until(halts, ({ length }) => length === 1)).toMatchObject([{ outcome: "given_up" }]);
    expect(await called(client, "mkt_get_market_state")).toMatchObject({ status: "open" });
  },
);

test("changes whose clients go away give back their places over HTTP, though the market never answers", async () => {
  const silent = startSilentEngine();
  const env = {
    ...silent.environmentFor("anna"),
    MKT_AUTO_CONNECT: "1",
    MCP_MAX_REQUESTS: "10",
    MKT_CALL_LOG: "stderr",
  };
  const server = await startHttpServer(env);
  await server.untilStderr(/pubsub is .{1,4}connected/);
  const rounds = size(3, 100);
  for (let round = 1; round <= rounds; round += 1) {
    const leaving = new AbortController();
    const calls = Array.from({ length: 10 }, () => callTool(server.url, "mkt_halt_market", leaving.signal));
    await until(() => silent.requests.length === 10 * round);
    leaving.abort();
    expect(new Set(await Promise.all(calls))).toEqual(new Set([null]));
    const ended = () => server.stderr().match(/"tool":"mkt_halt_market".*"outcome":"given_up"/g)?.length;
    await until(() => ended() === 10 * round);
  }
  expect(await callTool(server.url, "mkt_ping")).toBe(200);
});

/** The status of a call in protocol 2026-07-28; null if it was given up. */
async function callTool(url: string, name: string, signal?: AbortSignal): Promise<number | null> {
  const init = { method: "POST", headers: modernHeaders("tools/call", name), body: modernCall(name, {}) };
  try {
    return (await fetch(`${url}/mcp`, { ...init, ...(signal && { signal }) })).status;
  } catch (error) {
    if (signal?.aborted) return null;
    throw error;
  }
}

describe.each(["modern", "legacy"] as const)("raw messages, %s", (era) => {
  const envelope = era === "modern" ? modernMeta() : {};
  const metaWith = (meta: object) => era === "modern" || Object.keys(meta).length > 0 ? { _meta: meta } : {};
  const call = (id: number, name: string, input: object = {}, meta: object = {}) => {
    const params = { name, arguments: input, ...metaWith({ ...envelope, ...meta }) };
    return { jsonrpc: "2.0", id, method: "tools/call", params };
  };
  const cancel = (requestId?: unknown) => {
    const params = { requestId, ...metaWith(envelope) };
    return { jsonrpc: "2.0", method: "notifications/cancelled", params };
  };

  function start(env: Record<string, string>) {
    const server = startStdioServer({ ...BARE_ENVIRONMENT, MKT_CALL_LOG: "stderr", ...env });
    if (era === "legacy") server.send(...HANDSHAKE);
    return server;
  }

  test("cancelling a call that has ended, an unknown one, or one twice changes nothing", async () => {
    const server = start(engine.environmentFor("operator"));
    server.send(call(1, "mkt_connect_pubsub"));
    await server.answer(1);
    const wait = call(2, "mkt_watch_market", { contractId: NORTH, waitSeconds: 30 });
    server.send(cancel(1), cancel(99), cancel("1"), cancel(), wait, cancel("2"), call(3, "mkt_ping"));
    await server.answer(3);
    expect(server.output.stderr).not.toContain("given_up");
    server.send(cancel(2), cancel(2), call(4, "mkt_ping"), cancel(2));
    await server.answer(4);
    await until(() => server.output.stderr.includes('"outcome":"given_up"'), "the end of the wait");
    server.close();
    expect(await server.ended()).toBe(0);
    expect(server.output.stdout).not.toContain('"id":2');
    expect(server.output.stderr.match(/"outcome":"given_up"/g)).toHaveLength(1);
  });

  test("a flush that is cancelled while it counts the orders does not flush", async () => {
    const silent = startSilentEngine();
    const server = start(silent.environmentFor("anna"));
    server.send(call(1, "mkt_connect_pubsub"));
    await server.answer(1);
    server.send(call(2, "mkt_flush_all_orders", { confirm: true }, { progressToken: "token" }));
    await until(() => silent.requests.length === 1);
    expect(silent.requests).toMatchObject([{ action: "market.flush", payload: { preview: true } }]);
    server.send(cancel(2), call(3, "mkt_ping"));
    await server.answer(3);
    await until(() => server.output.stderr.includes('"outcome":"given_up"'), "the end of the flush");
    server.close();
    expect(await server.ended()).toBe(0);
    expect(silent.requests).toHaveLength(1);
    expect(server.output.stdout).not.toContain('"id":2');
    expect(server.output.stderr).toMatch(
      /cancelled its call after \\"market.flush\\" was sent: operation \S+ may take effect/,
    );
  });
});
