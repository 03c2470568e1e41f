// A clock that is not set while the process runs, for what measures how time passes.
//
// It is the time of the process's start, by the machine's clock, plus the monotonic clock of the operating system. That stands
// still while a machine with Linux or macOS is suspended.

/** Milliseconds since the epoch, if the clock was right when the process started. */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}
