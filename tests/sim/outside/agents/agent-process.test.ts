// The process of a run's agents: how it ends, and Python's environment in one. tests/e2e/study.test.ts has more.

import { expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { simulateWithAgentCommand } from "../../../../sim/outside/agents/agent-process.ts";
import { findPython } from "../../../support/python.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { until } from "../../../support/until.ts";
import { lasting } from "./support.ts";

const EXAMPLES = resolve(import.meta.dir, "../../../../docs/examples");
const python = findPython("tests of Python's environment");
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

test.skipIf(python === null)("Python's environment takes part in a run that starts it", async () => {
  const file = join(directory, "agent.py");
  await Bun.write(
    file,
    `
import sys
sys.dont_write_bytecode = True
sys.path.append("${EXAMPLES}")
from mkt_env import MktEnv, quotes
env = MktEnv(port=sys.argv[1], products=["NORTH-DA-BASE"], wake_ms=120_000)
observation, terminated = env.reset()[0], False
while not terminated:
    observation, _, terminated, _, _ = env.step(quotes(observation))
`,
  );
  const agents = { command: `${python} ${file} {port}`, count: 1, timeoutMs: 600_000 };
  const { personas } = await simulateWithAgentCommand(lasting({ hours: 0.1 }), agents);
  // Two in each of three steps.
  expect(personas.at(-1)).toMatchObject({ id: "agent-python", orders: 6 });
});
