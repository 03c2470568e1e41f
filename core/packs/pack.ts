// A pack: tools that are offered together.

import type { Advice } from "../advice.ts";
import type { Hono } from "hono";
import type { McpServer } from "@modelcontextprotocol/server";
import type { Configuration } from "../config/configuration.ts";
import type { NeededSecret } from "./pack-choice.ts";
import type { Services } from "../tools/context.ts";
import type { Tool } from "../tools/tool.ts";

export interface Pack {
  /** Lower case; what MKT_PACKS names. */
  readonly name: string;
  readonly description: string;
  readonly tools: readonly Tool[];
  /** Hints of core's errors that name tools of this pack, for built-in packs. They hold even if the pack is not offered. */
  readonly advice?: Partial<Advice>;
  /** What a built-in pack needs to be offered. */
  readonly needs?: NeededSecret;
  /** Why an external pack can't be offered under this configuration, or null. */
  readonly unavailable?: (configuration: Configuration) => string | null;
  /** Registers resources and prompts on a server, which serves one request or one stdio connection. */
  readonly register?: (server: McpServer, services: Services) => void;
  /** Adds HTTP routes, such as a web page, behind the same checks as /mcp. */
  readonly routes?: (app: Hono, services: Services) => void;
}

export function definePack(pack: Pack): Pack {
  return pack;
}
