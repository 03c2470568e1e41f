const KEPT_MS = 24 * 60 * 60 * 1000;

/** Whether an operation that was answered at `time` is no longer kept. Both are milliseconds since the epoch. */
export function isPast(time: number, now: number): boolean {
  return now - time >= KEPT_MS;
}
