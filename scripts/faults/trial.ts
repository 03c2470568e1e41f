// Tries a fault: puts it into a copy of the repository and runs the tests that cover the file, until one fails.
//
// A copy has every file of the working tree that git does not ignore; node_modules is shared. The processes that a test run
// starts are in its process group and end with it. Tests of the executable build it themselves, from the faulty source.

import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { startProcess } from "../../tests/support/processes.ts";
import type { CoveringTest } from "./covering-tests.ts";
import { type Fault, withFault } from "./fault.ts";

interface TrialOptions {
  /** Runs covering tests until their time without a fault adds up to this, in ms. */
  readonly budgetMs: number;
}

export type Outcome =
  | { readonly kind: "found"; readonly by: string; readonly test: string }
  | { readonly kind: "survived"; readonly testFiles: number };

interface TestRun {
  readonly passed: boolean;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly output: string;
}

const MAX_BASELINE_MS = 120_000;

/** Time of each test file without a fault, in ms; null if the file fails even then and is left out. */
export type Baselines = Map<string, Promise<number | null>>;

export class Copy {
  readonly #directory: string;
  readonly #baselines: Baselines;

  private constructor(directory: string, baselines: Baselines) {
    this.#directory = directory;
    this.#baselines = baselines;
  }

  static async of(root: string, baselines: Baselines): Promise<Copy> {
    const directory = await mkdtemp(join(tmpdir(), "mkt-faults-"));
    const { stdout } = Bun.spawnSync(["git", "ls-files", "-z", "-co", "--exclude-standard"], { cwd: root });
    for (const path of new Set(stdout.toString().split("\0").filter((path) => path !== ""))) {
      if (!(await Bun.file(resolve(root, path)).exists())) continue;
      await mkdir(join(directory, dirname(path)), { recursive: true });
      await cp(resolve(root, path), join(directory, path));
    }
    await symlink(resolve(root, "node_modules"), join(directory, "node_modules"));
    return new Copy(directory, baselines);
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async try(fault: Fault, tests: readonly CoveringTest[], { budgetMs }: TrialOptions): Promise<Outcome> {
    const file = join(this.#directory, fault.path);
    const source = await Bun.file(file).text();
    let [spentMs, testFiles] = [0, 0];
    try {
      for (const test of tests) {
        if (spentMs >= budgetMs) break;
        await Bun.write(file, source);
        const baselineMs = await this.#baselineOf(test);
        if (baselineMs === null) continue;
        await Bun.write(file, withFault(source, fault));
        const run = await this.#run(test, 4 * baselineMs + 15_000);
        if (!run.passed) return { kind: "found", by: failureOf(run), test: test.path };
        spentMs += baselineMs;
        testFiles += 1;
      }
      return { kind: "survived", testFiles };
    } finally {
      await Bun.write(file, source);
    }
  }

  #baselineOf(test: CoveringTest): Promise<number | null> {
    const known = this.#baselines.get(test.path) ?? (async () => {
      const run = await this.#run(test, MAX_BASELINE_MS);
      if (run.passed) return run.durationMs;
      console.error(`${test.path} fails without a fault and is left out: ${failureOf(run)}`);
      return null;
    })();
    this.#baselines.set(test.path, known);
    return known;
  }

  async #run(test: CoveringTest, limitMs: number): Promise<TestRun> {
    const started = performance.now();
    const child = startProcess([process.execPath, "test", "--bail", `./${test.path}`], {
      cwd: this.#directory,
      env: { ...process.env, MKT_TEST_LONG: "" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    let timedOut = false;
    const limit = setTimeout(() => {
      timedOut = true;
      killGroup(child.pid);
    }, limitMs);
    const [output, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    clearTimeout(limit);
    return { passed: exitCode === 0, timedOut, durationMs: performance.now() - started, output };
  }
}

/** Kills the process group of a test run; the run is its leader. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function failureOf({ timedOut, output }: TestRun): string {
  if (timedOut) return "timed out";
  const failure = output.split("\n").find((line) => line.startsWith("(fail)"));
  return failure?.slice("(fail) ".length).replace(/ \[[\d.]+m?s\]$/, "") ?? "an error outside of the tests";
}
