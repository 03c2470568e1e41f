// The measured servers: their names, programs and environments.
//
// mkt is main.ts itself, as `bun main.ts` starts it: over HTTP with a token, a call log, metrics, and connected to the market.

import { join } from "node:path";
import { TOKEN } from "./messages.ts";

const peer = (name: string) => join(import.meta.dir, `peers/${name}.ts`);

/** A source file and its arguments. */
export const PROGRAMS = {
  mkt: [join(import.meta.dir, "../../main.ts")],
  SDK: [peer("sdk")],
  "SDK, schemas kept": [peer("sdk"), "kept"],
  tmcp: [peer("tmcp")],
  "hono echo": [peer("echo"), "text"],
  "hono echo, JSON": [peer("echo"), "json"],
  "hono echo of the answer": [peer("echo"), "text"],
  "hono echo of the answer, JSON": [peer("echo"), "json"],
} as const satisfies Record<string, readonly string[]>;

export const MARKET = [join(import.meta.dir, "market.ts")];

export type ServerName = keyof typeof PROGRAMS;
export const SERVERS = Object.keys(PROGRAMS) as ServerName[];

export function isEcho(name: ServerName): boolean {
  return name.startsWith("hono echo");
}

/** Whether the server is sent mkt's answer instead of the request, so that it sends as many bytes as mkt. */
export function echoesAnswer(name: ServerName): boolean {
  return name.startsWith("hono echo of the answer");
}

/** The servers that a case is measured on. Kept schemas only matter for a list of tools. */
export function serversOf(caseName: string): readonly ServerName[] {
  return caseName === "tools/list" ? SERVERS : SERVERS.filter((name) => name !== "SDK, schemas kept");
}

/** `market`: its address. `folder` gets the call log. The peers connect their tools to the market with the same variables. */
export function environmentOf(name: ServerName, market: string, folder: string): Record<string, string> {
  const connected = {
    MKT_HOST: new URL(market).host,
    MKT_BASE_URL: market,
    MKT_USER_ID: "meridian-trader-1",
    MKT_AUDIT_STORE: "backend",
    MCP_BEARER_TOKEN: TOKEN,
  };
  if (name !== "mkt") return connected;
  return { ...connected, MCP_HTTP_PORT: "0", MKT_AUTO_CONNECT: "1", MKT_CALL_LOG: join(folder, CALL_LOG) };
}

export const CALL_LOG = "calls.jsonl";
