// Reads a market once: connects as a user, takes the whole snapshot, and leaves.

import { EngineConnection, type EngineConnectionOptions } from "./engine-connection.ts";
import { type ModuleChange, moduleChange } from "./module-state.ts";

type SnapshotOptions = Pick<EngineConnectionOptions, "url" | "userId" | "token" | "reader" | "now" | "log">;

/** Tries again until `patienceMs` have passed; then, or where the engine turns the user away, throws an Error of one line. */
export async function readSnapshot(options: SnapshotOptions, patienceMs: number): Promise<ModuleChange[]> {
  const { promise, resolve, reject } = Promise.withResolvers<ModuleChange[]>();
  let modules: ModuleChange[] = [];
  let lastReason = "it sent no whole snapshot in time";
  const connection = new EngineConnection({
    ...options,
    cancelOnDisconnect: false,
    listener: {
      welcomed: () => {
        modules = [];
      },
      state: (message) => {
        const change = moduleChange(message);
        if (change !== null) modules.push(change);
      },
      began: () => resolve(modules),
      ended: (reason, isFinal) => {
        lastReason = reason;
        if (isFinal) reject(new Error(`${options.url} turned user ${options.userId} away: ${reason}`));
      },
    },
  });
  const overdue = setTimeout(() => reject(new Error(`${options.url} can't be reached: ${lastReason}`)), patienceMs);
  connection.open();
  try {
    return await promise;
  } finally {
    clearTimeout(overdue);
    await connection.close();
  }
}
