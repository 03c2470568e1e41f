// Cancelled calls: while a person is asked, between the steps of a flush, many at once, and
// notifications that cancel nothing.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { httpServerHere, rawServerHere } from "../../../support/in-process.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { HANDSHAKE, modernCall, modernHeaders, modernMeta } from "../../../support/raw-request.ts";
import { size } from "../../../support/sizes.ts";
import { until } from "../../../support/until.ts";
import { callsLogged, loggingServer } from "./followed-call.ts";
import { called } from "./followed-client.ts";
import { NORTH, startPowerMarket } from "../../../support/power-market.ts";
import { startSilentEngine } from "../../../support/silent-engine.ts";

const engine = await startPowerMarket();

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
  const log = join(temporaryDirectory(), "calls");
  const environment = { MKT_AUTO_CONNECT: "1", MCP_MAX_REQUESTS: "10", MKT_CALL_LOG: log };
  const server = await httpServerHere({ ...silent.environmentFor("anna"), ...environment });
  const rounds = size(3, 100);
  for (let round = 1; round <= rounds; round += 1) {
    const leaving = new AbortController();
    const calls = Array.from({ length: 10 }, () => callTool(server.url, "mkt_halt_market", leaving.signal));
    await until(() => silent.requests.length === 10 * round);
    leaving.abort();
    expect(new Set(await Promise.all(calls))).toEqual(new Set([null]));
    await until(() => givenUp(log, "mkt_halt_market") === 10 * round);
  }
  expect(await callTool(server.url, "mkt_ping")).toBe(200);
});

/** How many calls of the log have been given up. */
function givenUp(log: string, name: string): number {
  return callsLogged(log).filter(({ tool, outcome }) => tool === name && outcome === "given_up").length;
}

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

  async function start(env: Record<string, string>) {
    const log = join(temporaryDirectory(), "calls");
    const server = await rawServerHere({ MKT_CALL_LOG: log, ...env });
    if (era === "legacy") server.send(...HANDSHAKE);
    return { server, log };
  }

  test("cancelling a call that has ended, an unknown one, or one twice changes nothing", async () => {
    const { server, log } = await start(engine.environmentFor("operator"));
    server.send(call(1, "mkt_connect_pubsub"));
    await server.answer(1);
    const wait = call(2, "mkt_watch_market", { contractId: NORTH, waitSeconds: 30 });
    server.send(cancel(1), cancel(99), cancel("1"), cancel(), wait, cancel("2"), call(3, "mkt_ping"));
    await server.answer(3);
    expect(givenUp(log, "mkt_watch_market")).toBe(0);
    server.send(cancel(2), cancel(2), call(4, "mkt_ping"), cancel(2));
    await server.answer(4);
    await until(() => givenUp(log, "mkt_watch_market") === 1, "the end of the wait");
    await server.end();
    expect(server.output.stdout).not.toContain('"id":2');
    expect(givenUp(log, "mkt_watch_market")).toBe(1);
  });

  test("a flush that is cancelled while it counts the orders does not flush", async () => {
    const silent = startSilentEngine();
    const { server, log } = await start(silent.environmentFor("anna"));
    server.send(call(1, "mkt_connect_pubsub"));
    await server.answer(1);
    server.send(call(2, "mkt_flush_all_orders", { confirm: true }, { progressToken: "token" }));
    await until(() => silent.requests.length === 1);
    expect(silent.requests).toMatchObject([{ action: "market.flush", payload: { preview: true } }]);
    server.send(cancel(2), call(3, "mkt_ping"));
    await server.answer(3);
    await until(() => givenUp(log, "mkt_flush_all_orders") === 1, "the end of the flush");
    await server.end();
    expect(silent.requests).toHaveLength(1);
    expect(server.output.stdout).not.toContain('"id":2');
  });
});
