// How to start this program again, from source and compiled.

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
