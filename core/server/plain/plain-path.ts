// The short way of a plain message (core/messages/plain-message.ts): past the SDK, through the same dispatcher. Its answers
// are those of the SDK, byte for byte (tests/core/server/two-paths.test.ts). Cost of a call besides its tool: some
// microseconds, of the SDK's some hundred. Each request has a transport of its own, as the specification asks. It changes
// nothing that outlives it.

import { SERVER_INFO_META_KEY, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { MODERN_VERSION, type PlainCall, plainMessage, type PlainQuestion } from "../../messages/plain-message.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { type RawAnswer, resultJson, type ToolAnswer } from "../../dispatch/result.ts";
import { mayAsk } from "../../guardrails/confirmation.ts";
import type { HttpExchange } from "../sdk/exchange/http-exchange.ts";
import { implementationOf } from "../sdk/mcp-server.ts";
import type { SdkAnswer } from "../sdk/sdk-answer.ts";
import { FixedResults } from "./fixed-results.ts";
import { type PlainBody, PlainTransport } from "./plain-transport.ts";

const LEGACY_VERSIONS: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS);
const NOBODY: HttpExchange = { caller: null, client: "", isAccepted: () => true, freeSlot: () => {} };

/** The SDK's response to a call that has run, and whose answer the SDK must check. */
type Check = (answered: RawAnswer) => Promise<PlainBody>;

export class PlainPath {
  /** How every result of protocol 2026-07-28 ends, as JSON text. */
  readonly #modernEnd: string;
  readonly #fixed: FixedResults;

  constructor(private readonly dispatcher: Dispatcher, private readonly sdk: SdkAnswer) {
    const serverInfo = implementationOf(dispatcher.services.server);
    const end = { resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: serverInfo } };
    this.#modernEnd = `,${JSON.stringify(end).slice(1)}`;
    this.#fixed = new FixedResults((request, parsedBody) => sdk(request, { parsedBody, exchange: NOBODY }));
  }

  /** Null if the SDK must answer. `body` is parsed JSON. */
  answer(
    request: Request,
    body: unknown,
    exchange: HttpExchange,
  ): PlainBody | Promise<PlainBody | Response | null> | null {
    const message = plainMessage(body);
    if (message === null || message.method === "initialize" || !headersFit(message, request.headers)) return null;
    if (message.era === "modern" && request.signal.aborted) return null;
    const transport = new PlainTransport(request, exchange, message);
    if (message.method === "tools/call") {
      const check: Check = (answered) => this.#checked(request, body, { ...exchange, answered });
      return this.#isPlainTool(message) ? this.#call(message, transport, check) : null;
    }
    const fixed = this.#fixed.get(message.era, message.method);
    return fixed.then((result) => result === null ? null : transport.write(result));
  }

  /** Runs the call of an offered tool. Most calls have ended when this returns. */
  #call(call: PlainCall, transport: PlainTransport, check: Check): PlainBody | Promise<PlainBody | Response> {
    const written = (answer: ToolAnswer | null): PlainBody | Promise<PlainBody> => {
      if (answer === null) throw new Error(`${call.name} is not offered`);
      if (answer.kind === "raw") return check(answer);
      return transport.write(resultJson(answer, call.era === "modern" ? this.#modernEnd : undefined));
    };
    const answer = this.dispatcher.begin(call.name, call.arguments, transport);
    return answer instanceof Promise ? transport.written(answer.then(written)) : written(answer);
  }

  /**
   * False if the tool is not offered, if a person is asked before it runs, if it uses its client, or if the SDK must compare
   * headers with its arguments.
   */
  #isPlainTool({ name, era }: PlainCall): boolean {
    const { catalogue, services } = this.dispatcher;
    const tool = catalogue.get(name);
    return tool !== undefined && tool.usesClient !== true && !mayAsk(tool, services.configuration) &&
      !(era === "modern" && catalogue.schemaWithHeaders(name) !== null);
  }

  async #checked(request: Request, parsedBody: unknown, exchange: HttpExchange): Promise<PlainBody> {
    const response = await this.sdk(request, { parsedBody, exchange });
    const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
    return { type: isStream ? "stream" : "json", body: await response.text() };
  }
}

/** Whether the headers are those of the message: protocol 2026-07-28 repeats version, method and name there. */
export function headersFit(message: PlainCall | PlainQuestion, headers: Headers): boolean {
  const version = headers.get("MCP-Protocol-Version");
  if (message.era === "legacy") return version === null || LEGACY_VERSIONS.has(version);
  return version === MODERN_VERSION && headers.get("Mcp-Method") === message.method &&
    (message.method !== "tools/call" || headers.get("Mcp-Name") === message.name);
}
