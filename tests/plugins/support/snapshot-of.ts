// A snapshot with fixed modules. It needs no tools, so a test of one module is quick to load.

import { Snapshot } from "../../../core/market/snapshot.ts";

export const NOW = "2030-06-01T12:00:00.000Z";

export type Modules = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** By state path, such as `/ORDER/o1`; `id` follows from it. */
export function snapshotOf(modules: Modules): Snapshot {
  const snapshot = new Snapshot();
  for (const [statePath, data] of Object.entries(modules)) {
    const id = statePath.slice(statePath.indexOf("/", 1) + 1);
    snapshot.apply({ statePath, state: { id, ...data } }, NOW);
  }
  return snapshot;
}
