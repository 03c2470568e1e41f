// The subscriptions of the client on stdio.
//
// Protocol 2026-07-28: the SDK checks and acknowledges each subscriptions/listen, and ends it at a cancellation and at its own
// end. Here its messages are watched: a request is narrowed to what is honoured before the SDK sees it, its subscription begins
// with the acknowledgement, and ends with the cancellation. Older clients have one subscription for the connection, which
// resources/subscribe fills; it also tells changes of the list of resources once the client has asked for that list.
//
// A subscription writes its next notifications once the client's pipe has taken those before. So at most one update of each
// resource waits in this process for a client that doesn't read.

import type { Writable } from "node:stream";
import {
  type JSONRPCMessage,
  McpServer,
  type McpServerFactory,
  PROTOCOL_VERSION_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server";
import type { Logger } from "../../../common/logger.ts";
import type { Offers } from "../../dispatch/offers.ts";
import { ToolError } from "../../error.ts";
import type { Topic } from "../../subscriptions/change-watch.ts";
import type { Delivery, Subscription } from "../../subscriptions/subscription.ts";
import { type Filter, Subscriptions } from "../../subscriptions/subscriptions.ts";
import { isId } from "../../messages/plain-message.ts";
import { protocolErrorOf } from "../sdk/exchange/internal-errors.ts";
import { LISTEN, type ListenRequest, listenRequestOf, narrowed } from "../sdk/exchange/listen-request.ts";
import { changeNotification } from "../sdk/exchange/notifications.ts";
import { serveSubscriptions } from "../sdk/handlers/subscribe-handlers.ts";

export interface StdioSubscriptionsOptions {
  readonly offers: Pick<Offers, "resources" | "requests">;
  readonly stdout: Writable;
  readonly log: Logger;
}

/** What is used of the SDK's transport. */
export interface WatchedTransport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  send(message: JSONRPCMessage): Promise<void>;
}

const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const CLIENT = { client: "stdio" };
const SCOPE = { signal: new AbortController().signal, caller: "stdio" };

export class StdioSubscriptions {
  readonly #subscriptions: Subscriptions;
  /** By the id of their subscriptions/listen. */
  readonly #listening = new Map<string | number, Subscription>();
  /** The one of an older client. */
  #own: Subscription | null = null;

  constructor(private readonly options: StdioSubscriptionsOptions) {
    this.#subscriptions = new Subscriptions(options);
  }

  /** The same servers, which also serve subscriptions of older clients. */
  serving(factory: McpServerFactory): McpServerFactory {
    const { offers: { resources, requests } } = this.options;
    const follow = (uri: string) => this.#follow(this.#subscriptions.topics.resource(uri));
    const unfollow = (uri: string) => this.#unfollow(uri);
    return async (context) => {
      const server = await factory(context);
      if (context.era === "legacy" && server instanceof McpServer) {
        serveSubscriptions(server, { resources, requests, follow, unfollow });
      }
      return server;
    };
  }

  /** Watches the messages of the transport, which the SDK already uses. */
  watch(transport: WatchedTransport): void {
    const { onmessage: deliver, onclose: closed } = transport;
    const send = transport.send.bind(transport);
    transport.onmessage = (message) => this.#received(message, transport, (message) => deliver?.(message));
    transport.onclose = () => {
      this.#subscriptions.close();
      closed?.();
    };
    transport.send = (message) => {
      const sent = send(message);
      this.#sent(message);
      return sent;
    };
  }

  #received(message: JSONRPCMessage, transport: WatchedTransport, pass: (message: JSONRPCMessage) => void): void {
    const listen = listenRequestOf(message);
    if (listen !== null) return void this.#listen(listen, transport, pass);
    this.#end(cancelledRequest(message));
    if (isListOfOlderClient(message)) this.#followList();
    pass(message);
  }

  async #listen(
    message: ListenRequest,
    transport: WatchedTransport,
    pass: (message: JSONRPCMessage) => void,
  ): Promise<void> {
    const { id, params: { notifications } } = message;
    try {
      await this.#subscriptions.listen(notifications, CLIENT, SCOPE, (subscription: Subscription, honoured: Filter) => {
        this.#end(id);
        this.#listening.set(id, subscription);
        pass(narrowed(message, honoured) as unknown as JSONRPCMessage);
        return Promise.resolve();
      });
    } catch (error) {
      const { code, message: text, data } = protocolErrorOf(error, LISTEN, this.options.log);
      await transport.send({ jsonrpc: "2.0", id, error: { code, message: text, data } });
    }
  }

  #sent(message: JSONRPCMessage): void {
    if (this.#listening.size === 0) return;
    // The SDK has refused the request, or ends its subscription.
    if (!("method" in message)) return this.#end(message.id);
    if (message.method !== ACKNOWLEDGED) return;
    const id = message.params?._meta?.[SUBSCRIPTION_ID_META_KEY] as string | number;
    this.#listening.get(id)?.begin(new StdioDelivery(this.options.stdout, id));
  }

  #end(id: string | number | null | undefined): void {
    if (id === null || id === undefined) return;
    this.#listening.get(id)?.close();
    this.#listening.delete(id);
  }

  /** For an older client. Throws ToolError beyond a limit. */
  #follow(topic: Topic): void {
    if (this.#own === null) {
      this.#own = this.#subscriptions.open(CLIENT);
      this.#own.begin(new StdioDelivery(this.options.stdout));
    }
    this.#own.follow(topic);
  }

  /** For an older client. */
  #unfollow(key: string): void {
    this.#own?.unfollow(key);
    if (this.#own?.isEmpty !== true) return;
    this.#own.close();
    this.#own = null;
  }

  #followList(): void {
    try {
      this.#follow(this.#subscriptions.topics.list);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      this.options.log.warn("changes of resources/list are not told: {error}", { error: error.message });
    }
  }
}

class StdioDelivery implements Delivery {
  isReading = true;

  constructor(private readonly stdout: Writable, private readonly subscriptionId?: string | number) {}

  deliver(keys: readonly string[]): void {
    const lines = keys.map((key) => `${JSON.stringify(changeNotification(key, this.subscriptionId))}\n`);
    this.isReading = false;
    // The runtime's stdout doesn't tell what it holds (writableNeedDrain), but calls back when the client's pipe has it.
    this.stdout.write(lines.join(""), () => {
      this.isReading = true;
    });
  }

  rest(): void {
    // A pipe needs nothing that keeps it open.
  }

  end(): void {
    // Only a revoked token ends a subscription, and stdio has none.
  }
}

/** The id of the request that the message cancels; null if it is no notifications/cancelled. */
function cancelledRequest(message: JSONRPCMessage): string | number | null {
  if (!("method" in message) || message.method !== "notifications/cancelled" || "id" in message) return null;
  const id = message.params?.["requestId"];
  return isId(id) ? id : null;
}

/** Requests of protocol 2026-07-28 have their protocol version in _meta. */
function isListOfOlderClient(message: JSONRPCMessage): boolean {
  return "method" in message && message.method === "resources/list" &&
    message.params?._meta?.[PROTOCOL_VERSION_META_KEY] === undefined;
}
