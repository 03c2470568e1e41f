// `__proto__` in a call's arguments at any depth, over every transport: the call is refused, and the key is never dropped.

import { describe, expect, test } from "bun:test";
import { MKT, runMkt, startHttpServer } from "../support/executable.ts";
import { MODERN, modernCall, modernHeaders } from "../support/modern-request.ts";
import { startProcess } from "../support/processes.ts";
import { JSON_HEADERS, NO_BACKEND } from "./support/http-requests.ts";

/** As JSON text, because `__proto__` in an object literal sets the prototype instead of a key. */
const ARGUMENTS = {
  "at the top": '{"__proto__": {"confirm": true}}',
  "beside others": '{"moduleType": "ORDER", "__proto__": 1}',
  "within a filter": '{"moduleType": "ORDER", "filters": {"__proto__": {"value": 1}}}',
  "within a list": '{"moduleType": "ORDER", "filters": {"price": {"value": [{"__proto__": 1}], "operator": "in"}}}',
};
const TOOL = "mkt_find_modules";
const REFUSAL = /\\?"code\\?":\\?"invalid_input\\?".*__proto__/;

const server = await startHttpServer(NO_BACKEND);

describe.each(Object.entries(ARGUMENTS))("__proto__ %s", (_place, json) => {
  const call = (id: number) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${TOOL}","arguments":${json}}}`;

  async function post(body: string, headers: Record<string, string> = {}): Promise<string> {
    const init = { method: "POST", headers: { ...JSON_HEADERS, ...headers }, body };
    return await (await fetch(`${server.url}/mcp`, init)).text();
  }

  test("is refused over HTTP, alone and in a batch", async () => {
    expect(await post(call(1))).toMatch(REFUSAL);
    expect(await post(`[${call(1)}]`)).toMatch(REFUSAL);
  });

  test("is refused over HTTP on protocol 2026-07-28", async () => {
    const body = modernCall(TOOL, { marker: 1 }).replace('{"marker":1}', json);
    expect(await post(body, modernHeaders("tools/call", TOOL))).toMatch(REFUSAL);
  });

  test.each(["2025-11-25", MODERN])("is refused over stdio, protocol %s", async (version) => {
    const hello = {
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    };
    const lines = version === MODERN
      ? [modernCall(TOOL, { marker: 1 }).replace('{"marker":1}', json)]
      : [JSON.stringify(hello), '{"jsonrpc":"2.0","method":"notifications/initialized"}', call(1)];
    const child = startProcess([MKT], { env: NO_BACKEND, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
    for (const line of lines) child.stdin.write(`${line}\n`);
    await child.stdin.flush();
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      text += decoder.decode(chunk, { stream: true });
      if (/"id":1\b/.test(text)) break;
    }
    await child.stdin.end();
    expect(text.split("\n").find((line) => /"id":1\b/.test(line))).toMatch(REFUSAL);
    expect(await child.exited).toBe(0);
  });

  test("is refused by mkt call", async () => {
    const { exitCode, stdout } = await runMkt(["call", "mkt_get_module_schema", json], NO_BACKEND);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(REFUSAL);
  });
});
