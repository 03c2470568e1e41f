/** `time`: milliseconds since the epoch. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}
