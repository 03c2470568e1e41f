// The short way of a plain message (core/messages/plain-message.ts): past the SDK, through the same dispatcher. Its answers are
// those of the SDK, byte for byte (tests/core/server/two-paths.test.ts). Cost of a call besides its tool: some microseconds, of
// the SDK's some hundred.

import { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import { type PlainCall, plainMessage } from "../../messages/plain-message.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import type { RawAnswer } from "../../dispatch/result.ts";
import { mayAsk } from "../../guardrails/confirmation.ts";
import type { HttpExchange } from "../sdk/exchange/http-exchange.ts";
import { implementationOf } from "../sdk/mcp-server.ts";
import type { SdkAnswer } from "../sdk/sdk-answer.ts";
import { FixedResults } from "./fixed-results.ts";
import { headersFit } from "./plain-headers.ts";
import { PlainServer } from "./plain-server.ts";
import { type PlainBody, PlainTransport } from "./plain-transport.ts";

const NOBODY: HttpExchange = { caller: null, client: "", isAccepted: () => true, freeSlot: () => {} };

export class PlainPath {
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
    const checked = (answered: RawAnswer) => this.#checked(request, body, { ...exchange, answered });
    const server = new PlainServer({ dispatcher: this.dispatcher, checked, modernEnd: this.#modernEnd }, transport);
    if (message.method === "tools/call") {
      return this.#isPlainTool(message) ? server.call(message) : null;
    }
    return this.#fixed.get(message.era, message.method).then((result) => result === null ? null : server.tell(result));
  }

  /**
   * False if the tool is not offered, if a person is asked before it runs, if it uses its client, or if the SDK must compare
   * headers with its arguments.
   */
  #isPlainTool({ name, era }: PlainCall): boolean {
    const { catalogue, services } = this.dispatcher;
    const tool = catalogue.get(name);
    return tool !== undefined && tool.usesClient !== true && !mayAsk(tool, services.configuration) &&
      !(era === "modern" && catalogue.hasHeaders(name));
  }

  async #checked(request: Request, parsedBody: unknown, exchange: HttpExchange): Promise<PlainBody> {
    const response = await this.sdk(request, { parsedBody, exchange });
    const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
    return { type: isStream ? "stream" : "json", body: await response.text() };
  }
}
