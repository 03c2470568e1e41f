// The credit of the model of the market: each question is answered from all trades anew.

import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { capacityOf, type Contract, type Limit, type Pair, type Trade, usedBy } from "./model-terms.ts";

type NextTrade = Pick<Trade, "contract" | "price" | "quantity">;

export class ModelCredit {
  readonly #pairs = new Map<string, Pair>();

  /** `trades`: those of the model, which adds to them. */
  constructor(
    readonly definition: MarketDefinition,
    readonly contracts: readonly Contract[],
    readonly trades: readonly Trade[],
  ) {
    const defaults = definition.creditDefaults;
    for (const one of definition.entities) {
      for (const other of definition.entities) {
        if (one === other) continue;
        const limits = (defaults?.limits ?? []).map((limit) => ({ ...limit, contractId: limit.contractId ?? null }));
        this.#pairs.set(`${one.id}:${other.id}`, { limits, documentation: defaults?.documentation ?? "no_docs" });
      }
    }
  }

  of(entityId: string, counterpartyId: string): Pair {
    const pair = this.#pairs.get(`${entityId}:${counterpartyId}`);
    if (pair === undefined) throw new Error(`no pair ${entityId} and ${counterpartyId}`);
    return pair;
  }

  /** Whether documents and limits of both allow a trade. */
  allows(one: string, other: string, next: NextTrade): boolean {
    return one !== other &&
      [[one, other], [other, one]].every(([granter = "", grantee = ""]) =>
        this.of(granter, grantee).documentation === "docs_in_place" && this.#leaveCredit(granter, grantee, next)
      );
  }

  /** Whether two entities could trade one lot of some contract. All contracts may be traded at a price of 0. */
  tradable(one: string, other: string): boolean {
    return this.contracts.some((contract) => this.allows(one, other, lotOf(contract)));
  }

  statusOf(entityId: string): "ok" | "exhausted" | "none" {
    const others = this.definition.entities.map(({ id }) => id).filter((id) => id !== entityId);
    if (others.every((other) => this.of(entityId, other).limits.length === 0)) return "none";
    const isOk = others.some((other) =>
      this.contracts.some((contract) => this.#leaveCredit(entityId, other, lotOf(contract)))
    );
    return isOk ? "ok" : "exhausted";
  }

  /** Dollars, MW and MWh of all trades between two entities. */
  used(entityId: string, counterpartyId: string): { notional: number; mw: number; mwh: number } {
    const used = { notional: 0, mw: 0, mwh: 0 };
    for (const { contract, price, quantity } of this.#tradesBetween(entityId, counterpartyId)) {
      used.notional += Math.abs(price) * quantity * contract.minutes / 6_000_000;
      used.mw += quantity / 1000;
      used.mwh += quantity * contract.minutes / 60_000;
    }
    return used;
  }

  /** Whether the limits of one entity for another allow a trade. */
  #leaveCredit(granter: string, grantee: string, next: NextTrade): boolean {
    const covering = this.of(granter, grantee).limits
      .filter(({ contractId }) => contractId === null || contractId === next.contract.id);
    return covering.length > 0 && covering.every((limit) => this.#hasCapacity(limit, granter, grantee, next));
  }

  #hasCapacity(limit: Limit, one: string, other: string, next: NextTrade): boolean {
    const trades = this.#tradesBetween(one, other)
      .filter(({ contract }) => limit.contractId === null || limit.contractId === contract.id);
    const used = trades.reduce((sum, trade) => sum + usedBy(limit, trade), 0);
    return used < capacityOf(limit) && used + usedBy(limit, next) <= capacityOf(limit);
  }

  #tradesBetween(one: string, other: string): Trade[] {
    return this.trades.filter(({ entityIds }) => entityIds.includes(one) && entityIds.includes(other));
  }
}

function lotOf(contract: Contract): NextTrade {
  return { contract, price: 0, quantity: contract.lot };
}
