// Sends one established connection its initial frames, live messages and answers.

import type { Timers } from "../../../common/timers.ts";
import type { EngineMessage } from "../../../protocol/index.ts";
import type { EngineUser } from "../../engine/api/market-engine.ts";
import { dropReportedFailure } from "../host/engine-failure.ts";
import type { EngineHost } from "../host/engine-host.ts";
import type { Subscriber } from "../publication/subscribers.ts";
import { NO_MESSAGES, type SerializedMessages } from "../publication/visible-messages.ts";
import type { SendQueue } from "./send-queue.ts";

export interface SubscriptionOptions {
  readonly host: EngineHost;
  readonly user: EngineUser;
  readonly cancelOnDisconnect: boolean;
  readonly queue: SendQueue;
  readonly timers: Timers;
  /** Ends a connection that does not keep up. */
  readonly cutOff: () => void;
}

export class Subscription implements Subscriber {
  readonly user: EngineUser;
  readonly cancelOnDisconnect: boolean;
  readonly cutOff: () => void;
  readonly #host: EngineHost;
  readonly #queue: SendQueue;
  readonly #timers: Timers;
  #isResumeScheduled = false;
  #isClosed = false;

  constructor({ host, user, cancelOnDisconnect, queue, timers, cutOff }: SubscriptionOptions) {
    this.user = user;
    this.cancelOnDisconnect = cancelOnDisconnect;
    this.cutOff = cutOff;
    this.#host = host;
    this.#queue = queue;
    this.#timers = timers;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  deliver(messages: SerializedMessages): boolean {
    this.#queue.addLive(messages);
    return !this.#queue.isTooSlow;
  }

  /** Sends the queued messages. The caller must have flushed the host. */
  send(): void {
    // Initial frames are read from the engine, whose state is unknown after a failure.
    if (this.#queue.isSendingInitialFrames && this.#host.hasFailed) return;
    this.#queue.drain();
    if (this.#queue.isPaused) this.#resumeLater();
  }

  /** The socket takes frames again. */
  drained(): void {
    if (this.#queue.isSendingInitialFrames) this.#host.flush();
    this.send();
  }

  reply(message: EngineMessage): void {
    this.#queue.addLive({ ...NO_MESSAGES, response: JSON.stringify(message) });
    // While initial frames are sent, the socket is full, and `drained` follows.
    if (!this.#queue.isSendingInitialFrames) this.#queue.drain();
    if (this.#queue.isTooSlow) this.cutOff();
  }

  /** Nothing more is sent. */
  close(): void {
    this.#isClosed = true;
    this.#queue.close();
  }

  /** Continues after other connections have had their turn. */
  #resumeLater(): void {
    if (this.#isResumeScheduled) return;
    this.#isResumeScheduled = true;
    this.#timers.after(0, () => {
      this.#isResumeScheduled = false;
      dropReportedFailure(() => this.drained());
    });
  }
}
