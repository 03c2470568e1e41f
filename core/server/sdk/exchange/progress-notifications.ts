// The progress notifications of one call.
//
// Invariants: values rise, at most MOST_A_SECOND notifications are sent in any second, and none is sent after the call has
// ended, was cancelled, or could not send one. A step that can't be sent now is dropped. The call never waits for its client:
// while a notification waits for the client to read, further steps are dropped.

import { safeText } from "../../../../common/safe-text.ts";
import type { Progress, ProgressStep } from "../../../tools/progress.ts";

interface ProgressOptions {
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  readonly send: (parameters: { progress: number; total?: number; message?: string }) => Promise<void>;
  /** Milliseconds, never set back; performance.now if absent. */
  readonly now?: () => number;
}

const MOST_A_SECOND = 4;

export class ProgressNotifications {
  #last = -Infinity;
  /** When the newest ones were sent, oldest first. */
  readonly #sentAt: number[] = [];
  #isSending = false;
  #isOver = false;

  constructor(private readonly options: ProgressOptions) {}

  readonly report: Progress = (step) => {
    if (this.#admits(step)) void this.#send(step);
    return Promise.resolve();
  };

  /** The call has ended. */
  readonly end = (): void => {
    this.#isOver = true;
  };

  #admits({ done }: ProgressStep): boolean {
    if (this.#isOver || this.#isSending || this.options.signal.aborted || !(done > this.#last)) return false;
    const now = this.options.now?.() ?? performance.now();
    if (this.#sentAt.length === MOST_A_SECOND && now - (this.#sentAt[0] ?? 0) < 1_000) return false;
    this.#sentAt.push(now);
    if (this.#sentAt.length > MOST_A_SECOND) this.#sentAt.shift();
    return true;
  }

  async #send({ done, total, message }: ProgressStep): Promise<void> {
    this.#last = done;
    this.#isSending = true;
    try {
      await this.options.send({
        progress: done,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message: safeText(message) }),
      });
    } catch {
      // The client is gone. The call's own signal ends the call.
      this.#isOver = true;
    } finally {
      this.#isSending = false;
    }
  }
}
