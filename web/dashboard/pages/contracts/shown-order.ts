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
const turn = signal(0);

/** From now on sorts again from time to time what is sorted by something that changes. The returned function ends that. */
export function keepSorted(): () => void {
  return effect(() => {
    if (sort.value.key === "delivery") return;
    const timer = setInterval(() => void (turn.value += 1), RESORT_MS);
    return () => clearInterval(timer);
  });
}

/** Of the contracts that are still listed. */
export function useSorted(contractIds: readonly string[]): readonly string[] {
  const [order, now] = [sort.value, turn.value];
  return useMemo(() => sorted(contractIds).map(({ row }) => row.contractId), [contractIds, order, now]);
}

export function sorted(contractIds: readonly string[]): ListedContract[] {
  return sortContracts(contractIds.flatMap((id) => listedContract(id) ?? []), sort.value);
}

/** As it is now; null: it is no longer listed. */
export function listedContract(contractId: string): ListedContract | null {
  const row = contractSignal(contractId)?.peek();
  return row === undefined ? null : { row, name: nameOf(row), change: changeOf(sparkPrices(row.contractId).peek()) };
}
