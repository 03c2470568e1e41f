// Waits, as the server uses them, so that a simulated clock can take the place of the runtime's.

export interface Timers {
  /** Calls `task` once after `waitMs` milliseconds (at most 2^31 - 1); what it returns ends the wait before that. */
  after(waitMs: number, task: () => void): () => void;
}

/** The runtime's own timers. They keep no process alive. */
export const SYSTEM_TIMERS: Timers = {
  after(waitMs, task) {
    const timer = setTimeout(task, waitMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
