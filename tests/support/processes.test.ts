import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { startProcess } from "./processes.ts";
import { LONG, size } from "./sizes.ts";
import { until } from "./until.ts";

const FIXTURE = "./tests/support/fixtures/leaves-processes.ts";

/** Runs the test file that goes wrong, until it has started everything. */
async function startFixture(goesWrong: string, starts = "all") {
  const run = startProcess([process.execPath, "test", FIXTURE], {
    cwd: resolve(import.meta.dir, "../.."),
    env: { ...process.env, GOES_WRONG: goesWrong, STARTS: starts },
    stdout: "pipe",
    stderr: "ignore",
  });
  let text = "";
  const decoder = new TextDecoder();
  const reader = run.stdout.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    text += decoder.decode(value, { stream: true });
    const started = /^started (.*)\n/m.exec(text)?.[1];
    if (started !== undefined) return { run, pids: started.split(" ").map(Number) };
    if (done) throw new Error(`the test file started nothing:\n${text}`);
  }
}

/** The processes of this machine that have not ended, with the commands that they run. */
function running(): Map<number, { parent: number; command: string }> {
  const { stdout } = Bun.spawnSync(["ps", "-A", "-o", "pid=,ppid=,stat=,args="]);
  const rows = stdout.toString().split("\n").map((line) => line.trim().split(/\s+/));
  return new Map(
    rows.filter(([pid, , stat]) => pid !== "" && !stat?.startsWith("Z"))
      .map(([pid, parent, , ...command]) => [Number(pid), { parent: Number(parent), command: command.join(" ") }]),
  );
}

/** Everything that a process has started, and what that has. */
function descendantsOf(pid: number): number[] {
  const all = [...running()];
  const children = (parent: number): number[] =>
    all.filter(([, each]) => each.parent === parent).flatMap(([child]) => [child, ...children(child)]);
  return children(pid);
}

async function untilGone(pids: readonly number[]): Promise<void> {
  await until(() => running(), (all) => pids.every((pid) => !all.has(pid)));
}

test("tests start every process that lasts through startProcess", async () => {
  const paths: string[] = [];
  const tests = resolve(import.meta.dir, "..");
  for await (const path of new Bun.Glob("**/*.ts").scan(tests)) {
    const starts = /\bBun\.spawn\(|\} from "node:child_process"/.test(await Bun.file(resolve(tests, path)).text());
    if (starts && !path.startsWith("support/processes.")) paths.push(path);
  }
  expect(paths).toEqual([]);
});

describe("processes that tests have started", () => {
  test.skipIf(!LONG)("end when a test fails half way", async () => {
    const { run, pids } = await startFixture("by failing");
    expect(await run.exited).toBe(1);
    expect(pids).toHaveLength(2);
    await untilGone(pids);
  });

  // Only a process that is killed can't end anything itself.
  test.each(
    size<[NodeJS.Signals, string][]>(
      [["SIGKILL", "all"]],
      [["SIGKILL", "all"], ["SIGTERM", "all"], ["SIGINT", "all"]],
    ),
  )(
    "end when the run of the tests is ended by %s",
    async (signal, starts) => {
      const { run, pids } = await startFixture("by hanging", starts);
      const descendants = descendantsOf(run.pid);
      expect(descendants).toEqual(expect.arrayContaining(pids));
      // The server of the stdio client is one more, which ends when nobody writes to it any more.
      if (starts === "all") expect(descendants.length).toBeGreaterThan(pids.length);
      run.kill(signal);
      await run.exited;
      await untilGone([...pids, ...descendants]);
    },
  );

  test("end with the process that started them", async () => {
    const shell = startProcess(["/bin/sh", "-c", "sleep 1000 & echo $!"], { stdout: "pipe" });
    const pid = Number(await new Response(shell.stdout.pipeThrough(firstLine())).text());
    await shell.exited;
    await untilGone([pid]);
  });
});

/** Ends the stream after one line: what is left running keeps the pipe open. */
function firstLine(): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      if (chunk.includes(10)) controller.terminate();
    },
  });
}
