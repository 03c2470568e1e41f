// How the jobs of a study are given to workers, and what is said of those that fail. The workers are not processes here.

import { expect, test } from "bun:test";
import type { JobAnswer, JobRequest } from "../../../sim/study/job-messages.ts";
import * as workers from "../../../sim/study/job-worker.ts";
import { InOrder } from "../../../sim/study/in-order.ts";
import { ResultNotKept, runJobs } from "../../../sim/study/run-jobs.ts";
import type { Job } from "../../../sim/study/study-jobs.ts";
import { atEnd } from "../../support/at-end.ts";
import { replaced } from "../../support/replaced.ts";

const jobsOf = (count: number): Job[] =>
  Array.from({ length: count }, (_, index) => ({ key: `job-${index}`, seed: index, variant: [], index }));

type RunOptions = Partial<Parameters<typeof runJobs>[0]> & {
  readonly answer?: (request: JobRequest) => JobAnswer | Promise<JobAnswer>;
};

/** Runs jobs; `done`: what each worker, by its number, was asked for. */
async function ran(
  count: number,
  { answer = ({ index }) => ({ ok: true, line: `${index}\n` }), ...options }: RunOptions = {},
) {
  const done: string[] = [];
  const results: unknown[] = [];
  const said: string[] = [];
  let made = 0;
  let busy = 0;
  let most = 0;
  replaced(
    workers,
    "JobWorker" as never,
    function (args: readonly string[]) {
      const number = made++;
      done.push(`${number} starts ${args.join(" ")}`);
      return {
        async run(request: JobRequest) {
          most = Math.max(most, ++busy);
          done.push(`${number}: ${request.index} ${request.tape}`);
          const answered = await answer(request);
          busy -= 1;
          return answered;
        },
        finish: () => Promise.resolve(void done.push(`${number} ends`)),
        kill: () => Promise.resolve(void done.push(`${number} is killed`)),
      };
    } as never,
  );
  const { write } = process.stderr;
  atEnd(() => void (process.stderr.write = write));
  process.stderr.write = (text: unknown) => Boolean(said.push(String(text)));
  const error = await runJobs({
    jobs: jobsOf(count),
    doneBefore: 0,
    workers: 1,
    jobsPerWorker: 100,
    workerArguments: ["a", "b"],
    tapeOf: ({ key }) => `tape of ${key}`,
    onResult: ({ key }, line) => void results.push([key, line]),
    commandOf: ({ key }) => `mkt ${key}`,
    onEnd: () => {},
    ...options,
  }).then(() => null, ({ message }: Error) => message);
  process.stderr.write = write;
  return { done, results, said: said.join(""), error, most };
}

test("a worker runs one job after the other, with its tape, and is replaced after so many", async () => {
  const { done, results, error, said } = await ran(5, { jobsPerWorker: 2 });
  const jobs = (worker: number, ...indices: number[]) => [
    `${worker} starts a b`,
    ...indices.map((index) => `${worker}: ${index} tape of job-${index}`),
    `${worker} ends`,
  ];
  expect(done).toEqual([...jobs(0, 0, 1), ...jobs(1, 2, 3), ...jobs(2, 4)]);
  expect([results, error, said]).toEqual([[0, 1, 2, 3, 4].map((index) => [`job-${index}`, `${index}\n`]), null, ""]);
});

test("as many workers run at a time as are asked for, and each job is run once", async () => {
  const { done, most } = await ran(10, {
    workers: 3,
    answer: async ({ index }) => {
      await new Promise(setImmediate);
      return { ok: true, line: `${index}\n` };
    },
  });
  expect([most, done.filter((each) => each.includes("starts")).length]).toEqual([3, 3]);
  expect(done.filter((each) => each.includes("tape")).length).toBe(10);
  expect(done.filter((each) => each.endsWith("ends")).length).toBe(3);
});

test("a job that fails is named with its command, its worker is replaced, and the others go on", async () => {
  const { done, results, said, error } = await ran(3, {
    answer: ({ index }) => index === 1 ? { ok: false, faults: ["broken", "badly"] } : { ok: true, line: "x\n" },
  });
  expect(done.filter((each) => each.includes("starts"))).toHaveLength(2);
  expect(results).toEqual([["job-0", "x\n"], ["job-1", null], ["job-2", "x\n"]]);
  expect(said).toBe("mkt: job-1: broken\nmkt: job-1: badly\nmkt: job-1: to repeat it alone: mkt job-1\n");
  expect(error).toBe("1 of 3 jobs failed: job-1");
});

test("very many faults are counted, after the first twenty", async () => {
  const { said, error } = await ran(22, { answer: () => ({ ok: false, faults: ["no"] }) });
  expect(said.match(/to repeat it alone/g)).toHaveLength(20);
  expect(error).toMatch(/^22 of 22 jobs failed: job-0; .*job-19; and 2 more$/);
});

test("a result that can't be kept fails its job, and any other fault ends the study with its workers", async () => {
  const kept = await ran(2, {
    onResult: ({ index }, line) => {
      if (index === 0 && line !== null) throw new ResultNotKept("the disk is full");
    },
  });
  expect([kept.error, kept.said]).toEqual([
    "1 of 2 jobs failed: job-0",
    expect.stringContaining("job-0: the disk is full\n"),
  ]);
  const ended = await ran(2, {
    onResult: () => {
      throw new Error("stdout is closed");
    },
  });
  expect([ended.error, ended.done.at(-1), ended.done.length]).toEqual(["stdout is closed", "0 is killed", 3]);
});

test("results wait for those before them, and are written one at a time", async () => {
  const [first, second, third] = jobsOf(3) as [Job, Job, Job];
  const written: string[] = [];
  let isWriting = false;
  const order = new InOrder([first, second, third], async (text) => {
    expect(isWriting).toBe(false);
    isWriting = true;
    await Promise.resolve();
    isWriting = false;
    written.push(text);
  });
  await order.put(third, "c");
  await order.put(second, "");
  expect(written).toEqual([]);
  await order.put(first, "a");
  expect(written).toEqual(["a", "c"]);
});
