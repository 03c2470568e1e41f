// `mkt doctor` on the port of MCP over HTTP: free, or taken by this server, or by another program.

import { errorMessage } from "../../common/error-message.ts";
import { listen, reachableAddress } from "../../common/http/listen.ts";
import { logger } from "../../common/logger.ts";
import type { HttpConfiguration } from "../../core/config/configuration.ts";
import { isObject, parseJson } from "../../protocol/json.ts";
import { directRequest } from "./direct-request.ts";
import type { Finding } from "./finding.ts";

const LIMIT_MS = 3_000;

/** `http`: null on stdio. */
export async function examinePort(http: Pick<HttpConfiguration, "host" | "port"> | null): Promise<Finding> {
  const subject = "port";
  if (http === null) return { subject, state: "off", detail: "MCP_HTTP_PORT is not set: stdio needs no port" };
  const { host, port } = http;
  if (port === 0) return { subject, state: "off", detail: "MCP_HTTP_PORT is 0: any port that is free" };
  const address = reachableAddress(host, port);
  const version = await serverAt(address);
  if (version !== null) {
    return { subject, state: "ok", detail: `an MCP server of mkt ${version} answers at ${address}` };
  }
  try {
    await listen({ host, port, fetch: () => new Response(null), log: logger("doctor") }).server.stop(true);
    return { subject, state: "ok", detail: `${address} is free: no server runs here` };
  } catch (error) {
    // The port is in use by something else, needs rights, or the address is not one of this host.
    return { subject, state: "failed", detail: `MCP_HTTP_PORT, MCP_HTTP_HOST: ${errorMessage(error)}` };
  }
}

/** The version of the MCP server of mkt there; null if there is none. An engine has an id, and a simulator no version. */
async function serverAt(address: string): Promise<string | null> {
  try {
    const answer = parseJson((await directRequest(`http://${address}/health`, { timeoutMs: LIMIT_MS })).text);
    const { status, version, engineId } = isObject(answer) ? answer : {};
    return status === "ok" && typeof version === "string" && engineId === undefined ? version : null;
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
