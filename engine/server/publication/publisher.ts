// Publishes executions in order. Each one goes to the event history and to the directory of entities and users, and is added
// to the updates of all subscribers.
//
// Updates are sent at once in a quiet market, and together in a busy one: a few deliveries may follow one another without a
// wait, then one every `updateIntervalMs` (a token bucket). A subscriber with a response is sent its updates at once, then the
// response. One timer serves all subscribers.
//
// A subscriber must not call back from `deliver`. A slow subscriber is therefore cut off after the delivery.

import { SYSTEM_TIMERS, type Timers } from "../../../common/timers.ts";
import type { EngineUser, Execution } from "../../api/market-engine.ts";
import type { EventHistory } from "./event-history.ts";
import { responseText } from "./response-text.ts";
import { type Reply, type Subscriber, Subscribers } from "./subscribers.ts";
import { RecentMessages } from "./recent-messages.ts";
import { Updates } from "./updates.ts";
import { UserDirectory } from "./user-directory.ts";
import { FULL_FRAME, VisibilityClasses } from "./visibility-class.ts";

export const UPDATE_INTERVAL_MS = 10;
/** Deliveries that need not wait after a quiet time. People and agents who act one after the other never fill it. */
const UPDATE_BURST = 8;

/** An execution that is not committed yet. */
export interface PendingExecution {
  readonly execution: Execution;
  /** Null: nobody gets a response. */
  readonly reply: Reply | null;
}

interface PublisherOptions {
  readonly history: EventHistory;
  /** Default: the runtime's timers. */
  readonly timers?: Timers | undefined;
  /** Milliseconds; default UPDATE_INTERVAL_MS; 0: updates never wait. */
  readonly updateIntervalMs?: number | undefined;
  /** Deliveries without a wait after a quiet time; default UPDATE_BURST. */
  readonly updateBurst?: number;
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
  readonly #updateBurst: number;
  readonly #guard: (work: () => void) => void;
  /** Deliveries to all that need not wait now. */
  #free: number;
  /** Ends the wait for one more. Null if none is missing. */
  #cancelWait: (() => void) | null = null;

  constructor({ history, guard, timers = SYSTEM_TIMERS, ...options }: PublisherOptions) {
    const { updateIntervalMs = UPDATE_INTERVAL_MS, updateBurst = UPDATE_BURST } = options;
    this.history = history;
    this.#timers = timers;
    this.#updateIntervalMs = updateIntervalMs;
    this.#updateBurst = this.#free = updateBurst;
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
    if (this.#free > 0 || this.#recent.length >= FULL_FRAME) this.#deliverToAll(answered);
    else cutOff(deliverTo(answered));
  }

  /** Ends the wait. Updates that are not sent yet leave with the next `deliver` of a subscriber. */
  stop(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
  }

  /** Sends all updates. Without updates, only `answered` are sent something. */
  #deliverToAll(answered: Iterable<Subscriber> = []): void {
    if (this.#recent.isEmpty) return cutOff(deliverTo(answered));
    if (this.#updateIntervalMs > 0) {
      this.#free = Math.max(0, this.#free - 1);
      this.#cancelWait ??= this.#wait();
    }
    const slow = deliverTo(this.subscribers);
    this.#recent.clear();
    cutOff(slow);
  }

  /** Frees one delivery after each interval, until all are free. Updates that wait leave with it. */
  #wait(): () => void {
    return this.#timers.after(this.#updateIntervalMs, () => {
      this.#free += 1;
      this.#cancelWait = this.#free < this.#updateBurst ? this.#wait() : null;
      this.#guard(() => this.#deliverToAll());
    });
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
