// What is fixed about a contract: its hours, lot, tick and price range. Also of a contract that is no longer listed.

import { useEffect, useState } from "preact/hooks";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { contractIds } from "./listed-contracts.ts";
import { readTool, RequestError } from "./server.ts";

const FIELDS = [
  "id",
  "name",
  "productId",
  "marketId",
  "status",
  "deliveryStart",
  "deliveryEnd",
  "hours",
  "lot",
  "tick",
  "minimumPrice",
  "maximumPrice",
] as const;

export type ContractFacts = Pick<ModuleData<"CONTRACT">, (typeof FIELDS)[number]>;

/** After a failed request. */
const RETRY_MS = 3_000;

/** Null: the market knows no such contract. Undefined: not known yet, or the market can't be asked. */
export function useContractFacts(contractId: string): ContractFacts | null | undefined {
  const [facts, setFacts] = useState<ContractFacts | null | undefined>(undefined);
  const listed = contractIds.value;
  useEffect(() => {
    let isGone = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      const found = await factsOf(contractId);
      if (isGone) return;
      if (found === undefined) retry = setTimeout(() => void read(), RETRY_MS);
      else setFacts(found);
    };
    void read();
    return () => {
      isGone = true;
      clearTimeout(retry);
    };
  }, [contractId, listed]);
  return facts?.id === contractId || facts === null ? facts : undefined;
}

/** Whatever is no id at all is no contract either. */
const UNKNOWN: readonly string[] = ["not_found", "invalid_input"];

async function factsOf(contractId: string): Promise<ContractFacts | null | undefined> {
  try {
    const { modules } = await readTool<{ readonly modules: readonly ContractFacts[] }>("mkt_find_modules", {
      moduleType: "CONTRACT",
      filters: { id: contractId },
      fields: FIELDS,
      limit: 1,
    });
    return modules[0] ?? null;
  } catch (error) {
    return error instanceof RequestError && UNKNOWN.includes(error.report.code) ? null : undefined;
  }
}
