// Open loop: requests are due at fixed times, whether earlier ones are answered or not. A request that is due while all
// connections are busy waits, and its latency counts from the time when it was due. So a slow answer also slows the
// requests behind it, as it would for clients.
//
// The generator polls between events instead of using timers, whose steps of 1 ms would be longer than most answers.

import { checkAnswer, type Prepared } from "./load.ts";
import type { Connection } from "./connection.ts";

/** Milliseconds from the due time to the complete answer, one for each request. */
export async function latencies(
  connections: readonly Connection[],
  requests: readonly Prepared[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Float64Array> {
  const measured = new Float64Array(Math.floor(perSecond * seconds));
  const idle = [...connections];
  const intervalMs = 1000 / perSecond;
  const began = performance.now();
  let [sent, answered] = [0, 0];
  const { promise, resolve, reject } = Promise.withResolvers<Float64Array>();
  const send = (connection: Connection) => {
    const request = requests[sent % requests.length]!;
    const at = sent;
    sent += 1;
    connection.send(request.bytes, (answer) => {
      measured[at] = performance.now() - (began + at * intervalMs);
      try {
        checkAnswer(answer, request);
      } catch (error) {
        return reject(error);
      }
      answered += 1;
      idle.push(connection);
      if (answered === measured.length) resolve(measured);
    }, reject);
  };
  const poll = () => {
    while (idle.length > 0 && sent < measured.length && performance.now() >= began + sent * intervalMs) {
      send(idle.pop()!);
    }
    if (sent < measured.length) setImmediate(poll);
  };
  poll();
  return await promise;
}

/** The value that a share of all values don't exceed. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length, Math.max(1, Math.ceil(share * sorted.length))) - 1] ?? NaN;
}
