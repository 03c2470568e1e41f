// What a study and its workers say to each other: a line of JSON for each job on the worker's stdin, and a line for each result
// on its stdout.

export interface JobRequest {
  /** Place of the job in the study. */
  readonly index: number;
  /** Path of the tape that the job makes; null without a tape. */
  readonly tape: string | null;
}

export type JobAnswer =
  | { readonly ok: true; readonly line: string }
  | { readonly ok: false; readonly faults: readonly string[] };

export function asLine(message: JobRequest | JobAnswer): string {
  return `${JSON.stringify(message)}\n`;
}

/** The whole lines of a stream, without their line feeds. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of stream) {
    const [first = "", ...rest] = decoder.decode(chunk, { stream: true }).split("\n");
    parts.push(first);
    for (const part of rest) {
      yield parts.join("");
      parts = [part];
    }
  }
}
