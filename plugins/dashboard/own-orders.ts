// What the open orders of the acting user's entity would use of credit limits, if one counterparty filled all of them: each its
// rest, at its own price, as a resting order trades. A held order may trade at another price, and then use more or less.
//
// Only the own entity's orders are read, which every user sees. Cost: a look at each of its open orders.

import type { RouteContext } from "../../core/routes/route.ts";
import type { CreditLimit, ModuleData } from "../../protocol/modules/registry.ts";

/** By the type of a limit: dollars at face value, MW, MWh. */
type Amounts = Record<CreditLimit["limitType"], number>;

const OPEN = ["working", "partial", "held"] as const satisfies readonly ModuleData<"ORDER">["status"][];

export class OwnOrders {
  readonly #all: Amounts = { notional: 0, mw: 0, mwh: 0 };
  readonly #ofContract = new Map<string, Amounts>();

  private constructor(readonly entityId: string) {}

  /** Null if the acting user has no entity. */
  static of({ snapshot, pubsub: { session } }: Pick<RouteContext, "snapshot" | "pubsub">): OwnOrders | null {
    const entityId = session?.entityId ?? null;
    if (entityId === null) return null;
    const own = new OwnOrders(entityId);
    for (const status of OPEN) {
      const { modules } = snapshot.find("ORDER", { equals: { entityId, status }, limit: Infinity });
      for (const order of modules) {
        const contract = snapshot.get("CONTRACT", order.contractId);
        // An order leaves together with its contract.
        if (contract !== undefined) own.#add(order, contract.hours);
      }
    }
    return own;
  }

  #add({ contractId, price, remainingQuantity: mw }: ModuleData<"ORDER">, hours: number): void {
    const ofContract = this.#ofContract.getOrInsertComputed(contractId, () => ({ notional: 0, mw: 0, mwh: 0 }));
    for (const amounts of [this.#all, ofContract]) {
      amounts.mw += mw;
      amounts.mwh += mw * hours;
      amounts.notional += Math.abs(price) * mw * hours / 100;
    }
  }

  /** In the unit of the limit, after its margin. */
  wouldUse({ limitType, contractId, marginPercent }: CreditLimit): number {
    const amounts = contractId === null ? this.#all : this.#ofContract.get(contractId);
    const margin = limitType === "notional" ? marginPercent / 100 : 1;
    // Without the rounding errors of sums.
    return Math.round((amounts?.[limitType] ?? 0) * margin * 1e6) / 1e6;
  }
}
