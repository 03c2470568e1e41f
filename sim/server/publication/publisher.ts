// Publishes executions in order. Each one goes to the event history, to the directory of entities and users, and to all
// subscribers before the next one.
//
// A subscriber must not call back from `deliver`. A slow subscriber is therefore cut off after the delivery.

import type { ResponseMessage } from "../../../protocol/index.ts";
import type { Execution } from "../../engine/api/market-engine.ts";
import type { EventHistory } from "./event-history.ts";
import { type Reply, type Subscriber, Subscribers } from "./subscribers.ts";
import { UserDirectory } from "./user-directory.ts";
import { NO_MESSAGES, VisibleMessages } from "./visible-messages.ts";

/** An execution that is not committed yet. */
export interface PendingExecution {
  readonly execution: Execution;
  /** Null: nobody gets a response. */
  readonly reply: Reply | null;
}

export class Publisher {
  readonly directory = new UserDirectory();
  readonly subscribers = new Subscribers();

  constructor(readonly history: EventHistory) {}

  publish(executions: readonly PendingExecution[]): void {
    const slow = new Set<Subscriber>();
    for (const execution of executions) this.#deliver(execution, slow);
    for (const subscriber of [...this.subscribers]) if (!slow.has(subscriber)) subscriber.send();
    for (const subscriber of slow) subscriber.cutOff();
  }

  /** Adds subscribers that don't keep up to `slow`, and delivers nothing more to them. */
  #deliver({ execution, reply }: PendingExecution, slow: Set<Subscriber>): void {
    const { messages } = execution;
    this.history.append(messages);
    this.directory.apply(messages);
    const visible = new VisibleMessages(messages);
    const response = reply && responseTo(reply, execution);
    for (const subscriber of this.subscribers) {
      if (slow.has(subscriber)) continue;
      const texts = visible.messagesFor(subscriber.user);
      const own = response !== null && reply?.to === subscriber
        ? { ...texts, response: JSON.stringify(response) }
        : texts;
      if (own === NO_MESSAGES) continue;
      if (!subscriber.deliver(own)) slow.add(subscriber);
    }
  }
}

function responseTo({ requestId }: Reply, { response }: Execution): ResponseMessage | null {
  return response && { kind: "response", requestId, ...response };
}
