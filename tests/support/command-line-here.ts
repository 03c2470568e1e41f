// A command of mkt in this process, for what a command prints. Tests of what only a process has (pipes, signals, terminals, the
// compiled form) use executable.ts.

import { resetSync } from "@logtape/logtape";
import { Command, CommanderError } from "commander";
import { runCommandLine } from "../../cli/command-line.ts";
import { exitStatusOf } from "../../common/exit-status.ts";
import { BARE_ENVIRONMENT } from "./executable.ts";
import type { Completed } from "./processes.ts";

type Done = (error?: Error | null) => void;

/** A process would end with its listeners. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Runs a command of mkt until it ends. Only one at a time: arguments, variables and output are those of this process. */
export async function runMktHere(args: readonly string[], env: Record<string, string> = {}): Promise<Completed> {
  return await runHere(runCommandLine, args, env);
}

/** The same for the commands that `add` adds, which the test gives what the program would. */
export async function runCommandHere(
  add: (program: Command) => unknown,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Completed> {
  const work = async () => {
    const program = new Command("mkt").exitOverride();
    add(program);
    await program.parseAsync();
  };
  return await runHere(() => exitStatusOf(() => work().catch(asUsage)), args, env);
}

/** Commander has printed it. */
function asUsage(error: unknown): void {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = 2;
}

async function runHere(
  commandLine: () => Promise<number>,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Completed> {
  const printed = { stdout: "", stderr: "" };
  const before = { argv: process.argv, env: { ...process.env } };
  const listeners = SIGNALS.map((signal) => new Set(process.listeners(signal)));
  const restored = (["stdout", "stderr"] as const).map((name) => replaceWrite(name, (text) => printed[name] += text));
  process.argv = [process.execPath, "mkt", ...args];
  replaceVariables({ ...BARE_ENVIRONMENT, ...env });
  try {
    return { exitCode: await commandLine(), ...printed };
  } finally {
    for (const restore of restored) restore();
    process.argv = before.argv;
    replaceVariables(before.env);
    process.exitCode = 0;
    for (const [index, signal] of SIGNALS.entries()) {
      for (const added of process.listeners(signal)) if (!listeners[index]!.has(added)) process.off(signal, added);
    }
    resetSync();
  }
}

function replaceWrite(name: "stdout" | "stderr", take: (text: string) => void): () => void {
  const stream = process[name];
  const { write } = stream;
  const decoder = new TextDecoder();
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    take(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
    const done = rest.at(-1) as Done | undefined;
    if (done !== undefined) queueMicrotask(done);
    return true;
  };
  return () => (stream.write = write);
}

function replaceVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
}
