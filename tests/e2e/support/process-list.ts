// The processes of this machine.

import { run } from "../../support/processes.ts";

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
}

/** Without those that have ended and wait for their parent. */
export async function processes(): Promise<ProcessEntry[]> {
  const { stdout } = await run(["ps", "-eo", "pid=,ppid=,stat="]);
  return stdout.trim().split("\n").map((line) => line.trim().split(/\s+/))
    .filter(([, , state = ""]) => !state.startsWith("Z"))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}

export async function childrenOf(parent: number): Promise<number[]> {
  return (await processes()).filter((each) => each.parent === parent).map(({ pid }) => pid);
}
