// The established connections, by user.

import type { EngineUser } from "../../api/market-engine.ts";
import type { RequestTrace } from "./request-trace.ts";

/** An established connection, as the publisher sees it. */
export interface Subscriber {
  readonly user: EngineUser;
  /** Whether the orders submitted on this connection are cancelled when it ends. */
  readonly cancelOnDisconnect: boolean;
  /** Adds a response, serialised. It leaves with the next `deliver`, after everything published before. */
  respond(response: string): void;
  /**
   * Sends what was published since the last call, and the responses. False: the connection does not keep up and must be cut
   * off.
   */
  deliver(): boolean;
  cutOff(): void;
}

/** Who gets the response to a request. */
export interface Reply {
  readonly to: Subscriber;
  readonly requestId: string;
  /** Absent or null if no trace of the request is recorded. */
  readonly trace?: RequestTrace | null;
}

export class Subscribers {
  readonly #all = new Set<Subscriber>();
  readonly #countByUser = new Map<string, number>();

  get count(): number {
    return this.#all.size;
  }

  countOf(userId: string): number {
    return this.#countByUser.get(userId) ?? 0;
  }

  add(subscriber: Subscriber): void {
    this.#all.add(subscriber);
    this.#countByUser.set(subscriber.user.id, this.countOf(subscriber.user.id) + 1);
  }

  /** False if the subscriber is unknown. */
  remove(subscriber: Subscriber): boolean {
    if (!this.#all.delete(subscriber)) return false;
    const count = this.countOf(subscriber.user.id) - 1;
    if (count === 0) this.#countByUser.delete(subscriber.user.id);
    else this.#countByUser.set(subscriber.user.id, count);
    return true;
  }

  [Symbol.iterator](): Iterator<Subscriber> {
    return this.#all.values();
  }
}
