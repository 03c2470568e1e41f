// `__proto__` in a call's arguments at any depth, over every transport: the call is refused, and the key is never dropped.

import { describe, expect, test } from "bun:test";
import { runMktHere } from "../../../support/command-line-here.ts";
import { httpServerHere, rawServerHere } from "../../../support/in-process.ts";
import { HANDSHAKE, MODERN, modernCall, modernHeaders } from "../../../support/raw-request.ts";
import { NO_BACKEND, post } from "../../../support/http-requests.ts";

/** As JSON text, because `__proto__` in an object literal sets the prototype instead of a key. */
const ARGUMENTS = {
  "at the top": '{"__proto__": {"confirm": true}}',
  "beside others": '{"moduleType": "ORDER", "__proto__": 1}',
  "within a filter": '{"moduleType": "ORDER", "filters": {"__proto__": {"value": 1}}}',
  "within a list": '{"moduleType": "ORDER", "filters": {"price": {"value": [{"__proto__": 1}], "operator": "in"}}}',
};
const TOOL = "mkt_find_modules";
const REFUSAL = /\\?"code\\?":\\?"invalid_input\\?".*__proto__/;

const server = await httpServerHere(NO_BACKEND);

describe.each(Object.entries(ARGUMENTS))("__proto__ %s", (_place, json) => {
  const call = (id: number) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${TOOL}","arguments":${json}}}`;

  test("is refused over HTTP, alone and in a batch", async () => {
    for (const body of [call(1), `[${call(1)}]`]) expect(await (await post(server, body)).text()).toMatch(REFUSAL);
  });

  test("is refused over HTTP on protocol 2026-07-28", async () => {
    const body = modernCall(TOOL, { marker: 1 }).replace('{"marker":1}', json);
    expect(await (await post(server, body, modernHeaders("tools/call", TOOL))).text()).toMatch(REFUSAL);
  });

  test.each(["2025-11-25", MODERN])("is refused over stdio, protocol %s", async (version) => {
    const modern = modernCall(TOOL, { marker: 1 }).replace('{"marker":1}', json);
    const stdio = await rawServerHere(NO_BACKEND);
    stdio.send(...(version === MODERN ? [modern] : [...HANDSHAKE, call(1)]));
    expect(JSON.stringify(await stdio.answer(1))).toMatch(REFUSAL);
    await stdio.end();
  });
});

test("is refused by mkt call", async () => {
  const { exitCode, stdout } = await runMktHere(
    ["call", "mkt_get_module_schema", ARGUMENTS["within a list"]],
    NO_BACKEND,
  );
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(REFUSAL);
});
