// The listed contracts of products, each with the prices of its book.
//
// An answer has at most MAX_CONTRACTS contracts, about 18,000 bytes, so a page may end before its limit. A single product
// with more contracts shows the ones that deliver first, and the number of all.

import { propertyReader } from "../../core/market/module-properties.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";

const MAX_CONTRACTS = 130;
const COLUMNS = ["deliveryStart", "bestBid", "bestAsk", "lastPrice", "volume"];

type ListedContract = { id: string } & Record<string, unknown>;

type ProductContracts = {
  contracts: ListedContract[];
  /** Present if there are more than are shown. */
  contractCount?: number;
};

/** The contracts of as many products as fit into one answer, at least of the first. */
export function contractsOfProducts(snapshot: SnapshotReader, productIds: readonly string[]): ProductContracts[] {
  const fitting: ProductContracts[] = [];
  let count = 0;
  for (const productId of productIds) {
    const listed = listedContracts(snapshot, productId);
    count += listed.length;
    if (count > MAX_CONTRACTS && fitting.length > 0) break;
    fitting.push(shown(snapshot, listed));
  }
  return fitting;
}

/** By start of delivery. */
function listedContracts(snapshot: SnapshotReader, productId: string): ModuleData<"CONTRACT">[] {
  const where = ({ status }: Record<string, unknown>) => status === "listed";
  const { modules } = snapshot.find("CONTRACT", { equals: { productId }, where, limit: Infinity });
  return modules.sort((a, b) => Date.parse(a.deliveryStart) - Date.parse(b.deliveryStart));
}

function shown(snapshot: SnapshotReader, listed: readonly ModuleData<"CONTRACT">[]): ProductContracts {
  const read = propertyReader("CONTRACT", snapshot);
  const contracts = listed.slice(0, MAX_CONTRACTS).map((contract) => {
    const row: ListedContract = { id: contract.id };
    for (const name of COLUMNS) row[name] = read(contract, name);
    return row;
  });
  return { contracts, ...(listed.length > contracts.length && { contractCount: listed.length }) };
}
