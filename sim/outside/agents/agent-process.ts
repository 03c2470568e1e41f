// A run whose agents are in a process that the run starts: the command of --agent, with the port in place of {port}. The
// process ends with the run. It has a group of its own, so whatever it starts ends with it.
//
// If this process is killed, the agents see that their connections are closed.

import { oneLine } from "../../../common/command-line.ts";
import type { AnyEnvironment } from "../../../common/environment.ts";
import { errorMessage } from "../../../common/error-message.ts";
import { SYSTEM_TIMERS } from "../../../common/timers.ts";
import { within } from "../../../common/within.ts";
import type { HeadlessReport } from "../../headless/headless-report.ts";
import type { HeadlessOptions } from "../../headless/simulate.ts";
import { AgentFailure } from "./agent-messages.ts";
import { simulateWithAgents } from "./simulate-with-agents.ts";

interface CommandOptions {
  /** Words as in a shell, of which quotes are the only special characters. */
  readonly command: string;
  /** Number of agents that the process has. */
  readonly count: number;
  readonly timeoutMs: number;
}

export const PORT_PLACE = "{port}";
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
/** How long the process may take to end by itself after a run that went well. */
const PATIENCE_MS = 5_000;
/** How long a process may take to end whose connection is closed. */
const ENDING_MS = 500;
/** Of what it wrote to stderr last. */
const MOST_CHARACTERS = 300;

/** Throws AgentFailure that also says how the process ended, and what it wrote to stderr last. */
export async function simulateWithAgentCommand(
  simulation: Omit<HeadlessOptions, "outside">,
  { command, count, timeoutMs }: CommandOptions,
): Promise<HeadlessReport> {
  let agents = null as AgentProcess | null;
  const onListening = (where: string, giveUp: (reason: string) => void) => {
    agents = new AgentProcess(command, {
      port: where.replace(/^.*:/, ""),
      // Too early, before the run has begun.
      onEnd: () => giveUp("the agents did not connect"),
    });
  };
  let patienceMs = 0;
  try {
    const report = await simulateWithAgents(simulation, { address: { port: 0 }, count, timeoutMs, onListening });
    patienceMs = PATIENCE_MS;
    return report;
  } catch (error) {
    if (!(error instanceof AgentFailure) || agents === null) throw error;
    throw new AgentFailure(`${errorMessage(error)}${await agents.ending()}`);
  } finally {
    await agents?.end(patienceMs);
  }
}

interface AgentProcessOptions {
  /** In place of PORT_PLACE. */
  readonly port?: string;
  /** The whole environment of the process; default: that of this one. */
  readonly environment?: AnyEnvironment;
  /** Called when it has ended. */
  readonly onEnd?: () => void;
}

/** A process that runs a command of --agent. */
export class AgentProcess {
  readonly #process: Bun.Subprocess<"ignore", "ignore", "pipe">;
  /** The end of what it wrote to stderr. */
  #errors = "";
  readonly #errorsRead: Promise<void>;
  readonly #onExit = () => this.#kill();
  readonly #onSignal = (signal: NodeJS.Signals) => {
    this.#kill();
    process.kill(process.pid, signal);
  };

  /** `command`: see CommandOptions. Throws AgentFailure if it can't be started. */
  constructor(command: string, { port = PORT_PLACE, environment, onEnd = () => {} }: AgentProcessOptions) {
    const words = wordsOf(command).map((word) => word.replaceAll(PORT_PLACE, port));
    try {
      const pipes = { stdin: "ignore", stdout: "ignore", stderr: "pipe", detached: true } as const;
      const options = { ...pipes, ...(environment && { env: environment }) };
      this.#process = Bun.spawn(words, options);
    } catch (error) {
      throw new AgentFailure(`--agent: ${oneLine(command)} can't be started: ${errorMessage(error)}`);
    }
    for (const signal of SIGNALS) process.once(signal, this.#onSignal);
    process.once("exit", this.#onExit);
    this.#errorsRead = this.#readErrors();
    void this.#process.exited.then(onEnd);
  }

  /** Resolves with its status; null if a signal has ended it. */
  get ended(): Promise<number | null> {
    return this.#process.exited.then(() => this.#process.exitCode);
  }

  /** How it ended and its last words, after a failure; empty if it still runs. */
  async ending(): Promise<string> {
    await within(ENDING_MS, this.#process.exited);
    const { exitCode, signalCode } = this.#process;
    const how = signalCode !== null
      ? `; its process was ended by ${signalCode}`
      : exitCode !== null
      ? `; its process ended with status ${exitCode}`
      : "";
    await within(ENDING_MS, this.#errorsRead);
    const words = oneLine(this.#errors.trim().replaceAll(/\s+/g, " "));
    return words === "" ? how : `${how}; it wrote: ${words}`;
  }

  /** Ends it, unless it ends by itself before. */
  async end(patienceMs: number): Promise<void> {
    const endWait = SYSTEM_TIMERS.after(patienceMs, () => this.#kill());
    await this.#process.exited;
    endWait();
    // What it started and left.
    this.#kill();
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    process.off("exit", this.#onExit);
  }

  async #readErrors(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#process.stderr) {
      this.#errors = (this.#errors + decoder.decode(chunk, { stream: true })).slice(-MOST_CHARACTERS);
    }
  }

  #kill(): void {
    try {
      process.kill(-this.#process.pid, "SIGKILL");
    } catch (error) {
      // The whole group has ended.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

function wordsOf(command: string): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}
