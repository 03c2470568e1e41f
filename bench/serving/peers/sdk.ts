// The SDK's server with the tools of mkt, as in the SDK's documentation: a new McpServer for each request, registerTool for
// each tool, createMcpHandler. Besides it only a plain token check.
//
//   bun bench/serving/peers/sdk.ts [kept]
//
// kept: with schemas that make their JSON Schema only once, which the documentation doesn't show.

import { createMcpHandler } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { registeringServers } from "../../registered-tools.ts";
import { connectedTools, serveWithToken } from "./serve-peer.ts";

const { tools, services } = await connectedTools();
const registered = process.argv[2] === "kept"
  ? tools.map((tool) => ({ ...tool, input: kept(tool.input), output: kept(tool.output) }))
  : tools;
const { fetch } = createMcpHandler(registeringServers(registered, services));
serveWithToken((request) => fetch(request));

/** The SDK only uses the standard interface of a schema. */
function kept(schema: z.ZodObject): z.ZodObject {
  const standard = schema["~standard"];
  const target = { target: "draft-2020-12" } as const;
  const [input, output] = [standard.jsonSchema.input(target), standard.jsonSchema.output(target)];
  const jsonSchema = { input: () => input, output: () => output };
  return { "~standard": { ...standard, jsonSchema } } as unknown as z.ZodObject;
}
