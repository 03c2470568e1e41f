// The properties whose value names a module: by its id, or by its code, or a price node of a market.

import type { ModuleType } from "../../protocol/modules/registry.ts";

export type Reference = { readonly type: ModuleType; readonly by: "id" | "code" | "nodes" };

export const REFERENCES: Readonly<Record<string, Reference>> = {
  marketId: { type: "MARKET", by: "id" },
  node: { type: "MARKET", by: "nodes" },
  productId: { type: "PRODUCT", by: "id" },
  productCode: { type: "PRODUCT", by: "code" },
  contractId: { type: "CONTRACT", by: "id" },
  engineId: { type: "ENGINE", by: "id" },
  orderId: { type: "ORDER", by: "id" },
  buyOrderId: { type: "ORDER", by: "id" },
  sellOrderId: { type: "ORDER", by: "id" },
  tradeId: { type: "TRADE", by: "id" },
  entityId: { type: "ENTITY", by: "id" },
  counterpartyId: { type: "ENTITY", by: "id" },
  buyEntityId: { type: "ENTITY", by: "id" },
  sellEntityId: { type: "ENTITY", by: "id" },
  userId: { type: "USER", by: "id" },
};

/** The properties that hold ids of modules of the type. */
export function referencesTo(type: ModuleType): string[] {
  return Object.entries(REFERENCES).filter(([, { type: named, by }]) => named === type && by === "id").map(([name]) =>
    name
  );
}
