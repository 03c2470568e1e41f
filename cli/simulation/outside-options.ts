// The options with which strategies from files and agents in other processes take part.

import { InvalidArgumentError, Option } from "commander";
import { oneLine, UsageError } from "../../common/command-line.ts";
import { errorMessage } from "../../common/error-message.ts";
import { option, port, wholeNumber } from "../../common/options.ts";
import type { AgentAddress } from "../../sim/outside/agents/agent-server.ts";
import type { AgentOptions } from "../../sim/outside/agents/simulate-with-agents.ts";
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
  readonly agent?: AgentAddress;
  readonly agents?: number;
  readonly agentTimeout?: number;
}

export function agentOptions(): Option[] {
  const where = "agents take part over a socket: a port of 127.0.0.1, 0 for a free one, or the path of a Unix socket";
  const timeout = `seconds to wait for each message of an agent (default: ${DEFAULT_TIMEOUT_S})`;
  return [
    option("--agent <port or path>", where, address),
    option("--agents <number>", "number of agents for which the run waits (default: 1)", wholeNumber(1, MAX_AGENTS)),
    option("--agent-timeout <seconds>", timeout, wholeNumber(1, MAX_TIMEOUT_S)),
  ];
}

/** Null without agents. Throws UsageError. */
export function agentsFrom({ agent, agents, agentTimeout }: AgentArguments): Omit<AgentOptions, "onListening"> | null {
  if (agent !== undefined) {
    return { address: agent, count: agents ?? 1, timeoutMs: 1_000 * (agentTimeout ?? DEFAULT_TIMEOUT_S) };
  }
  const faults = [
    agents !== undefined && "--agents: needs --agent",
    agentTimeout !== undefined && "--agent-timeout: needs --agent",
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  return null;
}

function address(text: string): AgentAddress {
  if (/^\d/.test(text)) return { port: port(text) };
  if (text === "") throw new InvalidArgumentError("a port from 0 to 65535, or the path of a Unix socket");
  return { path: text };
}
