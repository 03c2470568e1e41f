// In which order the page shows the contracts of each group: as its address says. Only a table that is drawn is sorted, since a
// large market has a hundred.

import { effect, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { changeOf } from "../../../components/spark-path.ts";
import { inAddress } from "../../address/address-state.ts";
import { contractSignal, nameOf } from "../../live/listed-contracts.ts";
import { sparkPrices } from "../../live/sparks.ts";
import { SORT_IN_ADDRESS } from "./contract-address.ts";
import { type ListedContract, sortContracts } from "./contract-order.ts";

/** A list that is sorted by what changes is sorted again this often, so that rows don't jump all the time. */
const RESORT_MS = 3_000;

export const sort = inAddress("market", SORT_IN_ADDRESS);
/** Another object if it is time to sort again. */
const order = signal({ sort: sort.value });

/**
 * From now on tables follow `sort`, a task later, so that the answer to a click is not kept waiting; and they are sorted again
 * from time to time if that is by something that changes. The returned function ends that.
 */
export function keepSorted(): () => void {
  return effect(() => {
    const { value } = sort;
    const again = () => void (order.value = { sort: value });
    const soon = setTimeout(again);
    const timer = value.key === "delivery" ? undefined : setInterval(again, RESORT_MS);
    return () => {
      clearTimeout(soon);
      clearInterval(timer);
    };
  });
}

/** Of the contracts that are still listed. */
export function useSorted(contractIds: readonly string[]): readonly string[] {
  const now = order.value;
  return useMemo(() => sorted(contractIds, now.sort).map(({ row }) => row.contractId), [contractIds, now]);
}

export function sorted(contractIds: readonly string[], by = sort.value): ListedContract[] {
  return sortContracts(contractIds.flatMap((id) => listedContract(id) ?? []), by);
}

/** As it is now; null: it is no longer listed. */
export function listedContract(contractId: string): ListedContract | null {
  const row = contractSignal(contractId)?.peek();
  return row === undefined ? null : { row, name: nameOf(row), change: changeOf(sparkPrices(row.contractId).peek()) };
}
