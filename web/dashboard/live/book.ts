// The book of one contract, followed as long as it is shown.

import { useEffect } from "preact/hooks";
import type { Book } from "../../contract/market.ts";
import { market } from "./market-store.ts";
import { follow } from "./stream.ts";

/** Undefined until it has come, and if the contract has none. */
export function useBook(contractId: string): Book | undefined {
  useEffect(() => {
    follow([contractId]);
    return () => follow([]);
  }, [contractId]);
  return market.books.value.get(contractId);
}
