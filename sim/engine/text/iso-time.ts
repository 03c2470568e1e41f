// Times as ISO texts. Most texts of a call have the call's time, so the last one is kept.

let lastTime = NaN;
let lastText = "";

/** `time`: milliseconds since the epoch. Throws a RangeError if that is not a time. */
export function isoTime(time: number): string {
  if (time === lastTime) return lastText;
  lastText = new Date(time).toISOString();
  lastTime = time;
  return lastText;
}
