// The start on stdio with the compiled executable: the first requests are answered before the rest of the program is loaded.
// The client must not notice, whatever it sends while the rest is being loaded.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { BARE_ENVIRONMENT, MKT, PROCESS_SETTINGS } from "../support/executable.ts";
import { startProcess } from "../support/processes.ts";
import { HANDSHAKE, legacyCall, modernMeta } from "../support/raw-request.ts";
import { startStdioServer } from "../support/stdio-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { size } from "../support/sizes.ts";

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const PING = { jsonrpc: "2.0", id: 9, method: "ping" };
const toolNames = (answer: unknown) =>
  (answer as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);

/** Writes messages to a process at once. */
async function write(stdin: Bun.FileSink, messages: readonly object[]): Promise<void> {
  stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  await stdin.flush();
}

/** All that a process says. Closes its stdin after `isEnough`. */
async function readUntil(output: ReadableStream<Uint8Array>, stdin: Bun.FileSink, isEnough: (text: string) => boolean) {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    if (isEnough(text)) stdin.end();
  }
  return text;
}

describe("a client that sends everything at once", () => {
  test("and closes stdin right after gets all answers, in an old protocol, and the process ends with 0", async () => {
    const server = startStdioServer(NO_BACKEND);
    server.send(...HANDSHAKE, LIST, legacyCall(2, "mkt_ping"), legacyCall(3, "mkt_no_such_tool"), PING);
    server.close();
    expect(await server.ended()).toBe(0);
    expect(toolNames(await server.answer(1))).toContain("mkt_ping");
    expect((await server.answer(2)).result.content[0].text).toContain("toolCount");
    expect(await server.answer(3)).toMatchObject({ error: { code: -32602 } });
    expect((await server.answer(9)).result as unknown).toEqual({});
    expect(server.output.stdout.trim().split("\n")).toHaveLength(5);
  });

  test("gets all answers, in protocol 2026-07-28", async () => {
    const server = startStdioServer(NO_BACKEND);
    const _meta = modernMeta();
    server.send(
      { jsonrpc: "2.0", id: 0, method: "server/discover", params: { _meta } },
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "mkt_ping", arguments: {}, _meta } },
      { jsonrpc: "2.0", id: 3, method: "initialize", params: { protocolVersion: "2025-06-18" } },
    );
    expect(await server.answer(0)).toMatchObject({ result: { supportedVersions: ["2026-07-28"] } });
    expect(toolNames(await server.answer(1))).toContain("mkt_ping");
    expect((await server.answer(2)).result.content[0].text).toContain("toolCount");
    // The first request has chosen the protocol, for the SDK's server, too.
    expect(await server.answer(3)).toHaveProperty("error");
  });

  test("may use one id for several requests", async () => {
    const server = startStdioServer(NO_BACKEND);
    const [initialize, initialized] = HANDSHAKE;
    server.send({ ...initialize, id: 1 }, initialized ?? {}, LIST, legacyCall(1, "mkt_ping"), { ...PING, id: 1 }, PING);
    await server.answer(9);
    await until(() => server.output.stdout.trim().split("\n").length === 5, "five answers");
    expect(server.output.stdout).toContain("toolCount");
  });
});

test("the table in the executable lists the tools as the SDK does", async () => {
  const server = startStdioServer(NO_BACKEND);
  // A request with a progress token waits for the SDK.
  server.send(...HANDSHAKE, LIST, { ...LIST, id: 2, params: { _meta: { progressToken: 1 } } });
  expect((await server.answer(2)).result).toEqual((await server.answer(1)).result);
  const [, early = "", late = ""] = server.output.stdout.split("\n");
  expect(late).toBe(early.replace(/1\}$/, "2}"));
});

const LIMITED = { ...NO_BACKEND, MKT_READ_ONLY: "1", MKT_PACKS: "sim", MKT_OUTPUT_SCHEMAS: "off" };
const dotenv = join(temporaryDirectory(), "env");
await Bun.write(dotenv, Object.entries(LIMITED).map(([name, value]) => `${name}=${value}\n`).join(""));
test.each<[string, string, Record<string, string>, readonly object[]]>([
  ["protocol 2026-07-28", "the environment", LIMITED, [{ ...LIST, params: { _meta: modernMeta() } }]],
  ["an old protocol", "the file of DOTENV_PATH", { DOTENV_PATH: dotenv }, [...HANDSHAKE, LIST]],
])("the early list of %s has what MKT_READ_ONLY, MKT_PACKS and MKT_OUTPUT_SCHEMAS of %s say", async (...row) => {
  const [, , env, messages] = row;
  const server = startStdioServer(env);
  server.send(...messages);
  expect(toolNames(await server.answer(1))).toEqual(["mkt_sim_status", "mkt_sim_get_spot_prices"]);
  expect(server.output.stdout).not.toContain("outputSchema");
});

