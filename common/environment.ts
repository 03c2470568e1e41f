// Environment variables by name. Code reads one only by a name of a union, so a misspelled name does not compile. The names of
// each part are beside it; core/config/variables.ts has all of them.

/** Some environment: that of the process has further variables. */
export type EnvironmentOf<Name extends string> = { readonly [Each in Name]?: string | undefined };

/** With names that are only known when the process runs, as those of packs. */
export type AnyEnvironment = Readonly<Record<string, string | undefined>>;

/** Variables of the terminal, the service manager, and the runtime's allocator. */
export type PlatformVariable = "CI" | "TERM" | "CREDENTIALS_DIRECTORY" | "MIMALLOC_PURGE_DELAY";

/** That of this process. */
export function ownEnvironment<Name extends string>(): EnvironmentOf<Name> {
  return process.env as EnvironmentOf<Name>;
}

export const PLATFORM = ownEnvironment<PlatformVariable>();

/** The environment of this process without some variables, and with others: for a process that is not to know all. */
export function environmentFor(others: AnyEnvironment, without: RegExp): AnyEnvironment {
  const kept = Object.entries(process.env).filter(([name]) => !without.test(name));
  return { ...Object.fromEntries(kept), ...others };
}

/** Requests of this process reach every host themselves, whatever proxy the environment names. */
export function useNoProxy(): void {
  // Of the two spellings Bun takes this one if the environment has both.
  process.env["no_proxy"] = "*";
}
