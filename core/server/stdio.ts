// MCP over stdin and stdout. stdout carries protocol messages only.

import type { McpServerFactory } from "@modelcontextprotocol/server";
import { serveStdio as serve, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "../../common/logger.ts";

interface StdioServer {
  /** Resolves when the client closes stdin. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export function serveStdio(factory: McpServerFactory, log: Logger): StdioServer {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const transport = new StdioServerTransport();
  const handle = serve(factory, {
    transport,
    onerror: (error) => log.warn("stdio: {error}", { error: error.message }),
  });
  process.stdin.once("end", resolve);
  process.stdin.once("close", resolve);
  return {
    ended,
    async stop() {
      await answersWritten();
      await handle.close();
    },
  };
}

/** Waits for the answer of a call that has just ended, which the server writes to stdout a few tasks later. */
async function answersWritten(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise((resolve) => process.stdout.write("", resolve));
}
