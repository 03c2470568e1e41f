// What the server says of itself: its metadata, the schemas of its messages, and its routes as OpenAPI.

import { z } from "zod";
import { action, observation, resetRequest, rpcRequest, state, stepRequest } from "./messages.ts";

export const MODES = ["simulation", "production"] as const;
/** production: without the routes of trainers. */
export type Mode = (typeof MODES)[number];

const DESCRIPTION =
  "Exams for trading agents in a simulated electricity market, which they see and operate by MCP tools";

export function metadataOf(version: string) {
  return {
    name: "mkt-arena",
    description: DESCRIPTION,
    version,
    author: "The mkt authors",
    documentation_url: "https://github.com/mkt-market/mkt/blob/main/docs/arena.md",
  };
}

export const SCHEMAS = {
  action: z.toJSONSchema(action, { io: "input" }),
  observation: z.toJSONSchema(observation),
  state: z.toJSONSchema(state),
};

const STEPPED = z.toJSONSchema(
  z.strictObject({ observation, reward: z.number().nullable(), done: z.boolean() }),
);

/** `control`: only in simulation mode. */
const ROUTES = [
  { path: "/reset", method: "post", control: true, summary: "Begin an episode", body: resetRequest, answer: STEPPED },
  { path: "/step", method: "post", control: true, summary: "Carry out an action", body: stepRequest, answer: STEPPED },
  { path: "/state", method: "get", control: true, summary: "State of an episode", answer: SCHEMAS.state },
  { path: "/health", method: "get", summary: "Whether the server runs", answer: { type: "object" } },
  { path: "/metadata", method: "get", summary: "What this environment is", answer: { type: "object" } },
  { path: "/schema", method: "get", summary: "Schemas of actions, observations and state", answer: { type: "object" } },
  { path: "/mcp", method: "post", summary: "JSON-RPC of an agent", body: rpcRequest, answer: { type: "object" } },
] as const;

export function openapiOf(version: string, mode: Mode) {
  const shown = ROUTES.filter((route) => mode === "simulation" || !("control" in route));
  return {
    openapi: "3.1.0",
    info: { title: "mkt-arena", description: DESCRIPTION, version },
    paths: Object.fromEntries(shown.map((route) => [route.path, {
      [route.method]: {
        summary: route.summary,
        ...("body" in route && { requestBody: { content: json(z.toJSONSchema(route.body, { io: "input" })) } }),
        responses: { 200: { description: "OK", content: json(route.answer) } },
      },
    }])),
  };
}

function json(schema: object) {
  return { "application/json": { schema } };
}
