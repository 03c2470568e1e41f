// A pack: tools that are turned on together, with what else belongs to them.

import type { Advice } from "../advice.ts";
import type { Hono } from "hono";
import type { McpServer } from "@modelcontextprotocol/server";
import type { Configuration } from "../config/configuration.ts";
import type { Services } from "../tools/context.ts";
import type { Tool } from "../tools/tool.ts";

export interface Pack {
  /** Lower case; what MKT_PACKS names. */
  readonly name: string;
  readonly description: string;
  readonly tools: readonly Tool[];
  /** Advice that names this pack's tools. A built-in pack's advice holds even if the pack is not offered. */
  readonly advice?: Partial<Advice>;
  /** Says why the pack can't be loaded under this configuration, or null. MKT_PACKS is applied before it. */
  readonly unavailable?: (configuration: Configuration) => string | null;
  /** Registers resources and prompts on a server that was made for one request or one stdio connection. */
  readonly register?: (server: McpServer, services: Services) => void;
  /** Adds HTTP routes, behind the same checks as /mcp. */
  readonly routes?: (app: Hono, services: Services) => void;
}

export function definePack(pack: Pack): Pack {
  return pack;
}
