// What a study and its workers say to each other: a line of JSON for each job on the worker's stdin, and a line for each result
// on its stdout.
//
// A worker runs one job after the other. Later jobs are several times faster than the first, because the code is compiled by
// then. It ends when the study ends, also if the study was killed: then its stdin ends, or in the middle of a job its parent
// changes.

import { errorLines } from "../../common/command-line.ts";
import { write } from "../../common/output.ts";

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

/** How often a job that waits for its agents looks whether the study has ended. */
const LOOK_MS = 1_000;

/** Works for a study. `run`: gives the result's line; it has to call `onProgress` now and then, unless it waits. */
export async function serveJobs(
  run: (request: JobRequest, onProgress: () => void) => Promise<string> | string,
): Promise<void> {
  const study = process.ppid;
  const endWithStudy = () => {
    if (process.ppid !== study) process.exit(1);
  };
  setInterval(endWithStudy, LOOK_MS).unref();
  for await (const line of linesOf(Bun.stdin.stream())) {
    await write(asLine(await answerTo(() => run(JSON.parse(line) as JobRequest, endWithStudy))));
  }
}

async function answerTo(run: () => Promise<string> | string): Promise<JobAnswer> {
  try {
    return { ok: true, line: await run() };
  } catch (error) {
    return { ok: false, faults: errorLines(error) };
  }
}
