// The messages that are published and not yet sent to everyone, in order. Each connection keeps its position among them
// (updates.ts), so a connection that keeps up takes no memory for them.
//
// A position counts the executions since the start. Those before `start` have been taken by everyone and are gone.

import type { PublishedMessage } from "../../api/messages.ts";

export class RecentMessages {
  #start = 0;
  #groups: (readonly PublishedMessage[])[] = [];
  #length = 0;

  /** The position after the newest execution. */
  get end(): number {
    return this.#start + this.#groups.length;
  }

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  /** Characters of all messages. */
  get length(): number {
    return this.#length;
  }

  /** Adds the messages of one execution. */
  add(messages: readonly PublishedMessage[]): void {
    if (messages.length === 0) return;
    this.#groups.push(messages);
    for (const message of messages) this.#length += message.length;
  }

  /** The messages since a position, by execution. */
  since(position: number): readonly (readonly PublishedMessage[])[] {
    return position === this.#start ? this.#groups : this.#groups.slice(position - this.#start);
  }

  /** Forgets all messages. Everyone must have taken them. */
  clear(): void {
    this.#start = this.end;
    this.#groups = [];
    this.#length = 0;
  }
}
