// Sends one established connection its initial frames, live messages and answers.

import type { Timers } from "../../../common/timers.ts";
import type { EngineMessage } from "../../../protocol/index.ts";
import type { EngineUser } from "../../api/market-engine.ts";
import { dropReportedFailure } from "../host/engine-failure.ts";
import type { EngineHost } from "../host/engine-host.ts";
import type { Subscriber } from "../publication/subscribers.ts";
import type { Updates } from "../publication/updates.ts";
import type { SendQueue } from "./send-queue.ts";

interface SubscriptionOptions {
  readonly host: EngineHost;
  readonly user: EngineUser;
  readonly cancelOnDisconnect: boolean;
  readonly queue: SendQueue;
  /** Everything that is published after the welcome. */
  readonly updates: Updates;
  readonly timers: Timers;
  /** Ends a connection that does not keep up. */
  readonly cutOff: () => void;
}

export class Subscription implements Subscriber {
  readonly user: EngineUser;
  readonly cancelOnDisconnect: boolean;
  readonly cutOff: () => void;
  readonly #options: SubscriptionOptions;
  readonly #queue: SendQueue;
  #responses: string[] = [];
  /** Contracts whose books have changed since the snapshot began. */
  readonly #changedBooks = new Set<string>();
  #isResumeScheduled = false;
  #isClosed = false;

  constructor(options: SubscriptionOptions) {
    this.user = options.user;
    this.cancelOnDisconnect = options.cancelOnDisconnect;
    this.cutOff = options.cutOff;
    this.#options = options;
    this.#queue = options.queue;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  respond(response: string): void {
    this.#responses.push(response);
  }

  deliver(): boolean {
    if (this.#isClosed) return true;
    this.#queueEverything();
    this.#queue.drainLive();
    return !this.#queue.isTooSlow;
  }

  /** Sends everything, initial frames included. The caller must have flushed the host. */
  send(): void {
    this.#queueEverything();
    // Initial frames are read from the engine, whose state is unknown after a failure.
    if (this.#queue.isSendingInitialFrames && this.#options.host.hasFailed) return;
    this.#queue.drain();
    if (this.#queue.isPaused) this.#resumeLater();
  }

  /**
   * States of modules that have changed since the snapshot began, serialised and separated by commas. Null: there are none, and
   * the snapshot is complete. The caller must have flushed the host.
   */
  takeStates(): string | null {
    const states = this.#queue.takeStates() ?? this.#takeBooks();
    if (states === null) this.#queue.completeSnapshot();
    return states;
  }

  /** The socket takes frames again. */
  drained(): void {
    if (this.#queue.isSendingInitialFrames) this.#options.host.flush();
    this.send();
  }

  /** Sends everything published before, then the message. */
  reply(message: EngineMessage): void {
    this.respond(JSON.stringify(message));
    if (!this.deliver()) this.cutOff();
  }

  /** Nothing more is sent. */
  close(): void {
    this.#isClosed = true;
    this.#queue.close();
  }

  /** Updates first, so a response comes after the changes that it reports. */
  #queueEverything(): void {
    if (this.#queue.isSnapshotComplete) {
      for (const frame of this.#options.updates.takeFrames()) this.#queue.add(frame);
    } else {
      const { states, events, books } = this.#options.updates.takeForSnapshot();
      for (const contractId of books) this.#changedBooks.add(contractId);
      if (states !== "") this.#queue.addStates(states);
      if (events !== "") this.#queue.add(`[${events}]`);
    }
    if (this.#responses.length === 0) return;
    this.#queue.add(`[${this.#responses.join()}]`);
    this.#responses = [];
  }

  #takeBooks(): string | null {
    const books = [...this.#changedBooks].flatMap((contractId) => this.#options.host.bookState(contractId)?.text ?? []);
    this.#changedBooks.clear();
    return books.length === 0 ? null : books.join();
  }

  /** Continues after other connections have had their turn. */
  #resumeLater(): void {
    if (this.#isResumeScheduled) return;
    this.#isResumeScheduled = true;
    this.#options.timers.after(0, () => {
      this.#isResumeScheduled = false;
      dropReportedFailure(() => this.drained());
    });
  }
}
