// A worker as its study sees it, and a study as its worker sees it: what is asked and answered, and how each ends.

import { describe, expect, jest, spyOn, test } from "bun:test";
import * as output from "../../../common/output.ts";
import * as invocation from "../../../common/own-invocation.ts";
import { type JobRequest, serveJobs } from "../../../sim/study/job-messages.ts";
import { JobWorker } from "../../../sim/study/job-worker.ts";
import { runJobs } from "../../../sim/study/run-jobs.ts";
import * as workers from "../../../sim/study/job-worker.ts";
import * as bars from "../../../common/progress-bar.ts";
import { atEnd } from "../../support/at-end.ts";
import { replaced } from "../../support/replaced.ts";
import { emitSignal, listenersOf } from "../../support/signals.ts";
import { isSettled } from "../../support/still-clock.ts";

const textOf = (...lines: string[]) => new Blob([lines.join("")]).stream();

/** A worker whose process says `answers` and, until its end, `errors`. */
function worker(answers: string[], errors = "", { exitCode = 0, signalCode = null as string | null } = {}) {
  const calls: unknown[] = [];
  const child = {
    stdin: {
      write: (text: string) => void calls.push(text),
      flush: () => Promise.resolve(),
      end: () => Promise.resolve(void calls.push("end")),
    },
    stdout: textOf(...answers),
    stderr: textOf(errors),
    exited: Promise.resolve(exitCode),
    signalCode,
    kill: () => void calls.push("kill"),
  };
  replaced(invocation, "ownInvocation", () => ({ command: "mkt", args: ["own"] }));
  const spawned = replaced(Bun, "spawn", () => child);
  return { worker: new JobWorker(["job", "x"]), calls, spawned, child };
}

describe("a worker", () => {
  test("is this program, and gives each request its answer, also if they come in other pieces", async () => {
    const { worker: made, calls, spawned } = worker(['{"ok":true,"line":"a"}\n{"ok":', 'false,"faults":["b"]}\n']);
    expect(spawned[0]).toEqual(
      [["mkt", "own", "job", "x"], { stdin: "pipe", stdout: "pipe", stderr: "pipe" }] as never,
    );
    expect(await made.run({ index: 3, tape: null })).toEqual({ ok: true, line: "a" });
    expect(await made.run({ index: 4, tape: "/t" })).toEqual({ ok: false, faults: ["b"] });
    expect(calls).toEqual(['{"index":3,"tape":null}\n', '{"index":4,"tape":"/t"}\n']);
    await made.finish();
    await made.kill();
    expect(calls.slice(2)).toEqual(["end", "kill"]);
  });

  test.each<[string, string, { exitCode?: number; signalCode?: string }, string[]]>([
    ["what it wrote", "mkt: no memory\n\nmkt: really\nmore\n", { exitCode: 1 }, ["no memory", "really", "more"]],
    ["its status", "", { exitCode: 7 }, ["its process ended with status 7"]],
    ["its signal", "", { signalCode: "SIGTERM" }, ["its process was ended by SIGTERM"]],
    ["that memory may lack", "", { signalCode: "SIGKILL" }, [
      "its process was ended by SIGKILL; the machine may lack memory: try fewer --jobs",
    ]],
  ])("that ends without an answer fails its job with %s", async (_what, errors, ended, faults) => {
    expect(await worker(['{"ok":'], errors, ended).worker.run({ index: 0, tape: null })).toEqual({ ok: false, faults });
  });

  test("that takes no request fails it, with the reason", async () => {
    const { worker: made, child } = worker([]);
    child.stdin.flush = () => Promise.reject(new Error("EPIPE: broken pipe"));
    const faults = ["its process ended with status 0 (EPIPE: broken pipe)"];
    expect(await made.run({ index: 0, tape: null })).toEqual({ ok: false, faults });
  });

  test("lets its process end before it is finished or killed", async () => {
    for (const end of ["finish", "kill"] as const) {
      const { worker: made, child } = worker([]);
      const ended = Promise.withResolvers<number>();
      Object.assign(child, { exited: ended.promise });
      const over = made[end]();
      expect(await isSettled(over)).toBe(false);
      ended.resolve(0);
      await over;
    }
  });
});

