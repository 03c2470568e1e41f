// SIGTERM while a call is pending: from the signal on changes are refused, and reads are served until the drain ends. The
// engine behind mkt confirms nothing, so the call stays pending as long as a test needs.

import { describe, expect, test } from "bun:test";
import { BARE_ENVIRONMENT, MKT, type RunningMkt, startHttpServer } from "../support/executable.ts";
import { connected, connectHttp, type PersonAtClient } from "../support/clients.ts";
import { startProcess } from "../support/processes.ts";
import { startSilentEngine } from "./support/silent-engine.ts";
import { until } from "../support/until.ts";

const ENDING = /changes are refused from now on/;

interface RpcAnswer {
  readonly id: number;
  readonly result: { readonly isError?: boolean; readonly content: readonly [{ readonly text: string }] };
}

const call = (id: number, name: string, input: Record<string, unknown> = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: input },
});

async function post(url: string, body: unknown): Promise<RpcAnswer[]> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Accept": "application/json, text/event-stream" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const parts = text.startsWith("event:") || text.includes("\ndata: ")
    ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""))
    : [JSON.parse(text)];
  return parts.flat();
}

/** A server over HTTP with one pending change. */
async function endingServer(env: Record<string, string> = {}) {
  const engine = startSilentEngine();
  const server = await startHttpServer({
    ...engine.environmentFor("anna"),
    MKT_CONFIRM_TIMEOUT_MS: "4000",
    MKT_AUTO_CONNECT: "1",
    ...env,
  });
  const client = await connected(connectHttp("v2", server.url));
  const underWay = client.call("mkt_resume_market");
  await until(() => engine.requests.length === 1);
  return { engine, server, underWay };
}

async function signalled(server: RunningMkt): Promise<void> {
  server.kill("SIGTERM");
  await server.untilStderr(ENDING);
}

describe("over HTTP", () => {
  test("refuses changes from the signal on, alone and in a batch, and still serves reads", async () => {
    const { engine, server, underWay } = await endingServer();
    await signalled(server);
    const [refused] = await post(server.url, call(1, "mkt_halt_market"));
    expect(refused?.result.isError).toBe(true);
    expect(refused?.result.content[0].text).toContain('"code":"shutting_down"');
    expect(refused?.result.content[0].text).toContain("nothing was sent");
    const order = { contractId: "c", side: "BUY", price: 1, quantity: 1 };
    const batch = await post(server.url, [
      call(1, "mkt_create_test_order", order),
      call(2, "mkt_get_market_state"),
      call(3, "mkt_cancel_order", { orderId: "o" }),
    ]);
    const outcomes = batch.sort((a, b) => a.id - b.id).map(({ result }) => result.isError === true);
    expect(outcomes).toEqual([true, false, true]);
    expect((await underWay).value).toMatchObject({ status: "timeout" });
    expect(engine.requests).toHaveLength(1);
    expect(await server.exited).toBe(0);
  });

  test("rejects a change that a person confirms after the signal", async () => {
    const { engine, server, underWay } = await endingServer({ MKT_CONFIRM: "elicit" });
    const asked = Promise.withResolvers<void>();
    const agreement = Promise.withResolvers<void>();
    const person: PersonAtClient = (() => {
      asked.resolve();
      return agreement.promise.then(() => ({ action: "accept", content: { agree: true } }));
    }) as unknown as PersonAtClient;
    const client = await connectHttp("v2", server.url, undefined, person);
    const halted = client.call("mkt_halt_market");
    await asked.promise;
    await signalled(server);
    agreement.resolve();
    expect((await halted).value).toMatchObject({ status: "rejected", error: { code: "shutting_down" } });
    await underWay;
    expect(engine.requests).toHaveLength(1);
    expect(await server.exited).toBe(0);
  });
});

test("over stdio, refuses changes from the signal on and still serves reads", async () => {
  const engine = startSilentEngine();
  const child = startProcess([MKT], {
    env: { ...BARE_ENVIRONMENT, ...engine.environmentFor("anna"), MKT_CONFIRM_TIMEOUT_MS: "4000" },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const answers = new Map<number, RpcAnswer["result"]>();
  let stderr = "";
  const reading = Promise.all([
    (async () => {
      let rest = "";
      for await (const chunk of child.stdout) {
        const lines = (rest + new TextDecoder().decode(chunk)).split("\n");
        rest = lines.pop() ?? "";
        for (const { id, result } of lines.map((line) => JSON.parse(line) as RpcAnswer)) answers.set(id, result);
      }
    })(),
    (async () => {
      for await (const chunk of child.stderr) stderr += new TextDecoder().decode(chunk);
    })(),
  ]);
  const send = (message: unknown) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    child.stdin.flush();
  };
  const clientInfo = { name: "t", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  await until(() => answers.has(1));
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  send(call(2, "mkt_connect_pubsub"));
  await until(() => answers.has(2));
  send(call(3, "mkt_resume_market"));
  await until(() => engine.requests.length === 1);
  child.kill("SIGTERM");
  await until(() => ENDING.test(stderr));
  send(call(4, "mkt_halt_market"));
  send(call(5, "mkt_get_market_state"));
  await until(() => answers.has(4) && answers.has(5));
  expect(answers.get(4)?.content[0].text).toContain('"code":"shutting_down"');
  expect(answers.get(5)?.isError).not.toBe(true);
  expect(await child.exited).toBe(0);
  await reading;
  expect(answers.get(3)?.content[0].text).toContain('"status":"timeout"');
  expect(engine.requests).toHaveLength(1);
});
