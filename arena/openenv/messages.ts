// What an OpenEnv server and its clients say to each other (the repository huggingface/OpenEnv, core/env_server, June 2026), as
// far as it is not MCP.

import { z } from "zod";
import { MAX_SEED } from "../../sim/experiment/seeds.ts";

const MAX_ID = 255;

export const resetRequest = z.looseObject({
  seed: z.int().min(0).max(MAX_SEED).nullish().describe("Decides what happens; absent: any"),
  episode_id: z.string().min(1).max(MAX_ID).nullish().describe("What the episode is called; absent: a new name"),
  scenario: z.string().nullish().describe("One that the server offers; absent: the seed decides"),
});
export type ResetRequest = z.infer<typeof resetRequest>;

const metadata = z.record(z.string(), z.unknown()).optional().describe("Ignored");

export const action = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("list_tools"), metadata }),
  z.strictObject({
    type: z.literal("call_tool"),
    tool_name: z.string().min(1),
    arguments: z.record(z.string(), z.unknown()).default({}),
    metadata,
  }),
]);
export type Action = z.infer<typeof action>;

export const stepRequest = z.looseObject({
  action: z.unknown().describe("As in /schema"),
  episode_id: z.string().max(MAX_ID).nullish().describe("Of the reset; may be absent if only one episode is open"),
  timeout_s: z.number().positive().nullish().describe("Seconds after which the answer is an error; the call goes on"),
  request_id: z.string().max(MAX_ID).nullish().describe("Ignored"),
});

const listedTool = z.strictObject({
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
});
const toolError = z.strictObject({
  error_type: z.enum(["execution_error", "invalid_args", "transport_error", "tool_not_found", "timeout"]),
  message: z.string(),
});
export type ToolErrorType = z.infer<typeof toolError>["error_type"];

export const observation = z.union([
  z.strictObject({
    brief: z.string().describe("What the agent is to do"),
    metadata: z.strictObject({ episode_id: z.string(), scenario: z.string() }),
  }).describe("Of a reset"),
  z.strictObject({ tools: z.array(listedTool) }).describe("Of list_tools"),
  z.strictObject({
    tool_name: z.string(),
    result: z.strictObject({
      data: z.unknown().describe("The answer as a value"),
      content: z.array(z.looseObject({ type: z.string() })).describe("The answer as MCP gives it"),
      is_error: z.boolean(),
    }).nullable(),
    error: toolError.nullable(),
  }).describe("Of call_tool. What a tool refuses is in result; error: it has not run"),
]);

export const state = z.strictObject({
  episode_id: z.string().nullable(),
  step_count: z.int().min(0),
  scenario: z.string().nullable(),
  seed: z.int().nullable(),
  market_time: z.string().nullable(),
  done: z.boolean(),
  score: z.number().nullable().describe("Null until the episode is over"),
});
export type State = z.infer<typeof state>;

/** The codes of errors over a WebSocket. */
export type SocketErrorCode =
  | "INVALID_JSON"
  | "UNKNOWN_TYPE"
  | "VALIDATION_ERROR"
  | "EXECUTION_ERROR"
  | "CAPACITY_REACHED"
  | "FACTORY_ERROR"
  | "SESSION_ERROR";

/** The codes of JSON-RPC. */
export const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
} as const;

export const rpcRequest = z.looseObject({
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
});
export type RpcRequest = z.infer<typeof rpcRequest>;

export function rpcResult(id: RpcRequest["id"], resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},"result":${resultJson}}`;
}

export function rpcError(id: RpcRequest["id"], code: number, message: string, data?: unknown): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    id: id ?? null,
    error: { code, message, ...data !== undefined && { data } },
  });
}

/** The answer to a reset or a step. */
export function stepJson(observationJson: string, reward: number | null, isDone: boolean): string {
  return `{"observation":${observationJson},"reward":${reward},"done":${isDone}}`;
}
