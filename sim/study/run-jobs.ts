// Runs the jobs of a study in worker processes, as many at a time as it is told. The results come in the order of completion.
//
// A job that fails is named with its command on stderr, and the others go on. If this process is asked to end by a signal, it
// ends the workers first.

import { showProgress } from "../../common/progress-bar.ts";
import { JobWorker } from "./job-worker.ts";
import type { Job } from "./study-jobs.ts";

interface JobRun {
  readonly jobs: readonly Job[];
  /** Jobs of the study that were done before. */
  readonly doneBefore: number;
  /** Number of workers at a time. */
  readonly workers: number;
  /** Jobs after which a worker is replaced. */
  readonly jobsPerWorker: number;
  /** The command line of a worker. */
  readonly workerArguments: readonly string[];
  readonly tapeOf: (job: Job) => string | null;
  /**
   * Called for each result. `line`: with its line feed; null if the job failed. What it throws ends the study, but an Error of
   * the job's files, which fails the job.
   */
  readonly onResult: (job: Job, line: string | null) => Promise<void> | void;
  /** The command that repeats a job alone. */
  readonly commandOf: (job: Job) => string;
  /** Called if a signal ends the study, when no worker runs any more. */
  readonly onEnd: () => void;
}

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
/** Faults of more jobs are counted only. */
const MOST_NAMED = 20;

/** Throws an Error that names the jobs that failed. */
export async function runJobs(run: JobRun): Promise<void> {
  const workers = new Set<JobWorker>();
  let isOver = false;
  const end = async (signal: NodeJS.Signals) => {
    isOver = true;
    await killAll(workers);
    progress.stop();
    run.onEnd();
    // The handler has been removed, so this ends the process.
    process.kill(process.pid, signal);
  };
  const total = run.doneBefore + run.jobs.length;
  const progress = await showProgress(total, "jobs", { start: run.doneBefore, showsRest: true });
  for (const signal of SIGNALS) process.once(signal, end);
  const failed: Job[] = [];
  let done = run.doneBefore;
  const onAnswer = async (job: Job, worker: JobWorker): Promise<boolean> => {
    const answer = await worker.run({ index: job.index, tape: run.tapeOf(job) });
    // A job that was ended has not failed, and no other begins.
    if (isOver) return await new Promise<never>(() => {});
    const faults = answer.ok ? await faultsOfResult(run, job, answer.line) : answer.faults;
    if (faults.length > 0) {
      failed.push(job);
      if (failed.length <= MOST_NAMED) noteFailure(run, job, faults, progress.note);
      await run.onResult(job, null);
    }
    progress.update(done += 1);
    return answer.ok;
  };
  try {
    await inWorkers(run, workers, onAnswer);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    progress.stop();
    isOver = true;
    await killAll(workers);
  }
  if (failed.length > 0) throw new Error(failureText(failed, run.jobs.length));
}

/** Each worker takes the next job. A worker whose job failed is replaced. */
async function inWorkers(
  { jobs, workers: count, jobsPerWorker, workerArguments }: JobRun,
  workers: Set<JobWorker>,
  onAnswer: (job: Job, worker: JobWorker) => Promise<boolean>,
): Promise<void> {
  const left = jobs.values();
  const work = async () => {
    let worker: JobWorker | null = null;
    let taken = 0;
    const replace = async () => {
      if (worker === null) return;
      await worker.finish();
      workers.delete(worker);
      worker = null;
    };
    for (const job of left) {
      if (worker === null) {
        workers.add(worker = new JobWorker(workerArguments));
        taken = 0;
      }
      const isOk = await onAnswer(job, worker);
      if (!isOk || (taken += 1) >= jobsPerWorker) await replace();
    }
    await replace();
  };
  await Promise.all(Array.from({ length: count }, work));
}

/** The faults of the files of a job; empty if its result is kept. */
async function faultsOfResult({ onResult }: JobRun, job: Job, line: string): Promise<readonly string[]> {
  try {
    await onResult(job, line);
    return [];
  } catch (error) {
    if (!(error instanceof ResultNotKept)) throw error;
    return [error.message];
  }
}

/** The result of a job could not be kept, so the job has failed. */
export class ResultNotKept extends Error {}

function noteFailure({ commandOf }: JobRun, job: Job, faults: readonly string[], note: (text: string) => void): void {
  for (const fault of faults) note(`mkt: ${job.key}: ${fault}`);
  note(`mkt: ${job.key}: to repeat it alone: ${commandOf(job)}`);
}

function failureText(failed: readonly Job[], count: number): string {
  const more = failed.length - MOST_NAMED;
  const names = failed.slice(0, MOST_NAMED).map(({ key }) => key).join("; ");
  return `${failed.length} of ${count} jobs failed: ${names}${more > 0 ? `; and ${more} more` : ""}`;
}

async function killAll(workers: Iterable<JobWorker>): Promise<void> {
  await Promise.all([...workers].map((worker) => worker.kill()));
}
