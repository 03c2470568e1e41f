// The factory of MCP servers: one for the stdio connection, or one for each HTTP request. What servers share (catalogues,
// connections, event buffer) is created once and passed in, so a server is cheap.

import {
  type Implementation,
  McpServer,
  type McpServerFactory,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { MINUTE_MS } from "../../../protocol/time-units.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import type { Offers } from "../../dispatch/offers.ts";
import type { ServerFacts } from "../../tools/context.ts";
import { serveCompletions } from "./handlers/completion-handler.ts";
import { hideInternalErrors } from "./exchange/internal-errors.ts";
import { PendingElicitations } from "./asking/pending-elicitations.ts";
import { PENDING_SECONDS } from "../../tools/pending-states.ts";
import { requestStatesOf } from "./asking/request-states.ts";
import { servePrompts } from "./handlers/prompt-handlers.ts";
import { serveResources } from "./handlers/resource-handlers.ts";
import { refuseSubscriptions } from "./handlers/subscribe-handlers.ts";
import { serveTools } from "./handlers/tool-handlers.ts";

/**
 * Declared whatever the built-in packs offer, so that a client is answered before the packs are loaded. An older client over
 * HTTP has no channel for notifications outside of a request, because the server is stateless.
 */
function capabilitiesWith(
  { canNotify, canLog }: { readonly canNotify: boolean; readonly canLog: boolean },
): ServerOptions["capabilities"] {
  return {
    tools: { listChanged: false },
    resources: { subscribe: canNotify, listChanged: canNotify },
    prompts: { listChanged: false },
    completions: {},
    ...(canLog && { logging: {} }),
  };
}

/**
 * For how long a client of protocol 2026-07-28 may keep lists. Tools, prompts and templates stay the same while the process
 * runs, and contracts come and go a few times a day.
 */
const CACHE_HINTS: ServerOptions["cacheHints"] = {
  "server/discover": { ttlMs: 5 * MINUTE_MS, cacheScope: "public" },
  "tools/list": { ttlMs: 5 * MINUTE_MS, cacheScope: "public" },
  "prompts/list": { ttlMs: 5 * MINUTE_MS, cacheScope: "public" },
  "resources/templates/list": { ttlMs: 5 * MINUTE_MS, cacheScope: "public" },
  "resources/list": { ttlMs: 10_000, cacheScope: "private" },
};

export function mcpServerFactory(dispatcher: Dispatcher, offers: Offers): McpServerFactory {
  const { services } = dispatcher;
  const states = requestStatesOf(services);
  const elicitations = new PendingElicitations(states, services.log);
  const canLog = usesClients(dispatcher, offers);
  return ({ era, requestInfo }) => {
    const canNotify = era === "modern" || requestInfo === undefined;
    const mcp = new McpServer(implementationOf(services.server), {
      capabilities: capabilitiesWith({ canNotify, canLog }),
      cacheHints: CACHE_HINTS,
      instructions: services.server.instructions,
      inputRequired: { roundTimeoutMs: PENDING_SECONDS * 1000 },
    });
    hideInternalErrors(mcp, services.log);
    serveTools(mcp, { dispatcher, elicitations, states, era });
    serveResources(mcp, { catalogue: offers.resources, requests: offers.requests, era });
    servePrompts(mcp, { catalogue: offers.prompts, requests: offers.requests, states, era, log: services.log });
    serveCompletions(mcp, offers);
    if (!canNotify) refuseSubscriptions(mcp);
    return mcp;
  };
}

/** Only what uses the client can log to it. The built-in packs don't. */
function usesClients({ catalogue }: Dispatcher, { prompts }: Offers): boolean {
  return catalogue.names.some((name) => catalogue.get(name)?.usesClient === true) ||
    prompts.prompts.some(({ usesClient }) => usesClient === true);
}

/** The server's identity, as clients see it. */
export function implementationOf({ name, version }: ServerFacts): Implementation {
  return { name, title: "mkt: an electricity market", version };
}
