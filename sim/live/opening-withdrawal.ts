// Withdraws the demo's first orders (initial-orders.ts) in a contract once a market maker of the simulation quotes both of its
// sides. The maker moves its quotes with its forecast; the first orders would stay, and be free money after the next news.
//
// It learns of all orders from the simulator's view of the market, also of those that an earlier process has placed.

import type { EngineRequest, Execution } from "../../engine/api/market-engine.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { BUY, SELL } from "../../protocol/sides.ts";
import { strategyEntry, strategyNames } from "../strategies/known-strategies.ts";

type SeenOrder = Pick<ModuleData<"ORDER">, "id" | "contractId" | "userId" | "side" | "clientOrderId" | "closeReason">;

interface ContractOrders {
  /** The first orders that are open: the user of each, by its id. */
  readonly first: Map<string, string>;
  /** Whether a maker quotes each side. */
  readonly isQuoted: [boolean, boolean];
}

/** What the ids of the first orders begin with. */
export const OPENING_PREFIX = "opening-";

export class OpeningWithdrawal {
  readonly #contracts = new Map<string, ContractOrders>();

  constructor(private readonly execute: (request: EngineRequest) => Execution) {}

  /** An order is new or has changed. */
  seen({ id, contractId, userId, side, clientOrderId, closeReason }: SeenOrder): void {
    const isFirst = clientOrderId.startsWith(OPENING_PREFIX);
    if (!isFirst && !isOfMaker(clientOrderId)) return;
    const orders = this.#contracts.getOrInsertComputed(contractId, () => ({
      first: new Map(),
      isQuoted: [false, false],
    }));
    if (!isFirst) orders.isQuoted[side] = closeReason === null;
    else if (closeReason === null) orders.first.set(id, userId);
    else orders.first.delete(id);
    if (!orders.isQuoted[BUY] || !orders.isQuoted[SELL]) return;
    for (const [orderId, owner] of orders.first) {
      this.execute({
        userId: owner,
        operationId: `${OPENING_PREFIX}end-${orderId}`,
        action: "order.cancel",
        payload: { orderId },
      });
    }
    orders.first.clear();
  }
}

/** By its id, in which the persona's follows the run's: `sim-1f11d681.1-avellaneda-stoikov-3-17`. */
function isOfMaker(clientOrderId: string): boolean {
  return clientOrderId.startsWith("sim-") &&
    strategyNames().some((name) => strategyEntry(name)?.role === "maker" && clientOrderId.includes(`-${name}-`));
}