test("a call that the client cancels while the program is being loaded is not answered", async () => {
  using silent = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Promise<Response>(() => {}) });
  const server = startStdioServer({ ...NO_BACKEND, MKT_BASE_URL: `http://127.0.0.1:${silent.port}` });
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
  server.send(...HANDSHAKE, LIST, legacyCall(2, "mkt_list_entities"), cancel, PING);
  await server.answer(9);
  server.close();
  expect(await server.ended()).toBe(0);
  expect(server.output.stdout).not.toContain('"id":2');
});

test("a client that sends nothing and closes stdin ends the process with 0 and nothing on stdout", async () => {
  const server = startStdioServer(NO_BACKEND);
  server.close();
  expect(await server.ended()).toBe(0);
  expect(server.output.stdout).toBe("");
});

test.each(size(["SIGTERM"], ["SIGTERM", "SIGINT"]) as NodeJS.Signals[])(
  "%s right after the first answer ends the process with 0",
  async (signal) => {
    const server = startStdioServer(NO_BACKEND);
    server.send(...HANDSHAKE, LIST);
    await server.answer(1);
    server.kill(signal);
    expect(await server.ended()).toBe(0);
    expect(server.output.stderr).toContain("changes are refused from now on");
  },
);

describe("a start with a fault answers nothing, names the fault and ends with 2", () => {
  const missing = join(temporaryDirectory(), "missing", "file");
  const faults: [Record<string, string>, string][] = [
    [{}, "MKT_HOST: is required"],
    [{ ...NO_BACKEND, DOTENV_PATH: missing }, `DOTENV_PATH: there is no file ${missing}`],
    [{ ...NO_BACKEND, MKT_PACKS: "qurey" }, "MKT_PACKS: there is no pack qurey (did you mean query?)"],
    [{ ...NO_BACKEND, MKT_CALL_LOG: missing }, `MKT_CALL_LOG: ${missing} can't be written`],
  ];
  test.each(size(faults.slice(0, 2), faults))("%o", async (env, fault) => {
    const server = startStdioServer(env);
    server.send(...HANDSHAKE, LIST);
    expect(await server.ended()).toBe(2);
    expect(server.output.stdout).toBe("");
    expect(server.output.stderr).toContain(`mkt: ${fault}`);
  });
});

test("a client that writes more than pipes hold before it reads anything gets every answer", async () => {
  const child = startProcess([MKT], {
    env: { ...PROCESS_SETTINGS, ...NO_BACKEND },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const lists = Array.from({ length: 20 }, (_, index) => ({ ...LIST, id: `list ${index}` }));
  const pings = Array.from({ length: 4000 }, (_, index) => ({ ...PING, id: `ping ${index}` }));
  const sent = [...HANDSHAKE, ...lists, ...pings];
  await write(child.stdin, sent);
  // All but notifications/initialized are answered.
  const text = await readUntil(child.stdout, child.stdin, (text) => text.split("\n").length === sent.length);
  const ids = text.trimEnd().split("\n").map((line) => (JSON.parse(line) as { id: unknown }).id);
  expect(ids.toSorted()).toEqual([0, ...[...lists, ...pings].map(({ id }) => id)].toSorted());
  expect(await child.exited).toBe(0);
});

const EARLY = ["answered early", {}] as const;
const WITH_PACKS = ["of a server with external packs", { MKT_PLUGIN_DIR: temporaryDirectory() }] as const;
test.each(size<(readonly [string, Record<string, string>])[]>([EARLY], [EARLY, WITH_PACKS]))(
  "a client %s that no longer reads is logged, and the process ends with 0 when stdin does",
  async (_name, env) => {
    // stdout is a pipe whose reader has ended.
    const child = startProcess(["bash", "--norc", "-c", 'exec 3> >(true); wait $!; exec "$0" >&3 3>&-', MKT], {
      env: { ...BARE_ENVIRONMENT, ...NO_BACKEND, ...env },
      stdin: "pipe",
      stdout: "ignore",
      stderr: "pipe",
    });
    await write(child.stdin, [...HANDSHAKE, LIST]);
    expect(await readUntil(child.stderr, child.stdin, (text) => text.includes("EPIPE"))).toContain("EPIPE");
    expect(await child.exited).toBe(0);
  },
);
