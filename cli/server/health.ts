// `mkt health [URL]`: asks a running server for GET /health and says in one line how it is. For probes of containers and
// services, so an image needs no other HTTP client. Sends no token, and follows no redirect.
//
// URL: an MCP server, an engine or a simulator. A path other than `/` is asked as it is.

import type { Command } from "commander";
import { oneLine, UsageError } from "../../common/command-line.ts";
import { useNoProxy } from "../../common/environment.ts";
import { option, wholeNumber } from "../../common/options.ts";
import { connectionFault } from "../../protocol/client/connection-fault.ts";
import { print } from "../../common/output.ts";
import { ENVIRONMENT } from "../../core/config/env-file.ts";

/** The port that images and units use. */
const DEFAULT_PORT = "4087";
const DEFAULT_TIMEOUT_MS = 3000;
/** More of an answer is not read. */
const MAX_SHOWN = 200;

export function addHealthCommand(command: Command): void {
  command.command("health")
    .description(
      "ask a running server how it is; exit 1 unless it answers GET /health, or the path of the URL, with 200",
    )
    .argument("[url]", "an MCP server, an engine or a simulator (default: port MCP_HTTP_PORT, or 4087, of loopback)")
    .addOption(option("--timeout-ms <ms>", "for the whole answer", wholeNumber(1, 60_000)).default(DEFAULT_TIMEOUT_MS))
    .action(async (url: string | undefined, { timeoutMs }: { timeoutMs: number }) => {
      // The probe is for this very server: a proxy for the internet, which containers often have, can't reach it.
      useNoProxy();
      const address = healthAddress(url, ENVIRONMENT.MCP_HTTP_PORT);
      await print(await probe(address, timeoutMs));
    });
}

/** Throws UsageError. */
export function healthAddress(given: string | undefined, port: string | undefined): string {
  const url = URL.parse(given ?? `http://127.0.0.1:${port || DEFAULT_PORT}`);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    const name = given === undefined ? `MCP_HTTP_PORT: ${port} is not a port` : `[url]: ${given} is not an http URL`;
    throw new UsageError(`${oneLine(name)}, such as http://127.0.0.1:3001`);
  }
  if (url.pathname === "/") url.pathname = "/health";
  return url.href;
}

/** The line of a healthy server. Throws an error of one line if there is no answer in time, or another status than 200. */
export async function probe(address: string, timeoutMs: number): Promise<string> {
  let response: Response;
  let body: string;
  try {
    response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: "manual" });
    body = oneLine(await response.text()).slice(0, MAX_SHOWN);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = error.name === "TimeoutError" ? `no answer within ${timeoutMs} ms` : connectionFault(error);
    throw new Error(`${address}: ${reason}`);
  }
  if (response.status !== 200) throw new Error(`${address}: status ${response.status}: ${body}`);
  return `${address}: ${body}`;
}
