// How to start this program again, from source, compiled, and from npx.

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
 * How a user or a client starts this program. From the cache of npx it is npx with `npmPackage`: a path in the cache would
 * keep this version, and end with the cache.
 */
export function lastingInvocation(own: Invocation, npmPackage: string): Invocation {
  return /[/\\]_npx[/\\]/.test(own.command) ? { command: "npx", args: ["-y", npmPackage] } : own;
}