test("a worker answers each line of its study in turn, looks each second whether the study lives, and ends if not", async () => {
  const parent = { pid: 4_711 };
  const ppid = Object.getOwnPropertyDescriptor(process, "ppid")!;
  Object.defineProperty(process, "ppid", { configurable: true, get: () => parent.pid });
  atEnd(() => void Object.defineProperty(process, "ppid", ppid));
  const exits = replaced(process, "exit", (() => {}) as never);
  const written: string[] = [];
  replaced(output, "write", (text) => Promise.resolve(void written.push(String(text))));
  const stdin = spyOn(Bun.stdin, "stream").mockImplementation(() =>
    textOf('{"index":1,"tape":null}\n{"index":2,', '"tape":"/t"}\n') as never
  );
  atEnd(() => stdin.mockRestore());
  const intervals: { task: () => void; ms: number; isKept: boolean }[] = [];
  replaced(
    globalThis,
    "setInterval" as never,
    ((task: () => void, ms: number) => {
      const interval = { task, ms, isKept: true };
      intervals.push(interval);
      return { unref: () => void (interval.isKept = false) };
    }) as never,
  );
  const asked: JobRequest[] = [];
  await serveJobs((request, onProgress) => {
    asked.push(request);
    onProgress();
    if (request.index === 2) throw new Error("one\ntwo");
    return "done\n";
  });
  expect(asked).toEqual([{ index: 1, tape: null }, { index: 2, tape: "/t" }]);
  expect(written).toEqual(['{"ok":true,"line":"done\\n"}\n', '{"ok":false,"faults":["one","two"]}\n']);
  expect(intervals.map(({ ms, isKept }) => [ms, isKept])).toEqual([[1_000, false]]);
  intervals[0]!.task();
  expect(exits).toEqual([]);
  parent.pid = 1;
  intervals[0]!.task();
  expect(exits as unknown[]).toEqual([[1]]);
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "a study that gets %s ends its workers, then itself, and begins no job",
  async (signal) => {
    const calls: string[] = [];
    const progress = {
      update: (done: number) => calls.push(`done ${done}`),
      stop: () => calls.push("stop"),
      note: () => {},
    };
    const shown = replaced(bars, "showProgress", () => Promise.resolve(progress));
    const killed = Promise.withResolvers<void>();
    const answers: ((answer: object) => void)[] = [];
    replaced(
      workers,
      "JobWorker" as never,
      function () {
        return {
          run: () => new Promise((resolve) => answers.push(resolve)),
          finish: () => Promise.resolve(),
          kill: () => (calls.push("kill"), killed.promise),
        };
      } as never,
    );
    const kill = jest.spyOn(process, "kill").mockImplementation((pid, name) => {
      calls.push(`${pid === process.pid} ${name}`);
      return true;
    });
    atEnd(() => kill.mockRestore());
    const others = listenersOf(signal);
    const before = others.length;
    const jobs = [0, 1, 2].map((index) => ({ key: `${index}`, seed: index, variant: [], index }));
    const over = runJobs({
      jobs,
      doneBefore: 4,
      workers: 2,
      jobsPerWorker: 9,
      workerArguments: [],
      tapeOf: () => null,
      onResult: () => void calls.push("result"),
      commandOf: () => "",
      onEnd: () => void calls.push("end"),
    });
    await isSettled(over);
    expect([answers.length, process.listenerCount(signal), shown]).toEqual([
      2,
      before + 1,
      [[7, "jobs", { start: 4, showsRest: true }]] as never,
    ]);
    answers[0]!({ ok: true, line: "x" });
    await isSettled(over);
    expect([calls.splice(0), answers.length]).toEqual([["result", "done 5"], 3]);
    emitSignal(signal, others);
    await isSettled(over);
    expect(calls.splice(0)).toEqual(["kill", "kill"]);
    killed.resolve();
    answers[1]!({ ok: false, faults: ["killed"] });
    expect([await isSettled(over), calls, answers.length]).toEqual([false, ["stop", "end", `true ${signal}`], 3]);
    expect(process.listenerCount(signal)).toBe(before);
    for (const other of ["SIGTERM", "SIGINT"] as const) {
      for (const listener of process.listeners(other)) if (listener.name === "end") process.off(other, listener);
    }
  },
);
