// The SDK's answers to messages over HTTP: each gets an McpServer and a transport of its own.

import { createMcpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import type { TokenStore } from "../../../common/http/token-store.ts";
import type { Logger } from "../../../common/logger.ts";
import type { Offers } from "../../dispatch/offers.ts";
import { Subscriptions } from "../../subscriptions/subscriptions.ts";
import { inAcceptedType } from "./exchange/accepted-type.ts";
import { authInfoOf, type HttpExchange } from "./exchange/http-exchange.ts";
import { ListenOverHttp } from "./listen/listen-over-http.ts";
import { listenRequestOf } from "./exchange/listen-request.ts";

/** Answers one JSON-RPC message or a batch, in a type that its client reads. `parsedBody` is the parsed body. */
export type SdkAnswer = (
  request: Request,
  options: { readonly parsedBody: unknown; readonly exchange: HttpExchange },
) => Promise<Response>;

interface SdkHandlerOptions {
  readonly factory: McpServerFactory;
  readonly offers: Pick<Offers, "resources" | "requests">;
  /** Absent if every client is accepted. */
  readonly tokens?: TokenStore;
  readonly log: Logger;
}

export interface SdkHandler {
  readonly answer: SdkAnswer;
  readonly subscriptions: Subscriptions;
  /** The streams of subscriptions whose clients have not read their end. */
  readonly unreadStreams: number;
  /** Ends all subscriptions, and tells their clients. From now on there are no new ones. */
  endSubscriptions(): Promise<void>;
  /** Ends all running exchanges. */
  close(): Promise<void>;
}

export function sdkHandler({ factory, offers, tokens, log }: SdkHandlerOptions): SdkHandler {
  const subscriptions = new Subscriptions({ offers, log, ...(tokens && { tokens }) });
  const listening = new ListenOverHttp(factory, subscriptions, log);
  const handler = createMcpHandler(factory, {
    onerror: (error) => log.debug("request refused: {error}", { error: error.message }),
  });
  return {
    subscriptions,
    get unreadStreams() {
      return listening.unread;
    },
    answer: (request, { parsedBody, exchange }) =>
      inAcceptedType(request, parsedBody, (request) => {
        const listen = listenRequestOf(parsedBody);
        return listen === null
          ? handler.fetch(request, { parsedBody, authInfo: authInfoOf(exchange) })
          : listening.answer(request, listen, exchange);
      }),
    async endSubscriptions() {
      await listening.close();
      subscriptions.close();
    },
    close: () => handler.close(),
  };
}
