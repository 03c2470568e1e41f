// The listed contracts for what shows many of them at a glance: as they are now, and again once a second, because a picture
// that changes ten times a second can't be read.

import { useEffect, useState } from "preact/hooks";
import type { ContractRow } from "../../contract/market.ts";
import { contractIds } from "./listed-contracts.ts";
import { market } from "./market-store.ts";

const EVERY_MS = 1_000;

/** By id, in order of delivery. The same map until a contract has changed. A contract that comes or goes is seen at once. */
export function useContractsNow(): ReadonlyMap<string, ContractRow> {
  const [, setShown] = useState(market.contracts.peek());
  void contractIds.value;
  useEffect(() => {
    const timer = setInterval(() => setShown(market.contracts.peek()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return market.contracts.peek();
}
