// The listed contracts with the best prices of their books, as the page shows them.

import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { Book, ContractRow } from "../../web/contract/market.ts";

/** By start of delivery. */
export function contractRows(snapshot: SnapshotReader): ContractRow[] {
  const { modules } = snapshot.find("CONTRACT", { where: ({ status }) => status === "listed", limit: Infinity });
  return modules.map((contract) => rowOf(contract, snapshot))
    .sort((a, b) => Date.parse(a.deliveryStart) - Date.parse(b.deliveryStart));
}

/** Null if the contract is not listed. */
export function contractRow(contractId: string, snapshot: SnapshotReader): ContractRow | null {
  const contract = snapshot.get("CONTRACT", contractId);
  return contract?.status === "listed" ? rowOf(contract, snapshot) : null;
}

/** Null without such a book. */
export function bookOf(contractId: string, snapshot: SnapshotReader): Book | null {
  const engine = engineOf(contractId, snapshot);
  if (engine === undefined) return null;
  const { bids, asks, lastPrice, lastUpdate } = engine;
  return { contractId, bids, asks, lastPrice, lastUpdate };
}

function rowOf(
  { id: contractId, productId, node, deliveryStart, deliveryEnd }: ModuleData<"CONTRACT">,
  snapshot: SnapshotReader,
): ContractRow {
  const engine = engineOf(contractId, snapshot);
  const product = snapshot.get("PRODUCT", productId);
  return {
    contractId,
    productId,
    productName: product?.name ?? productId,
    productType: product?.type ?? "",
    node,
    marketId: engine?.marketId ?? "",
    deliveryStart,
    deliveryEnd,
    bestBid: engine?.bestBid ?? null,
    bestAsk: engine?.bestAsk ?? null,
    bestBidVolume: engine?.bids[0]?.volume ?? null,
    bestAskVolume: engine?.asks[0]?.volume ?? null,
    lastPrice: engine?.lastPrice ?? null,
    tradedQuantity: engine?.tradedQuantity ?? 0,
    workingOrders: engine?.totalWorkingOrders ?? 0,
  };
}

function engineOf(contractId: string, snapshot: SnapshotReader): ModuleData<"ENGINE"> | undefined {
  return snapshot.find("ENGINE", { equals: { contractId }, limit: 1 }).modules[0];
}
