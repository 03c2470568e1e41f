// What a test file may not leave behind, because files share a process: variables of the environment, globals, and listeners
// of the process that change how it ends.
//
// A library may add its own listeners and a global with two underscores when it is first loaded, so only others count.

const ENDING_EVENTS = ["SIGINT", "SIGTERM", "SIGHUP", "uncaughtException", "unhandledRejection"];

/** What a file finds, once its imports are loaded. */
interface GlobalState {
  readonly environment: ReadonlyMap<string, string>;
  readonly globals: ReadonlySet<string>;
  /** Number of listeners, by event of the process. */
  readonly listeners: ReadonlyMap<string, number>;
}

export function globalState(): GlobalState {
  const environment = Object.entries(process.env).map(([name, value]) => [name, value ?? ""] as const);
  const events = ENDING_EVENTS.map((event) => [event, process.listenerCount(event)] as const);
  return {
    environment: new Map(environment),
    globals: new Set(Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith("__"))),
    listeners: new Map(events),
  };
}

/** What has changed since `before`, one line each. */
export function changesSince(before: GlobalState): string[] {
  const now = globalState();
  const names = new Set([...before.environment.keys(), ...now.environment.keys()]);
  return [
    ...[...names].filter((name) => before.environment.get(name) !== now.environment.get(name))
      .map((name) => `the variable ${name} is ${now.environment.get(name) ?? "absent"}`),
    ...[...now.globals].filter((name) => !before.globals.has(name)).map((name) => `there is a global ${name}`),
    ...[...before.globals].filter((name) => !now.globals.has(name)).map((name) => `the global ${name} is gone`),
    ...[...now.listeners].filter(([event, count]) => count > (before.listeners.get(event) ?? 0))
      .map(([event, count]) =>
        `the process has ${count} listeners of ${event}, before ${before.listeners.get(event) ?? 0}`
      ),
  ];
}
