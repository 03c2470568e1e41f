// The official clients as a pack sees them that asks for input: they fill in every form, answer for a model, and name their
// roots.

import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { atEnd } from "../../../support/at-end.ts";
import type { Generation, Transport } from "../../../support/official-client.ts";
import { keptValidators } from "../../../support/kept-validators.ts";
import { lineTransport } from "../../../support/in-process.ts";

const IDENTITY = { name: "mkt-test", version: "1.0.0" };
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };

interface AnsweringClient {
  /** The methods with which the client was asked. */
  readonly asked: readonly string[];
  /** The messages of a log that the client was sent. */
  readonly logged: readonly unknown[];
  readonly capabilities: Record<string, unknown> | undefined;
  /** The text of the result, and whether it is an error. */
  call(name: string, input?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
  /** The text of the first message. */
  prompt(name: string): Promise<string>;
  setLevel(level: "debug" | "error"): Promise<unknown>;
}

interface Options {
  /** Of the mkt that a client on stdio has for itself. */
  readonly env: Record<string, string>;
  /** Of the server that a client over HTTP uses. */
  readonly url: string;
  /** All if absent. */
  readonly capabilities?: Partial<typeof CAPABILITIES>;
}

export async function answeringClient(
  generation: Generation,
  transport: Transport,
  { env, url, capabilities = CAPABILITIES }: Options,
): Promise<AnsweringClient> {
  const asked: string[] = [];
  const logged: unknown[] = [];
  const answer = <Answer>(method: string, made: Answer) => {
    asked.push(method);
    return made;
  };
  const form = ({ params }: { params: unknown }) => {
    const { requestedSchema } = params as { requestedSchema: { properties: Record<string, { type: string }> } };
    const content = Object.entries(requestedSchema.properties)
      .map(([name, { type }]) => [name, type === "boolean" ? true : `my ${name}`]);
    return answer("elicitation/create", { action: "accept" as const, content: Object.fromEntries(content) });
  };
  const text = { type: "text" as const, text: "A model's answer" };
  const sample = () => answer("sampling/createMessage", { role: "assistant" as const, content: text, model: "m" });
  const roots = () => answer("roots/list", { roots: [{ uri: "file:///home/anna" }] });

  const endpoint = new URL("/mcp", url);
  let client: ClientV1 | ClientV2;
  if (generation === "v2") {
    const v2 = client = new ClientV2(IDENTITY, { capabilities, versionNegotiation: { mode: "auto" } });
    if (capabilities.elicitation) v2.setRequestHandler("elicitation/create", form);
    if (capabilities.sampling) v2.setRequestHandler("sampling/createMessage", sample);
    if (capabilities.roots) v2.setRequestHandler("roots/list", roots);
    v2.setNotificationHandler("notifications/message", ({ params }) => void logged.push(params.data));
    await v2.connect(transport === "http" ? new HttpV2(endpoint) : await lineTransport(env));
  } else {
    const v1 = client = new ClientV1(IDENTITY, { capabilities, jsonSchemaValidator: keptValidators });
    if (capabilities.elicitation) v1.setRequestHandler(ElicitRequestSchema, form);
    if (capabilities.sampling) v1.setRequestHandler(CreateMessageRequestSchema, sample);
    if (capabilities.roots) v1.setRequestHandler(ListRootsRequestSchema, roots);
    v1.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params.data));
    await v1.connect(transport === "http" ? new HttpV1(endpoint) : await lineTransport(env));
  }
  atEnd(() => client.close());
  return {
    asked,
    logged,
    capabilities: client.getServerCapabilities(),
    async call(name, input = {}) {
      const { content, isError } = await client.callTool({ name, arguments: input }) as {
        content: { text: string }[];
        isError?: boolean;
      };
      return { text: content[0]?.text ?? "", isError: isError === true };
    },
    async prompt(name) {
      const { messages } = await client.getPrompt({ name }) as { messages: { content: { text?: string } }[] };
      return messages[0]?.content.text ?? "";
    },
    setLevel: (level) => client.setLoggingLevel(level),
  };
}
