// The contracts of the watchlist, in the order in which they were added.

import { kept } from "./kept.ts";
import { keptTexts } from "./kept-text.ts";

export const MAX_CONTRACTS = 100;

const list = kept("watchlist", (value) => keptTexts(value, MAX_CONTRACTS));

/** Ids; a contract may be listed no longer. */
export const watchedContracts = list.value;

/** Adds it, or takes it away. A full list stays as it is. */
export function toggleWatched(contractId: string): void {
  const before = watchedContracts.peek();
  if (before.includes(contractId)) list.change(before.filter((id) => id !== contractId));
  else if (before.length < MAX_CONTRACTS) list.change([...before, contractId]);
}
