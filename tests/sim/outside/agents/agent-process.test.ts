// The process of a run's agents if it goes wrong. A run that goes well is in tests/e2e/study.test.ts.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { simulateWithAgentCommand } from "../../../../sim/outside/agents/agent-process.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { until } from "../../../support/until.ts";
import { lasting } from "./support.ts";

const directory = temporaryDirectory();

function failureOf(command: string, timeoutMs = 600_000): Promise<string> {
  const run = simulateWithAgentCommand(lasting({ hours: 0.1 }), { command, count: 1, timeoutMs });
  return run.then(() => "none", ({ message }: Error) => message);
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each([
  [
    "ends before it connects",
    `sh -c 'echo "no model" >&2; exit 3' {port}`,
    "the agents did not connect; its process ended with status 3; it wrote: no model",
  ],
  ["is killed", `sh -c 'kill -9 $$' "{port}"`, "the agents did not connect; its process was ended by SIGKILL"],
  [
    "can't be started",
    "no-such-command {port}",
    "--agent: no-such-command {port} can't be started: Executable not found",
  ],
])("a process of agents that %s fails the run at once, which says so", async (_, command, reason) => {
  expect(await failureOf(command)).toStartWith(reason);
});

test("a process that does not connect is ended with the run, and whatever it started", async () => {
  const file = join(directory, "pids");
  const failure = await failureOf(`sh -c 'sleep 600 & echo $$ $! > ${file}; wait' {port}`, 400);
  expect(failure).toBe("0 of 1 agents connected within 0.4 s");
  const pids = (await Bun.file(file).text()).trim().split(" ").map(Number);
  expect(pids.length).toBe(2);
  await until(() => !pids.some(isRunning));
});
