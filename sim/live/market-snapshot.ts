// Reads a market once: connects as a user, takes the whole snapshot, and disconnects.

import { reasonOf } from "../../protocol/client/engine-link.ts";
import { type ModuleChange, moduleChange } from "./module-state.ts";
import { type EngineAccess, userClient } from "./user-client.ts";

/**
 * Tries again until `patienceMs` have passed. Throws an Error of one line after that, or if the engine refuses the user for
 * good.
 */
export async function readSnapshot(access: EngineAccess, userId: string, patienceMs: number): Promise<ModuleChange[]> {
  const { promise, resolve, reject } = Promise.withResolvers<ModuleChange[]>();
  let modules: ModuleChange[] = [];
  let lastReason = "it sent no whole snapshot in time";
  const client = userClient(access, {
    userId,
    listener: {
      welcomed: () => {
        modules = [];
      },
      state: (message) => {
        const change = moduleChange(message);
        if (change !== null) modules.push(change);
      },
      synchronized: () => resolve(modules),
      ended: (end, willRetry) => {
        lastReason = reasonOf(end);
        if (!willRetry) reject(new Error(`${access.url} refused user ${userId}: ${lastReason}`));
      },
    },
  });
  const overdue = setTimeout(() => reject(new Error(`${access.url} can't be reached: ${lastReason}`)), patienceMs);
  client.open();
  try {
    return await promise;
  } finally {
    clearTimeout(overdue);
    await client.close();
  }
}
