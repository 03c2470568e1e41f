import { DAY_MS } from "../../protocol/time-units.ts";

/** Whether an operation that was answered at `time` is no longer kept. Both are milliseconds since the epoch. */
export function isPast(time: number, now: number): boolean {
  return now - time >= DAY_MS;
}
