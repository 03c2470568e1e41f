// Logs that this process stood still: it computed, waited for memory or a processor, or was stopped (SIGSTOP). Everybody who
// waited for it then waited as long, so it belongs beside what they report.
//
// The monotonic clock of Linux and macOS stands still while the machine is suspended, so that is no stall.

import { lengthText } from "./length-text.ts";
import type { Logger } from "./logger.ts";
import { steadyNow } from "./steady-now.ts";
import { SYSTEM_TIMERS, type Timers } from "./timers.ts";

const CHECK_MS = 1000;
/** A busy process may be some seconds late. */
const STALL_MS = 5000;

interface StallWatchOptions {
  readonly log: Logger;
  /** Milliseconds that pass evenly; default: the runtime's. */
  readonly now?: () => number;
  /** Default: the runtime's timers. */
  readonly timers?: Timers;
}

/** The returned function ends the watch. */
export function watchStalls({ log, now = steadyNow, timers = SYSTEM_TIMERS }: StallWatchOptions): () => void {
  let cancel = () => {};
  const wait = () => {
    const due = now() + CHECK_MS;
    cancel = timers.after(CHECK_MS, () => {
      const lateMs = now() - due;
      if (lateMs >= STALL_MS) log.warn("the process stood still for {length}", { length: lengthText(lateMs) });
      wait();
    });
  };
  wait();
  return () => cancel();
}
