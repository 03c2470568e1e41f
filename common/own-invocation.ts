// How to start this program again, from source, compiled, and from npx.

import { type AnyEnvironment, ownEnvironment } from "./environment.ts";

/** How to start this program: its executable and the arguments before any command. */
export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
}

/** The compiled executable, or the runtime with the file that it was started with. */
export function ownInvocation(): Invocation {
  const compiled = Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN");
  return { command: process.execPath, args: compiled ? [] : [Bun.main] };
}

/**
 * Begins this process anew, with further variables: with its id and arguments, so whoever has started it notices nothing. It
 * returns only if the system can't do that.
 */
export function beginAnew(variables: AnyEnvironment): void {
  if (process.platform === "win32") return;
  const { command, args } = ownInvocation();
  process.execve!(command, [command, ...args, ...process.argv.slice(2)], { ...ownEnvironment<string>(), ...variables });
}

/**
 * How a user or a client starts this program. A path in the cache of npx would keep this version and end with the cache, so
 * npx starts what lies there: from source the runtime, and otherwise `npmPackage`, of which the executable is a part.
 */
export function lastingInvocation({ command, args }: Invocation, npmPackage: string): Invocation {
  const path = command.replaceAll("\\", "/");
  if (!path.includes("/_npx/")) return { command, args };
  if (args.length > 0) return { command: "npx", args: ["--yes", `bun@${Bun.version}`, ...args] };
  // A package for each platform has the executable (packaging/npm).
  const isPackage = path.includes(`/node_modules/${npmPackage}-`);
  return isPackage ? { command: "npx", args: ["-y", npmPackage] } : { command, args };
}

/** The command line for a POSIX shell. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}
