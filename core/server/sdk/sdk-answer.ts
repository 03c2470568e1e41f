// The SDK's answers to messages over HTTP: each gets an McpServer and a transport of its own.

import { createMcpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import type { Logger } from "../../../common/logger.ts";
import { inAcceptedType } from "./accepted-type.ts";
import { authInfoOf, type HttpExchange } from "./http-exchange.ts";

/** Answers one JSON-RPC message or a batch, in a type that its client reads. `parsedBody` is the parsed body. */
export type SdkAnswer = (
  request: Request,
  options: { readonly parsedBody: unknown; readonly exchange: HttpExchange },
) => Promise<Response>;

export interface SdkHandler {
  readonly answer: SdkAnswer;
  /** Ends all subscriptions and running exchanges. */
  close(): Promise<void>;
}

export function sdkHandler(factory: McpServerFactory, log: Logger): SdkHandler {
  const handler = createMcpHandler(factory, {
    onerror: (error) => log.debug("request refused: {error}", { error: error.message }),
  });
  return {
    answer: (request, { parsedBody, exchange }) =>
      inAcceptedType(
        request,
        parsedBody,
        (request) => handler.fetch(request, { parsedBody, authInfo: authInfoOf(exchange) }),
      ),
    close: () => handler.close(),
  };
}
