// Bounds what clock.advance does at once, and holds its response.
//
// A request is carried out at once, and so are later ones, on this and on other connections. Its response waits until those in
// this process who follow market time have done what became due: the personas of the simulator. So a client that moves a market
// in lockstep meets their orders of one step before it asks for the next. After more than LONG_MS the response also waits until
// all connections have taken what the moves have caused, but no longer than TAKEN_MS. The response to a later request may come
// first.
//
// A long move lists and expires thousands of contracts. So until the connections have taken it, market time moves by no more
// than MAX_ADVANCE_MS, and further moves are refused: they would hold up everybody, and overflow the send queues. A client that
// waits for each response is never refused.

import { MAX_ADVANCE_MS } from "../../../protocol/index.ts";
import type { Timers } from "../../../common/timers.ts";
import { dropReportedFailure } from "../host/engine-failure.ts";
import type { Subscriber } from "../publication/subscribers.ts";

/** Resolves once everything that is due at the present market time has been done, or was waited for long enough. */
export type Settled = () => Promise<void>;

interface AdvanceResponsesOptions {
  readonly timers: Timers;
  /** Characters that wait in the send queues of all connections. */
  readonly queuedCharacters: () => number;
}

/** Market time after which a response waits for the other connections. */
const LONG_MS = 86_400_000;
/** Longer than updates wait, so that the queues have everything at the first look. */
const LOOK_MS = 20;
/** A connection that takes nothing must not hold up the market. */
const TAKEN_MS = 1000;
/** When a refused client may try again. */
export const RETRY_MS = TAKEN_MS;

export class AdvanceResponses {
  #settled: Settled | null = null;
  /** Market time by which the clock has been moved since the connections had taken everything. */
  #movedMs = 0;
  #taken: Promise<void> | null = null;

  constructor(private readonly options: AdvanceResponsesOptions) {}

  /** `settled` must not reject. */
  hold(settled: Settled): void {
    this.#settled = settled;
  }

  /** Why a move of the clock must wait; null: it may be carried out. */
  refusal(milliseconds: number): string | null {
    if (this.#movedMs <= LONG_MS || this.#movedMs + milliseconds <= MAX_ADVANCE_MS) return null;
    return "Market time is being moved, and this would be more than 31 days at once: wait for the response to " +
      "clock.advance, then send the next one.";
  }

  /** To whom the response to a move goes. Must be called before the move. */
  responseTo(subscriber: Subscriber, milliseconds: number): Subscriber {
    const isLong = this.#movedMs + milliseconds > LONG_MS;
    if (!isLong && this.#settled === null) return subscriber;
    const settled = async () => void await Promise.all([this.#settled?.(), isLong ? this.#untilTaken() : null]);
    return new Held(subscriber, settled);
  }

  /** The clock was moved. */
  moved(milliseconds: number): void {
    this.#movedMs += milliseconds;
    void this.#untilTaken();
  }

  #untilTaken(): Promise<void> {
    return this.#taken ??= this.#waitUntilTaken().then(() => {
      this.#taken = null;
      this.#movedMs = 0;
    });
  }

  async #waitUntilTaken(): Promise<void> {
    const { timers, queuedCharacters } = this.options;
    for (let waitedMs = 0; waitedMs < TAKEN_MS; waitedMs += LOOK_MS) {
      await new Promise<void>((resolve) => timers.after(LOOK_MS, resolve));
      if (queuedCharacters() === 0) return;
    }
  }
}

class Held implements Subscriber {
  /** A clock.advance submits no order. */
  readonly cancelOnDisconnect = false;

  constructor(private readonly subscriber: Subscriber, private readonly settled: Settled) {}

  get user() {
    return this.subscriber.user;
  }

  respond(response: string): void {
    void this.settled().then(() =>
      dropReportedFailure(() => {
        this.subscriber.respond(response);
        if (!this.subscriber.deliver()) this.subscriber.cutOff();
      })
    );
  }

  deliver(): boolean {
    return this.subscriber.deliver();
  }

  cutOff(): void {
    this.subscriber.cutOff();
  }
}
