// What the peers share: a bare server on loopback with a plain token check, and tools on a context that is connected to the
// engine of the bench.

import { connectToOneEngine } from "../../../core/backend/same-engine.ts";
import { readConfiguration } from "../../../core/config/environment.ts";
import { ENVIRONMENT } from "../../../core/config/env-file.ts";
import { createRuntime } from "../../../core/runtime.ts";
import type { Services } from "../../../core/tools/context.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import { PACKS } from "../../../plugins/index.ts";
import { INSTRUCTIONS } from "../../../plugins/instructions.ts";

interface ConnectedTools {
  readonly tools: readonly Tool[];
  readonly services: Services;
}

/** The tools that mkt offers with the same environment, and services for their handlers. */
export async function connectedTools(): Promise<ConnectedTools> {
  const read = readConfiguration(ENVIRONMENT);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const program = { packs: PACKS, version: "1.0.0", instructions: INSTRUCTIONS };
  const { services, packs } = await createRuntime(read.configuration, program);
  await connectToOneEngine(services, read.configuration.backend.userId);
  return { services, tools: packs.flatMap(({ tools }) => tools) };
}

/** Serves requests that have the token of the environment. */
export function serveWithToken(answer: (request: Request) => Promise<Response>): void {
  const authorization = `Bearer ${ENVIRONMENT.MCP_BEARER_TOKEN}`;
  serveOnLoopback((request) =>
    request.headers.get("Authorization") === authorization
      ? answer(request)
      : new Response("Unauthorized", { status: 401 })
  );
}

export function serveOnLoopback(fetch: (request: Request) => Response | Promise<Response>): void {
  const { url } = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  console.error(JSON.stringify({ transport: url.origin }));
}
