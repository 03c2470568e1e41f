// Holds the response to a clock.advance until those in this process who follow market time have done what became due: the
// personas of the simulator. So a client that moves a market in lockstep meets their orders of one step before it asks for the
// next.
//
// The request itself is carried out at once, and so are later ones, on this and on other connections. Only its response waits,
// so the response to a later request may come first.

import { dropReportedFailure } from "../host/engine-failure.ts";
import type { Reply, Subscriber } from "../publication/subscribers.ts";

/** Resolves once everything that is due at the present market time has been done, or was waited for long enough. */
export type Settled = () => Promise<void>;

export class AdvanceResponses {
  #settled: Settled | null = null;

  /** `settled` must not reject. */
  hold(settled: Settled): void {
    this.#settled = settled;
  }

  /** To whom the response to a request goes. */
  replyFor(action: string, reply: Reply): Reply {
    const settled = this.#settled;
    if (action !== "clock.advance" || settled === null) return reply;
    return { ...reply, to: new Held(reply.to, settled) };
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
