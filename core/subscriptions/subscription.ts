// One subscription of a client: the topics that it follows, and which of them have changed and were not yet told.
//
// Invariants: the client hears of changes only at the end of a round, so at most every ROUND_MS of each topic. A change stays
// marked until it is told. While the client doesn't read, or before its delivery begins, changes are only marked, so such a
// client holds one mark for each changed topic.

import type { ChangeWatch, Subscriber, Topic } from "./change-watch.ts";

/** How a subscription reaches its client. */
export interface Delivery {
  /** False while the client doesn't read what it was sent before. */
  readonly isReading: boolean;
  /** Sends a notification for each of these topics. Only called while the client reads. */
  deliver(keys: readonly string[]): void;
  /** Called instead of `deliver` at the end of a round without changes. */
  rest(): void;
  /** Ends what the client reads, because the subscription has ended without the client. */
  end(): void;
}

/** What the subscription takes of limits, and gives back. */
export interface Share {
  /** Throws ToolError if there is no room for another topic. */
  takeTopic(): void;
  releaseTopics(count: number): void;
  /** Called once, at the end. */
  release(subscription: Subscription): void;
}

export class Subscription implements Subscriber {
  readonly #followed = new Set<string>();
  readonly #changed = new Set<string>();
  #delivery: Delivery | null = null;
  #isOpen = true;
  /** The client must be told that it has ended. */
  #endsClient = false;

  constructor(private readonly watch: ChangeWatch, private readonly share: Share) {
    watch.enter(this);
  }

  /** Whether it follows nothing. */
  get isEmpty(): boolean {
    return this.#followed.size === 0;
  }

  /** Does nothing if it already follows the topic. Throws ToolError beyond a limit. */
  follow(topic: Topic): void {
    if (!this.#isOpen || this.#followed.has(topic.key)) return;
    this.share.takeTopic();
    this.#followed.add(topic.key);
    this.watch.follow(topic, this);
  }

  /** Does nothing if it doesn't follow the topic. */
  unfollow(key: string): void {
    if (!this.#followed.delete(key)) return;
    this.#changed.delete(key);
    this.watch.unfollow(key, this);
    this.share.releaseTopics(1);
  }

  /** The client has been told that its subscription exists: changes since its begin may be delivered. */
  begin(delivery: Delivery): void {
    this.#delivery = delivery;
    if (this.#endsClient) delivery.end();
  }

  /** The client has ended it. Does nothing the second time. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const key of this.#followed) this.watch.unfollow(key, this);
    this.watch.leave(this);
    this.share.releaseTopics(this.#followed.size);
    this.share.release(this);
    this.#followed.clear();
    this.#changed.clear();
  }

  /** Ends it and tells the client, as far as its transport can: now, or when the delivery begins. */
  end(): void {
    this.close();
    this.#endsClient = true;
    this.#delivery?.end();
  }

  changed(key: string): void {
    this.#changed.add(key);
  }

  roundEnded(): void {
    if (this.#delivery === null || !this.#delivery.isReading) return;
    if (this.#changed.size === 0) return this.#delivery.rest();
    const keys = [...this.#changed];
    this.#changed.clear();
    this.#delivery.deliver(keys);
  }
}
