// The connections that have been welcomed, by user.

import type { ResponseMessage } from "../../../protocol/index.ts";
import type { EngineUser } from "../../engine/api/market-engine.ts";
import type { SerializedMessages } from "./visible-messages.ts";

/** A connection that has been welcomed. */
export interface Subscriber {
  readonly user: EngineUser;
  /** Whether the orders submitted for it are cancelled when it ends. */
  readonly cancelOnDisconnect: boolean;
  /** Takes what it may see of an execution; false if the consumer is too slow and must be cut off. */
  deliver(messages: SerializedMessages): boolean;
  /** Sends what has been delivered. */
  send(): void;
  /** Ends a subscriber that `deliver` has given up. */
  cutOff(): void;
}

/** Whom a response goes to, and what it answers. */
export interface Reply {
  readonly to: Subscriber;
  readonly requestId: string;
}

export interface AddressedResponse {
  readonly to: Subscriber;
  readonly message: ResponseMessage;
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
    const subscribers = this.#byUser.get(subscriber.user.id);
    if (subscribers === undefined) this.#byUser.set(subscriber.user.id, new Set([subscriber]));
    else subscribers.add(subscriber);
  }

  /** False if it was not there. */
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
