// The calls that wait for one connection. Each ends when it is established, when it fails, or when the call is aborted.

import type { Session } from "./pubsub.ts";

export class ConnectWaiters {
  readonly #waiters = new Set<PromiseWithResolvers<Session>>();

  /** `onAbandoned` is called when an abort ends the last wait. */
  constructor(private readonly onAbandoned: () => void) {}

  add(signal: AbortSignal | undefined): Promise<Session> {
    const waiter = Promise.withResolvers<Session>();
    this.#waiters.add(waiter);
    if (signal === undefined) return waiter.promise;
    const onAbort = () => {
      if (!this.#waiters.delete(waiter)) return;
      waiter.reject(signal.reason);
      if (this.#waiters.size === 0) this.onAbandoned();
    };
    signal.addEventListener("abort", onAbort);
    return waiter.promise.finally(() => signal.removeEventListener("abort", onAbort));
  }

  resolveAll(session: Session): void {
    for (const waiter of this.#waiters) waiter.resolve(session);
    this.#waiters.clear();
  }

  rejectAll(error: Error): void {
    for (const waiter of this.#waiters) waiter.reject(error);
    this.#waiters.clear();
  }
}
