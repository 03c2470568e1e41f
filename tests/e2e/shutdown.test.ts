// SIGTERM while a call is pending: from the signal on changes are refused, and reads are served until the drain ends. The
// engine behind mkt confirms nothing, so the call stays pending as long as a test needs.

import { expect, test } from "bun:test";
import { BARE_ENVIRONMENT, startHttpServer } from "../support/executable.ts";
import { connected, connectHttp } from "../support/clients.ts";
import { HANDSHAKE, legacyCall } from "../support/raw-request.ts";
import { startStdioServer } from "../support/stdio-server.ts";
import { post } from "../support/http-requests.ts";
import { startSilentEngine } from "../support/silent-engine.ts";
import { until } from "../support/until.ts";

const ENDING = /changes are refused from now on/;

interface RpcAnswer {
  readonly id: number;
  readonly result: { readonly isError?: boolean; readonly content: readonly [{ readonly text: string }] };
}

async function answersOf(response: Response): Promise<RpcAnswer[]> {
  const text = await response.text();
  const parts = text.startsWith("event:") || text.includes("\ndata: ")
    ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""))
    : [JSON.parse(text)];
  return parts.flat();
}

const engineAndEnvironment = () => {
  const engine = startSilentEngine();
  return { engine, env: { ...engine.environmentFor("anna"), MKT_CONFIRM_TIMEOUT_MS: "4000" } };
};

test("over HTTP, refuses changes from the signal on, alone and in a batch, and still serves reads", async () => {
  const { engine, env } = engineAndEnvironment();
  const server = await startHttpServer({ ...env, MKT_AUTO_CONNECT: "1" });
  const client = await connected(connectHttp("v2", server.url));
  const underWay = client.call("mkt_resume_market");
  await until(() => engine.requests.length === 1);
  server.kill("SIGTERM");
  await server.untilStderr(ENDING);
  const [refused] = await answersOf(await post(server, legacyCall(1, "mkt_halt_market")));
  const text = expect.stringMatching(/(?=.*"code":"shutting_down").*nothing was sent/s);
  expect(refused).toMatchObject({ result: { isError: true, content: [{ text }] } });
  const order = { contractId: "c", side: "BUY", price: 1, quantity: 1 };
  const calls = [
    legacyCall(1, "mkt_create_test_order", order),
    legacyCall(2, "mkt_get_market_state"),
    legacyCall(3, "mkt_cancel_order", { orderId: "o" }),
  ];
  const batch = await answersOf(await post(server, calls));
  const outcomes = batch.sort((a, b) => a.id - b.id).map(({ result }) => result.isError === true);
  expect(outcomes).toEqual([true, false, true]);
  expect((await underWay).value).toMatchObject({ status: "timeout" });
  expect(engine.requests).toHaveLength(1);
  expect(await server.exited).toBe(0);
});

test("over stdio, refuses changes from the signal on and still serves reads", async () => {
  const { engine, env } = engineAndEnvironment();
  const server = startStdioServer({ ...BARE_ENVIRONMENT, ...env });
  server.send(...HANDSHAKE, legacyCall(1, "mkt_connect_pubsub"));
  await server.answer(1);
  server.send(legacyCall(2, "mkt_resume_market"));
  await until(() => engine.requests.length === 1);
  server.kill("SIGTERM");
  await until(() => ENDING.test(server.output.stderr));
  server.send(legacyCall(3, "mkt_halt_market"), legacyCall(4, "mkt_get_market_state"));
  expect((await server.answer(3)).result.content[0].text).toContain('"code":"shutting_down"');
  expect((await server.answer(4)).result.isError).not.toBe(true);
  expect(await server.ended()).toBe(0);
  expect((await server.answer(2)).result.content[0].text).toContain('"status":"timeout"');
  expect(engine.requests).toHaveLength(1);
});
