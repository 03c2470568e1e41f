// The only place where tests start processes, so that no process outlives the tests, however they end.
//
// Each process leads a process group, and the group ends with its leader. A guard (process-guard.sh) knows every running group.
// It reads from a pipe that only this process writes to, so it notices the end of this process, even by SIGKILL in the middle
// of a test. Then it kills the remaining groups.

import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const GUARD = resolve(import.meta.dir, "process-guard.sh");

type Options<In extends Bun.Spawn.Writable, Out extends Bun.Spawn.Readable, Err extends Bun.Spawn.Readable> =
  & Omit<Bun.Spawn.SpawnOptions<In, Out, Err>, "detached">
  & { readonly stdin?: In; readonly stdout?: Out; readonly stderr?: Err };

const leaders = new Set<number>();
/** Write end of the guard's pipe. */
let guard: number | null = null;

/** Like Bun.spawn, but kills everything that the process leaves running when it ends. */
export function startProcess<
  const In extends Bun.Spawn.Writable = "ignore",
  const Out extends Bun.Spawn.Readable = "pipe",
  const Err extends Bun.Spawn.Readable = "inherit",
>(command: readonly string[], options: Options<In, Out, Err> = {}): Bun.Subprocess<In, Out, Err> {
  guard ??= startGuard();
  const child = Bun.spawn([...command], { ...options, detached: true });
  leaders.add(child.pid);
  tellGuard(`+${child.pid}`);
  child.exited.then(() => {
    if (!leaders.delete(child.pid)) return;
    endGroup(child.pid);
    tellGuard(`-${child.pid}`);
  });
  return child;
}

export interface Completed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command until it ends. */
export async function run(
  command: readonly string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
): Promise<Completed> {
  const child = startProcess(command, { ...options, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { exitCode: await child.exited, stdout, stderr };
}

/** Resident memory of a process, MB. */
export async function memoryMb(pid: number): Promise<number> {
  if (process.platform === "linux") {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  }
  return Number((await run(["ps", "-o", "rss=", "-p", String(pid)])).stdout) / 1024;
}

/** Kills every remaining process. A test file that passed has left none. */
export function endLeftProcesses(): void {
  for (const leader of leaders) endGroup(leader);
  leaders.clear();
  if (guard !== null) closeSync(guard);
  guard = null;
}

/**
 * The guard is no child of this process and has a session of its own. The test runner kills its children, and a signal to this
 * process group must not kill the guard before it has done its work.
 */
function startGuard(): number {
  const pipe = join(tmpdir(), `mkt-test-guard-${process.pid}-${crypto.randomUUID()}`);
  const script = `mkfifo "$1" && { /bin/sh "$0" < "$1" > /dev/null 2>&1 & }`;
  const { exitCode } = Bun.spawnSync(["/bin/sh", "-c", script, GUARD, pipe], {
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
  if (exitCode !== 0) throw new Error(`the guard of the tests' processes did not start: sh ended with ${exitCode}`);
  const descriptor = openSync(pipe, "w");
  unlinkSync(pipe);
  return descriptor;
}

function tellGuard(line: string): void {
  if (guard !== null) writeSync(guard, `${line}\n`);
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    // The whole group has ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
