// Requests with invalid params. The SDK would answer them with an internal error (-32603) and its whole validation output,
// but they are the client's fault (-32602). tools/call is not checked here, because the dispatcher checks its arguments.

import { isSpecType } from "@modelcontextprotocol/server";

const VALIDATORS: Readonly<Record<string, (message: unknown) => boolean>> = {
  "initialize": isSpecType.InitializeRequest,
  "ping": isSpecType.PingRequest,
  "completion/complete": isSpecType.CompleteRequest,
  "logging/setLevel": isSpecType.SetLevelRequest,
  "prompts/get": isSpecType.GetPromptRequest,
  "prompts/list": isSpecType.ListPromptsRequest,
  "resources/list": isSpecType.ListResourcesRequest,
  "resources/read": isSpecType.ReadResourceRequest,
  "resources/templates/list": isSpecType.ListResourceTemplatesRequest,
  "tools/list": isSpecType.ListToolsRequest,
};

/** The method of the first message with invalid params, in one message or a batch; null if all are valid. */
export function methodWithInvalidParams(body: unknown): string | null {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const message of messages) {
    const method = typeof message === "object" && message !== null ? Reflect.get(message, "method") : undefined;
    if (typeof method === "string" && Object.hasOwn(VALIDATORS, method) && !VALIDATORS[method]?.(message)) {
      return method;
    }
  }
  return null;
}
