// Drives load through a server's connections. Closed loop: each connection always has one request in flight. Open loop:
// requests are sent by a schedule (open-load.ts).

import type { AnswerReader } from "./answer-reader.ts";
import type { Connection } from "./connection.ts";

export const CONNECTIONS = 8;

/** A request with the answer that it must get. */
export interface Prepared {
  readonly bytes: Uint8Array;
  /** Length of the right answer's body. */
  readonly answerBytes: number;
}

/** Throws if an answer isn't as long as the right one, so a wrong answer is never counted. */
export function checkAnswer({ status, bodyBytes }: Pick<AnswerReader, "status" | "bodyBytes">, right: Prepared): void {
  if (status === 200 && bodyBytes === right.answerBytes) return;
  throw new Error(`an answer with status ${status} and ${bodyBytes} bytes instead of ${right.answerBytes}`);
}

/** Sends the requests in turn over all connections while `goesOn` is true, and returns the number of answers. */
export async function drive(
  connections: readonly Connection[],
  requests: readonly Prepared[],
  goesOn: (calls: number) => boolean,
): Promise<number> {
  let calls = 0;
  let sent = 0;
  const one = (connection: Connection) =>
    new Promise<void>((resolve, reject) => {
      const next = () => {
        if (!goesOn(sent)) return resolve();
        const request = requests[sent % requests.length]!;
        sent += 1;
        connection.send(request.bytes, (answer) => {
          try {
            checkAnswer(answer, request);
          } catch (error) {
            return reject(error);
          }
          calls += 1;
          next();
        }, reject);
      };
      next();
    });
  await Promise.all(connections.map(one));
  return calls;
}

/** For `drive`: goes on for so long. */
export function forMs(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() < end;
}
