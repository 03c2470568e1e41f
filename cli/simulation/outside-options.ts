// The options with which strategies from files and agents in other processes take part.

import { InvalidArgumentError, Option } from "commander";
import { oneLine, UsageError } from "../../common/command-line.ts";
import { errorMessage } from "../../common/error-message.ts";
import { option, port, wholeNumber } from "../../common/options.ts";
import type { AgentAddress } from "../../sim/outside/agents/agent-server.ts";
import { PORT_PLACE, simulateWithAgentCommand } from "../../sim/outside/agents/agent-process.ts";
import { simulateWithAgents } from "../../sim/outside/agents/simulate-with-agents.ts";
import type { HeadlessReport } from "../../sim/headless/headless-report.ts";
import type { HeadlessOptions } from "../../sim/headless/simulate.ts";
import packageJson from "../../package.json" with { type: "json" };
import { addStrategyFile } from "../../sim/outside/strategies/strategy-files.ts";

const MAX_AGENTS = 100;
const MAX_TIMEOUT_S = 86_400;
const DEFAULT_TIMEOUT_S = 600;

export interface StrategyArguments {
  readonly strategy?: readonly string[];
}

/** Repeatable. */
export function strategyOption(): Option {
  return new Option("--strategy <file>", "a .ts or .js file with one more strategy for personas; repeatable")
    .argParser((file: string, files: readonly string[] | undefined) => [...files ?? [], file]);
}

/** Loads the strategies. Returns a check that throws UsageError with all faults. */
export async function strategiesFrom({ strategy: files = [] }: StrategyArguments): Promise<() => void> {
  const faults: string[] = [];
  for (const file of files) {
    try {
      await addStrategyFile(file);
    } catch (error) {
      faults.push(oneLine(`--strategy: ${file}: ${errorMessage(error)}`));
    }
  }
  return () => {
    if (faults.length > 0) throw new UsageError(faults.join("\n"));
  };
}

export interface AgentArguments {
  /** A port, the path of a socket, or the command that starts them. */
  readonly agent?: string;
  readonly agents?: number;
  readonly agentTimeout?: number;
}

/** The agents of each run. */
export interface RunAgents {
  /** Where they connect, or the command of the process that has them. */
  readonly from: AgentAddress | { readonly command: string };
  readonly count: number;
  readonly timeoutMs: number;
}

export function agentOptions(): Option[] {
  const where =
    "agents take part over a socket: a port of 127.0.0.1, 0 for a free one, the path of a Unix socket, or " +
    `a command with ${PORT_PLACE} that is started for each run`;
  const timeout = `seconds to wait for each message of an agent (default: ${DEFAULT_TIMEOUT_S})`;
  return [
    option("--agent <port, path or command>", where, (text) => {
      addressOf(text);
      return text;
    }),
    option("--agents <number>", "number of agents for which the run waits (default: 1)", wholeNumber(1, MAX_AGENTS)),
    option("--agent-timeout <seconds>", timeout, wholeNumber(1, MAX_TIMEOUT_S)),
  ];
}

/** Null without agents. Throws UsageError. */
export function agentsFrom({ agent, agents, agentTimeout }: AgentArguments): RunAgents | null {
  if (agent !== undefined) {
    return { from: addressOf(agent), count: agents ?? 1, timeoutMs: 1_000 * (agentTimeout ?? DEFAULT_TIMEOUT_S) };
  }
  const faults = [
    agents !== undefined && "--agents: needs --agent",
    agentTimeout !== undefined && "--agent-timeout: needs --agent",
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  return null;
}

/** Throws InvalidArgumentError. */
function addressOf(text: string): RunAgents["from"] {
  if (text.includes(PORT_PLACE)) return { command: text };
  if (/^\d/.test(text)) return { port: port(text) };
  if (text === "") throw new InvalidArgumentError(`a port from 0 to 65535, a path, or a command with ${PORT_PLACE}`);
  return { path: text };
}

/** A run with agents; stderr says where those connect that the run does not start itself. */
export function runWithAgents(
  simulation: Omit<HeadlessOptions, "outside">,
  { from, count, timeoutMs }: RunAgents,
): Promise<HeadlessReport> {
  if ("command" in from) return simulateWithAgentCommand(simulation, { ...from, count, timeoutMs });
  const onListening = (where: string) => {
    process.stderr.write(`mkt ${packageJson.version} simulate: agents connect to ${where}\n`);
  };
  return simulateWithAgents(simulation, { address: from, count, timeoutMs, onListening });
}
