// The established connections, by user.

import type { EngineUser } from "../../engine/api/market-engine.ts";
import type { SerializedMessages } from "./visible-messages.ts";

/** An established connection, as the publisher sees it. */
export interface Subscriber {
  readonly user: EngineUser;
  /** Whether the orders submitted on this connection are cancelled when it ends. */
  readonly cancelOnDisconnect: boolean;
  /** Queues the messages of one execution. False: the connection does not keep up and must be cut off. */
  deliver(messages: SerializedMessages): boolean;
  /** Sends the queued messages. */
  send(): void;
  cutOff(): void;
}

/** Who gets the response to a request. */
export interface Reply {
  readonly to: Subscriber;
  readonly requestId: string;
}

export class Subscribers {
  readonly #byUser = new Map<string, Set<Subscriber>>();

  get count(): number {
    return this.#byUser.values().reduce((sum, subscribers) => sum + subscribers.size, 0);
  }

  countOf(userId: string): number {
    return this.#byUser.get(userId)?.size ?? 0;
  }

  add(subscriber: Subscriber): void {
    this.#byUser.getOrInsertComputed(subscriber.user.id, () => new Set()).add(subscriber);
  }

  /** False if the subscriber is unknown. */
  remove(subscriber: Subscriber): boolean {
    const subscribers = this.#byUser.get(subscriber.user.id);
    if (subscribers === undefined || !subscribers.delete(subscriber)) return false;
    if (subscribers.size === 0) this.#byUser.delete(subscriber.user.id);
    return true;
  }

  *[Symbol.iterator](): Generator<Subscriber, void, undefined> {
    for (const subscribers of this.#byUser.values()) yield* subscribers;
  }
}
