// The listed contracts, each as a signal of its own, so that a change of one draws one row; and what people call them.

import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type ContractName, contractName } from "../../components/contract-name.ts";
import type { ContractRow } from "../../contract/market.ts";
import { timezoneOf, timezones } from "./market-clock.ts";
import { market } from "./market-store.ts";

const rows = new Map<string, Signal<ContractRow>>();
const ids = signal<readonly string[]>([]);

/** Ids of the listed contracts. The same array until a contract comes or goes. */
export const contractIds: ReadonlySignal<readonly string[]> = ids;

/** Undefined if the contract is not listed; read `contractIds.value` to be told when it is. */
export function contractSignal(contractId: string): ReadonlySignal<ContractRow> | undefined {
  return rows.get(contractId);
}

effect(() => {
  const contracts = market.contracts.value;
  let hasSameIds = contracts.size === rows.size;
  for (const [id, row] of contracts) {
    const known = rows.get(id);
    if (known !== undefined) known.value = row;
    else {
      rows.set(id, signal(row));
      hasSameIds = false;
    }
  }
  if (hasSameIds) return;
  for (const id of rows.keys()) if (!contracts.has(id)) rows.delete(id);
  ids.value = [...contracts.keys()];
});

/** By contract; a contract's delivery never changes. Forgotten with the list of contracts, and if a time zone changes. */
const names = computed(() => {
  void timezones.value;
  void contractIds.value;
  return new Map<string, ContractName>();
});

export function nameOf(row: ContractRow): ContractName {
  const known = names.value.get(row.contractId);
  if (known !== undefined) return known;
  const made = contractName(row, timezoneOf(row.marketId));
  names.value.set(row.contractId, made);
  return made;
}

/** `NORTH, hour 22 of Nov 22`; the id of a contract that is not listed. */
export function contractLabel(contractId: string): string {
  void contractIds.value;
  const row = rows.get(contractId)?.peek();
  return row === undefined ? contractId : nameOf(row).full;
}
