// Publishes executions in order. Each one goes to the event history and to the directory of entities and users, and is added
// to the updates of all subscribers.
//
// Updates are sent together: those after a quiet time at once, further ones at most every `updateIntervalMs`. A subscriber
// with a response is sent its updates at once, then the response. One timer serves all subscribers.
//
// A subscriber must not call back from `deliver`. A slow subscriber is therefore cut off after the delivery.

import { SYSTEM_TIMERS, type Timers } from "../../../common/timers.ts";
import type { EngineUser, Execution } from "../../engine/api/market-engine.ts";
import type { EventHistory } from "./event-history.ts";
import { responseText } from "./response-text.ts";
import { type Reply, type Subscriber, Subscribers } from "./subscribers.ts";
import { RecentMessages } from "./recent-messages.ts";
import { Updates } from "./updates.ts";
import { UserDirectory } from "./user-directory.ts";
import { FULL_FRAME, VisibilityClasses } from "./visibility-class.ts";

export const UPDATE_INTERVAL_MS = 10;

/** An execution that is not committed yet. */
export interface PendingExecution {
  readonly execution: Execution;
  /** Null: nobody gets a response. */
  readonly reply: Reply | null;
}

export interface PublisherOptions {
  readonly history: EventHistory;
  /** Default: the runtime's timers. */
  readonly timers?: Timers | undefined;
  /** Milliseconds; default UPDATE_INTERVAL_MS; 0: updates never wait. */
  readonly updateIntervalMs?: number | undefined;
  /** Runs what a timer calls; reports its failure. */
  readonly guard: (work: () => void) => void;
}

export class Publisher {
  readonly directory = new UserDirectory();
  readonly subscribers = new Subscribers();
  readonly history: EventHistory;
  readonly #recent = new RecentMessages();
  readonly #classes = new VisibilityClasses(this.#recent);
  readonly #timers: Timers;
  readonly #updateIntervalMs: number;
  readonly #guard: (work: () => void) => void;
  /** Ends the wait for the next common delivery. Null after a quiet time. */
  #cancelWait: (() => void) | null = null;

  constructor({ history, timers = SYSTEM_TIMERS, updateIntervalMs = UPDATE_INTERVAL_MS, guard }: PublisherOptions) {
    this.history = history;
    this.#timers = timers;
    this.#updateIntervalMs = updateIntervalMs;
    this.#guard = guard;
  }

  /** What a new subscriber will have to take: everything that is published from now on. */
  updatesFor(user: EngineUser): Updates {
    return new Updates(this.#recent, this.#classes.of(user));
  }

  publish(executions: readonly PendingExecution[]): void {
    const answered = new Set<Subscriber>();
    for (const { execution, reply } of executions) {
      const { messages, response } = execution;
      this.history.append(messages);
      this.directory.apply(messages);
      this.#recent.add(messages);
      if (reply === null || response === null) continue;
      reply.to.respond(responseText(reply.requestId, response));
      answered.add(reply.to);
    }
    if (this.#cancelWait === null || this.#recent.length >= FULL_FRAME) this.#deliverToAll(answered);
    else cutOff(deliverTo(answered));
  }

  /** Ends the wait. Updates that are not sent yet leave with the next `deliver` of a subscriber. */
  stop(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
  }

  #wait(): void {
    this.#cancelWait?.();
    this.#cancelWait = this.#timers.after(this.#updateIntervalMs, () => {
      this.#cancelWait = null;
      this.#guard(() => this.#deliverToAll());
    });
  }

  /** Sends all updates, and waits before the next ones. Without updates, only `answered` are sent something. */
  #deliverToAll(answered: Iterable<Subscriber> = []): void {
    if (this.#recent.isEmpty) return cutOff(deliverTo(answered));
    if (this.#updateIntervalMs > 0) this.#wait();
    const slow = deliverTo(this.subscribers);
    this.#recent.clear();
    cutOff(slow);
  }
}

/** Returns those that don't keep up. */
function deliverTo(subscribers: Iterable<Subscriber>): Subscriber[] {
  const slow: Subscriber[] = [];
  for (const subscriber of subscribers) if (!subscriber.deliver()) slow.push(subscriber);
  return slow;
}

function cutOff(slow: readonly Subscriber[]): void {
  for (const subscriber of slow) subscriber.cutOff();
}
