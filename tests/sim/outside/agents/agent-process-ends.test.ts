// When the process of a run's agents is ended, and what is left of it in this process, without starting one.

import { expect, jest, spyOn, test } from "bun:test";
import { AgentFailure } from "../../../../sim/outside/agents/agent-messages.ts";
import { simulateWithAgentCommand } from "../../../../sim/outside/agents/agent-process.ts";
import * as runs from "../../../../sim/outside/agents/simulate-with-agents.ts";
import { atEnd } from "../../../support/at-end.ts";
import { replaced } from "../../../support/replaced.ts";
import { isSettled, onStillClock } from "../../../support/still-clock.ts";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const PID = 99_999_999;
const listeners = () => [...SIGNALS, "exit"].map((name) => process.listenerCount(name as "exit"));

/** A run whose agents are a process that ends when the test says so, or is killed unless it `resists`. */
function agents(command = "agents --port {port} 'a b' \"{port}!\"") {
  const exited = Promise.withResolvers<void>();
  const child = {
    pid: PID,
    exited: exited.promise,
    exitCode: null as number | null,
    signalCode: null as string | null,
    stderr: (async function* () {
      yield new TextEncoder().encode(`${"x".repeat(400)} the\n`);
      yield await Promise.resolve(new TextEncoder().encode(" last   words\n"));
    })(),
  };
  const spawned = replaced(Bun, "spawn", () => child);
  const kills: unknown[][] = [];
  const kill = spyOn(process, "kill").mockImplementation((...given) => {
    kills.push(given);
    if (given[0] === -PID) exited.resolve();
    return true;
  });
  atEnd(() => kill.mockRestore());
  const over = Promise.withResolvers<object>();
  const givenUp: string[] = [];
  const played = replaced(runs, "simulateWithAgents", (_simulation, options) => {
    options.onListening("127.0.0.1:4711", (reason) => void givenUp.push(reason));
    return over.promise;
  });
  const report = simulateWithAgentCommand({ hours: 1 } as never, { command, count: 3, timeoutMs: 7_000 });
  report.catch(() => {});
  return { report, child, exited, kills, over, givenUp, spawned, played };
}

test("a run starts the command with its port, for so many agents, and ends 5 s after it if the agents do not", async () => {
  const before = listeners();
  await onStillClock(async () => {
    const { report, kills, over, spawned, played, givenUp } = agents();
    expect(spawned).toEqual(
      [[["agents", "--port", "4711", "a b", "4711!"], expect.objectContaining({ detached: true })]] as never,
    );
    expect(played[0]).toMatchObject([{ hours: 1 }, { address: { port: 0 }, count: 3, timeoutMs: 7_000 }]);
    expect(listeners()).toEqual(before.map((count) => count + 1));
    over.resolve({ personas: [] });
    expect(await isSettled(report)).toBe(false);
    jest.advanceTimersByTime(4_999);
    expect([await isSettled(report), kills]).toEqual([false, []]);
    jest.advanceTimersByTime(1);
    expect(await isSettled(report)).toBe(true);
    expect(await report).toEqual({ personas: [] } as never);
    expect(kills).toEqual([[-PID, "SIGKILL"], [-PID, "SIGKILL"]]);
    expect(givenUp).toEqual(["the agents did not connect"]);
  });
  expect(listeners()).toEqual(before);
});

test("a process that ends by itself is waited for no longer, and what it has left is ended", async () => {
  const before = listeners();
  await onStillClock(async () => {
    const { report, kills, over, exited } = agents();
    over.resolve({ personas: [] });
    await isSettled(report);
    exited.resolve();
    expect([await isSettled(report), kills]).toEqual([true, [[-PID, "SIGKILL"]]]);
  });
  expect(listeners()).toEqual(before);
});

test.each<[string, { exitCode?: number; signalCode?: string }]>([
  ["; its process ended with status 3", { exitCode: 3 }],
  ["; its process ended with status 0", { exitCode: 0 }],
  ["; its process was ended by SIGSEGV", { signalCode: "SIGSEGV" }],
  ["", {}],
])("an agent's failure says how the process ended, if it has ended half a second later: %p", async (how, ended) => {
  await onStillClock(async () => {
    const { report, kills, over, exited, child } = agents();
    over.reject(new AgentFailure("it is silent"));
    expect(await isSettled(report)).toBe(false);
    Object.assign(child, ended);
    if (how === "") {
      jest.advanceTimersByTime(499);
      expect(await isSettled(report)).toBe(false);
      jest.advanceTimersByTime(1);
    } else exited.resolve();
    await isSettled(report);
    // A failed run waits no longer for its process.
    jest.advanceTimersByTime(0);
    await expect(report).rejects.toThrow(new RegExp(`^it is silent${how}; it wrote: x{270,290} the last words$`));
    expect(kills.length).toBeGreaterThan(0);
  });
});

test("a failure of mkt itself does not speak of the process, which is ended at once", async () => {
  await onStillClock(async () => {
    const { report, kills, over } = agents();
    over.reject(new Error("a bug"));
    await isSettled(report);
    jest.advanceTimersByTime(0);
    await expect(report).rejects.toThrow(/^a bug$/);
    expect(kills).toHaveLength(2);
  });
});

test("the agents end with this process, by whatever signal or end", async () => {
  await onStillClock(async () => {
    const { report, kills, over, exited } = agents();
    for (const signal of SIGNALS) {
      (process.listeners(signal).at(-1) as (signal: string) => void)(signal);
      expect(kills.splice(0)).toEqual([[-PID, "SIGKILL"], [process.pid, signal]]);
    }
    (process.listeners("exit").at(-1) as () => void)();
    expect(kills.splice(0)).toEqual([[-PID, "SIGKILL"]]);
    exited.resolve();
    over.resolve({});
    await report;
  });
});
