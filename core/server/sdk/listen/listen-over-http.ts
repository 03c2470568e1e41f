// subscriptions/listen over HTTP. The SDK checks the request and acknowledges it; it has a handler of its own for that, which
// can end all subscriptions and nothing else. The notifications come from the subscription (update-stream.ts).

import { createMcpHandler, type McpHttpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import type { Logger } from "../../../../common/logger.ts";
import { ToolError } from "../../../error.ts";
import type { Subscription } from "../../../subscriptions/subscription.ts";
import type { Subscriptions } from "../../../subscriptions/subscriptions.ts";
import { authInfoOf, type HttpExchange } from "../exchange/http-exchange.ts";
import { protocolErrorOf } from "../exchange/internal-errors.ts";
import { LISTEN, type ListenRequest, narrowed } from "../exchange/listen-request.ts";
import { UpdateStream } from "./update-stream.ts";

/** The SDK's own notifications: there are none. */
const SILENT_BUS = { publish: () => {}, subscribe: () => () => {} };

export class ListenOverHttp {
  readonly #sdk: McpHttpHandler;
  readonly #streams = new Set<UpdateStream>();

  constructor(
    factory: McpServerFactory,
    private readonly subscriptions: Subscriptions,
    private readonly log: Logger,
  ) {
    this.#sdk = createMcpHandler(factory, {
      bus: SILENT_BUS,
      // The subscriptions have limits of their own, and the streams keep themselves alive.
      maxSubscriptions: Infinity,
      keepAliveMs: 0,
      onerror: (error) => log.debug("{method} refused: {error}", { method: LISTEN, error: error.message }),
    });
  }

  async answer(request: Request, message: ListenRequest, exchange: HttpExchange): Promise<Response> {
    const { caller, client, isAccepted } = exchange;
    const scope = { signal: request.signal, caller };
    try {
      return await this.subscriptions.listen(
        message.params.notifications,
        { client, isAccepted },
        scope,
        async (subscription, honoured) => {
          const acknowledged = await this.#sdk.fetch(request, {
            parsedBody: narrowed(message, honoured),
            authInfo: authInfoOf(exchange),
          });
          return this.#streamed(acknowledged, message, subscription);
        },
      );
    } catch (error) {
      if (error instanceof RefusedBySdk) return error.response;
      const { code, message: text, data } = protocolErrorOf(error, LISTEN, this.log);
      return Response.json({ jsonrpc: "2.0", id: message.id, error: { code, message: text, data } });
    }
  }

  /** The streams whose clients have not read their end. */
  get unread(): number {
    return this.#streams.size;
  }

  /** Tells every client that its subscription ends. */
  close(): Promise<void> {
    return this.#sdk.close();
  }

  #streamed(response: Response, { id }: ListenRequest, subscription: Subscription): Response {
    const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
    if (!isStream || response.body === null) throw new RefusedBySdk(response);
    const stream = new UpdateStream({
      frames: response.body,
      subscription,
      subscriptionId: id,
      hasEnded: () => this.#streams.delete(stream),
    });
    this.#streams.add(stream);
    return new Response(stream.body, { headers: response.headers });
  }
}

class RefusedBySdk extends ToolError {
  constructor(readonly response: Response) {
    super("invalid_input", "The request doesn't fit the protocol.", "Correct it and send it again.");
  }
}
