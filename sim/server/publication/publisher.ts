// Hands executions on, in their order: first to the event history and the directory, then to every subscriber that may see
// them, each execution to all before the next.
//
// A subscriber must not call back while it is being delivered to: one that is too slow is cut off after the delivery.

import type { EventHistory } from "./event-history.ts";
import type { Execution } from "../../engine/api/market-engine.ts";
import { UserDirectory } from "./user-directory.ts";
import { VisibleMessages } from "./visible-messages.ts";
import { type AddressedResponse, type Subscriber, Subscribers } from "./subscribers.ts";

/** Carried out, and to be handed on. */
export interface WaitingExecution {
  readonly execution: Execution;
  readonly response: AddressedResponse | null;
}

export class Publisher {
  readonly directory = new UserDirectory();
  readonly subscribers = new Subscribers();

  constructor(readonly history: EventHistory) {}

  handOn(waiting: readonly WaitingExecution[]): void {
    const slow = new Set<Subscriber>();
    for (const { execution, response } of waiting) this.#deliver(execution, response, slow);
    for (const subscriber of [...this.subscribers]) if (!slow.has(subscriber)) subscriber.send();
    for (const subscriber of slow) subscriber.cutOff();
  }

  /** Subscribers that don't keep up join `slow`, and get no more. */
  #deliver({ states, events }: Execution, response: AddressedResponse | null, slow: Set<Subscriber>): void {
    this.history.append(events);
    this.directory.apply(states);
    const publication = new VisibleMessages(states, events);
    for (const subscriber of this.subscribers) {
      if (slow.has(subscriber)) continue;
      const messages = response?.to === subscriber
        ? publication.messagesWith(subscriber.user, response.message)
        : publication.messagesFor(subscriber.user);
      if (messages.states === "" && messages.events === "") continue;
      if (!subscriber.deliver(messages)) slow.add(subscriber);
    }
  }
}
