// Puts a contract on the watchlist, or takes it off.

import { Button } from "../../components/button.tsx";
import { owner } from "./kept.ts";
import { MAX_CONTRACTS, toggleWatched, watchedContracts } from "./watched-contracts.ts";

export function WatchButton({ contractId }: { readonly contractId: string }) {
  const isWatched = watchedContracts.value.includes(contractId);
  const isFull = watchedContracts.value.length >= MAX_CONTRACTS;
  const reason = owner.value === null
    ? "Nobody acts on this server now"
    : isFull && !isWatched
    ? `The watchlist is full (${MAX_CONTRACTS})`
    : null;
  return (
    <Button
      small
      icon="star"
      pressed={isWatched}
      unavailable={reason}
      onClick={() => toggleWatched(contractId)}
    >
      {isWatched ? "Watched" : "Watch"}
    </Button>
  );
}
