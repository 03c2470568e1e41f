// Calls that wait for the next market event (waitSeconds): how they hold and give back connections over HTTP, and what ends
// them in a process. tests/plugins/waiting.test.ts has what they answer.

import { describe, expect, test } from "bun:test";
import { BARE_ENVIRONMENT, startHttpServer } from "../support/executable.ts";
import { httpServerHere } from "../support/in-process.ts";
import { KeptConnection, toolCall } from "../support/kept-connection.ts";
import { HANDSHAKE, legacyCall } from "../support/raw-request.ts";
import { size } from "../support/sizes.ts";
import { startStdioServer } from "../support/stdio-server.ts";
import { until } from "../support/until.ts";
import { post } from "../support/http-requests.ts";
import { NORTH, startPowerMarket } from "../support/power-market.ts";

const WAIT = { contractId: NORTH, waitSeconds: 30 };

/** A server over HTTP, connected to a market of its own. */
async function connectedServer<Server extends { readonly url: string }>(
  start: (env: Record<string, string>) => Promise<Server>,
  env: Record<string, string> = {},
) {
  const engine = await startPowerMarket();
  const server = await start({ ...engine.environmentFor("bert"), MKT_AUTO_CONNECT: "1", ...env });
  const waiting = async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    return Number(/^mkt_waiting_calls (\d+)$/m.exec(metrics)?.[1]);
  };
  const connection = new KeptConnection(server.url);
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const answer = await connection.send(toolCall(server.url, name, input));
    return JSON.parse(answer?.body ?? "{}").result?.structuredContent as Record<string, unknown> | undefined;
  };
  await until(() => call("mkt_get_market_state"), "the connection to the market");
  return { engine, server, waiting, call };
}

/** Waits on a connection of its own. */
function waitOn({ url }: { readonly url: string }, input: Record<string, unknown> = WAIT) {
  const connection = new KeptConnection(url);
  const answer = connection.send(toolCall(url, "mkt_watch_orders", input)).then((response) =>
    response === null ? null : JSON.parse(response.body).result.structuredContent as Record<string, unknown>
  );
  return { connection, answer };
}

const ORDER = { contractId: NORTH, side: "BUY", price: 100, quantity: 1 };

describe("over HTTP", () => {
  test("many calls wait while MCP_MAX_REQUESTS is 2, other calls are answered, and one event answers all", async () => {
    const { server, waiting, call } = await connectedServer(httpServerHere, { MCP_MAX_REQUESTS: "2" });
    const many = size(20, 1000);
    const calls: ReturnType<typeof waitOn>[] = [];
    for (let made = 0; made < many; made += 1) {
      calls.push(waitOn(server));
      await until(async () => await waiting() === made + 1, "the call to wait");
    }
    expect(await call("mkt_get_order_book", { contractId: NORTH })).toMatchObject({ bids: [] });
    expect(await waiting()).toBe(many);
    expect(await call("mkt_create_test_order", ORDER)).toMatchObject({ status: "success" });
    for (const { answer } of calls) expect(await answer).toMatchObject({ count: 1, waited: true });
    expect(await waiting()).toBe(0);
    expect(await call("mkt_ping")).toMatchObject({ status: "ok" });
  });

  test("waiting calls of a batch are answered at SIGTERM, and the process ends with 0", async () => {
    const { server, waiting } = await connectedServer(startHttpServer);
    const { answer } = waitOn(server);
    const batch = post(server, [1, 2, 3].map((id) => legacyCall(id, "mkt_watch_orders", WAIT)));
    await until(async () => await waiting() === 4);
    server.kill("SIGTERM");
    expect(await answer).toMatchObject({ count: 0, waited: true, missed: 0 });
    const text = await (await batch).text();
    expect([...text.matchAll(/"waited":true/g)].length).toBeGreaterThanOrEqual(3);
    expect(await server.exited).toBe(0);
  });

  test("a call waits on a connection that was used before (long: for longer than its idle timeout)", async () => {
    const { server } = await connectedServer(httpServerHere);
    const { connection, answer } = waitOn(server, { ...WAIT, waitSeconds: 1 });
    expect(await answer).toMatchObject({ count: 0 });
    const again = connection.send(toolCall(server.url, "mkt_watch_orders", { ...WAIT, waitSeconds: size(2, 25) }));
    const result = { structuredContent: { waited: true } };
    expect(JSON.parse((await again)?.body ?? "null")).toMatchObject({ result });
  });
});

test("a call that waits on stdio ends when the client closes stdin, and the process ends with 0", async () => {
  const engine = await startPowerMarket();
  const server = startStdioServer({ ...BARE_ENVIRONMENT, ...engine.environmentFor("bert") });
  server.send(...HANDSHAKE, legacyCall(1, "mkt_connect_pubsub"));
  await server.answer(1);
  server.send(legacyCall(2, "mkt_watch_orders", WAIT), legacyCall(3, "mkt_ping"));
  await server.answer(3);
  server.close();
  expect(await server.ended()).toBe(0);
});
