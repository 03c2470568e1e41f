// Requests whose parameters don't fit the method: the SDK answers them as errors of its own (-32603), with all that its
// validation says. They are the client's, and are told so (-32602). tools/call is not among them: its arguments are the
// dispatcher's to judge.

import { isSpecType } from "@modelcontextprotocol/server";

const FITTING: Readonly<Record<string, (message: unknown) => boolean>> = {
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

/** The method of the first message that does not fit, in a body that is one message or a batch; null where all do. */
export function methodWithInvalidParams(body: unknown): string | null {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const message of messages) {
    const method = typeof message === "object" && message !== null ? Reflect.get(message, "method") : undefined;
    if (typeof method === "string" && Object.hasOwn(FITTING, method) && !FITTING[method]?.(message)) return method;
  }
  return null;
}
