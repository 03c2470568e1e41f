// One-shot timers, behind an interface that a simulated clock can implement.

export interface Timers {
  /** Calls `task` once after `waitMs` milliseconds (at most 2^31 - 1). The returned function cancels the timer. */
  after(waitMs: number, task: () => void): () => void;
}

/** The runtime's timers. They do not keep the process alive. */
export const SYSTEM_TIMERS: Timers = {
  after(waitMs, task) {
    const timer = setTimeout(task, waitMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
