// The official clients as a pack sees them that asks for input: they fill in every form, answer for a model, and name their
// roots.

import { StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  answerWith,
  COMBINATIONS,
  type Generation,
  listenWith,
  newClient,
  type Transport,
} from "../../../support/official-client.ts";
import { lineTransport } from "../../../support/in-process.ts";

/** Older clients over HTTP can't be asked, because no connection links their requests. */
export const ASKING = COMBINATIONS.filter(([generation, transport]) => generation === "v2" || transport === "stdio");

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

  const client = newClient(generation, { capabilities });
  if (capabilities.elicitation) answerWith(client, "elicitation/create", form);
  if (capabilities.sampling) answerWith(client, "sampling/createMessage", sample);
  if (capabilities.roots) answerWith(client, "roots/list", roots);
  listenWith(client, "notifications/message", ({ data }) => void logged.push(data));
  const Http = generation === "v1" ? HttpV1 : HttpV2;
  const endpoint = new URL("/mcp", url);
  await client.connect(transport === "http" ? new Http(endpoint) as HttpV2 : await lineTransport(env));
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
