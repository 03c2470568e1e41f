// Makes the table of the start: asks the SDK's server, with all built-in packs, what it answers to a client's first requests.

import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { readConfiguration } from "../core/config/environment.ts";
import { toolEntry } from "../core/dispatch/catalogue.ts";
import { isOfferedBy } from "../core/guardrails/call-checks.ts";
import { createRuntime, type Program } from "../core/runtime.ts";
import { mcpServerFactory } from "../core/server/sdk/mcp-server.ts";
import type { StartTable } from "../core/start/start-table.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

export async function startTable(program: Program): Promise<StartTable> {
  for (const { name, unavailable } of program.packs) {
    if (unavailable) throw new Error(`the table of the start can't hold what the pack ${name} does`);
  }
  const readOnly = configurationWith({ MKT_READ_ONLY: "1" });
  return {
    initialize: await initializeOf(program),
    discover: await resultOf(program, { method: "server/discover", params: { _meta: META } }),
    listEnd: {
      legacy: listEndOf(await resultOf(program, { method: "tools/list" })),
      modern: listEndOf(await resultOf(program, { method: "tools/list", params: { _meta: META } })),
    },
    packs: program.packs.map(({ name, needs, tools }) => ({
      name,
      ...(needs && { needs }),
      tools: tools.map((tool) => ({ ...toolEntry(tool), inReadOnly: isOfferedBy(readOnly, tool) })),
    })),
  };
}

async function initializeOf(program: Program): Promise<StartTable["initialize"]> {
  const asked = async (protocolVersion: string) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "build", version: "1" } };
    const [, version, end] = parts(
      /^\{"protocolVersion":"([^"]+)"(.*)$/,
      await resultOf(program, { method: "initialize", params }),
    );
    return { version, end };
  };
  const { version: otherwise, end } = await asked("");
  const answered = await Promise.all(SUPPORTED_PROTOCOL_VERSIONS.map(asked));
  const versions = SUPPORTED_PROTOCOL_VERSIONS.filter((version, index) => answered[index]?.version === version);
  if (answered.some((each) => each.end !== end)) throw new Error("the answer to initialize depends on the version");
  return { versions, otherwise, end };
}

function listEndOf(result: string): string {
  return parts(/^\{"tools":\[\](.*)$/, result)[1];
}

function parts(pattern: RegExp, text: string): [string, string, string] {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`the SDK's answer has another form than the table of the start: ${text}`);
  return match as unknown as [string, string, string];
}

/** The JSON text of the result of a new server without tools. */
async function resultOf(
  program: Program,
  request: { readonly method: string; readonly params?: object },
): Promise<string> {
  const runtime = await createRuntime(configurationWith({}), { ...program, packs: [] });
  const { promise, resolve } = Promise.withResolvers<JSONRPCMessage>();
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => Promise.resolve(resolve(message)),
  };
  const server = serveStdio(mcpServerFactory(runtime.dispatcher, runtime.offers), { transport });
  transport.onmessage?.({ jsonrpc: "2.0", id: 0, ...request } as JSONRPCMessage);
  const text = JSON.stringify(await promise);
  await server.close();
  return parts(/^\{"result":(.*),"jsonrpc":"2\.0","id":0\}$/, text)[1];
}

function configurationWith(environment: Readonly<Record<string, string>>) {
  const read = readConfiguration({ MKT_HOST: "localhost", MKT_USER_ID: "nobody", ...environment });
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.configuration;
}
