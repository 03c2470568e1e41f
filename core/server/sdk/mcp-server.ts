// The factory of MCP servers: one for the stdio connection, or one for each HTTP request. What servers share (catalogues,
// connections, event buffer) is created once and passed in, so a server is cheap.

import {
  type Implementation,
  McpServer,
  type McpServerFactory,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import type { Offers } from "../../dispatch/offers.ts";
import type { ServerFacts } from "../../tools/context.ts";
import { serveCompletions } from "./completion-handler.ts";
import { hideInternalErrors } from "./internal-errors.ts";
import { PendingElicitations } from "./pending-elicitations.ts";
import { servePrompts } from "./prompt-handlers.ts";
import { serveResources } from "./resource-handlers.ts";
import { refuseSubscriptions } from "./subscribe-handlers.ts";
import { serveTools } from "./tool-handlers.ts";

/**
 * Declared whatever the packs offer, so that a client is answered before the packs are loaded. An older client over HTTP has no
 * channel for notifications outside of a request, because the server is stateless.
 */
function capabilitiesWith({ canNotify }: { readonly canNotify: boolean }): ServerOptions["capabilities"] {
  return {
    tools: { listChanged: false },
    resources: { subscribe: canNotify, listChanged: canNotify },
    prompts: { listChanged: false },
    completions: {},
  };
}

const MINUTE_MS = 60_000;

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
  const elicitations = new PendingElicitations(services.log, services.now);
  return ({ era, requestInfo }) => {
    const canNotify = era === "modern" || requestInfo === undefined;
    const mcp = new McpServer(implementationOf(services.server), {
      capabilities: capabilitiesWith({ canNotify }),
      cacheHints: CACHE_HINTS,
      instructions: services.server.instructions,
    });
    hideInternalErrors(mcp, services.log);
    serveTools(mcp, { dispatcher, elicitations, era });
    serveResources(mcp, offers.resources, offers.requests);
    servePrompts(mcp, offers.prompts, offers.requests);
    serveCompletions(mcp, offers, offers.requests);
    if (!canNotify) refuseSubscriptions(mcp);
    return mcp;
  };
}

/** The server's identity, as clients see it. */
export function implementationOf({ name, version }: ServerFacts): Implementation {
  return { name, title: "mkt: an electricity market", version };
}
