// A worker of a study: runs one job after the other in this process. Later jobs are several times faster than the first,
// because the code is compiled by then.
//
// It ends when the study ends, also if the study was killed: then its stdin ends, or in the middle of a job its parent changes.

import { errorLines } from "../../common/command-line.ts";
import { write } from "../../common/output.ts";
import { asLine, type JobAnswer, type JobRequest, linesOf } from "./job-messages.ts";

/** `run`: gives the result's line; it has to call `onProgress` now and then. */
export async function serveJobs(run: (request: JobRequest, onProgress: () => void) => string): Promise<void> {
  const study = process.ppid;
  const endWithStudy = () => {
    if (process.ppid !== study) process.exit(1);
  };
  for await (const line of linesOf(Bun.stdin.stream())) {
    await write(asLine(answerTo(() => run(JSON.parse(line) as JobRequest, endWithStudy))));
  }
}

function answerTo(run: () => string): JobAnswer {
  try {
    return { ok: true, line: run() };
  } catch (error) {
    return { ok: false, faults: errorLines(error) };
  }
}
