// The beat of all streams: they look for changes at the same moments, so that they find the same events and rows, whose texts
// are then shared. There is no timer if nobody waits.

/** Between two updates of a stream, milliseconds. */
const TICK_MS = 100;

let waiting: (() => void)[] = [];

/** Resolves at the next tick. */
export function nextTick(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (waiting.length === 0) setTimeout(tick, untilNext(performance.now()));
  waiting.push(resolve);
  return promise;
}

function tick(): void {
  const ready = waiting;
  waiting = [];
  for (const resolve of ready) resolve();
}

/** Never too short, since a timer that is early by a fraction would make two ticks of one. */
function untilNext(now: number): number {
  return Math.ceil(TICK_MS - now % TICK_MS) + 1;
}
