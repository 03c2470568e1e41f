// The one place where tests start processes, so that none outlives the tests, however they end.
//
// Each process leads a group of its own, with what it starts in turn, and the group ends with its leader. A guard
// (process-guard.sh) knows every group that runs. It reads from a pipe that this process alone can write to, so it sees
// when this process ends, also by SIGKILL or in the middle of a test. Then it ends the groups that are left.

import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const GUARD = resolve(import.meta.dir, "process-guard.sh");

type Options<In extends Bun.Spawn.Writable, Out extends Bun.Spawn.Readable, Err extends Bun.Spawn.Readable> =
  & Omit<Bun.Spawn.SpawnOptions<In, Out, Err>, "detached">
  & { readonly stdin?: In; readonly stdout?: Out; readonly stderr?: Err };

const leaders = new Set<number>();
/** The end of the guard's pipe that is written to. */
let guard: number | null = null;

/** As Bun.spawn. What the process leaves running when it ends is ended too. */
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

/** Ends every process that is still there. The tests of a file that ended well have left none. */
export function endLeftProcesses(): void {
  for (const leader of leaders) endGroup(leader);
  leaders.clear();
  if (guard !== null) closeSync(guard);
  guard = null;
}

/**
 * The guard is no child of this process, and in a session of its own: the test runner ends its children, and whoever
 * ends the group of this process must not end the guard before it has done its work.
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
