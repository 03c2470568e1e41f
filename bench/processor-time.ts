// The clock of benches whose runs are single-threaded and long.

/** Nanoseconds that this thread has run: what other processes take of the machine does not count. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) * 1_000;
}
