// Which open orders a persona withdraws without a decision of its strategy: those in contracts that are no longer traded, and
// all of them while losses stop it.

import type { ContractTrader } from "./contract-trader.ts";
import type { LiquidityProfile } from "./liquidity-profile.ts";
import type { PersonaAction, PersonaView } from "./persona.ts";
import type { TradedContract } from "./traded-contract.ts";
import type { WorkingOrders } from "./working-orders.ts";

/** Most cancels of a wake-up while losses stop it, or one more. */
const MAX_WITHDRAWALS = 8;

export class Withdrawals {
  /** The list of traded contracts among which all its orders were. */
  #listed: readonly TradedContract[] | null = null;

  constructor(
    private readonly traders: ReadonlyMap<number, ContractTrader>,
    private readonly orders: WorkingOrders,
    private readonly profile: LiquidityProfile,
  ) {}

  /** Cancels open orders, those of a few contracts at each wake-up. */
  all({ isOpen }: PersonaView): readonly PersonaAction[] {
    const actions: PersonaAction[] = [];
    for (const trader of this.traders.values()) {
      if (actions.length >= MAX_WITHDRAWALS) break;
      if (trader.orders.length > 0 && !trader.isWaiting && isOpen(trader.contract)) {
        actions.push(...this.orders.withdraw(trader));
      }
    }
    return actions;
  }

  /** Cancels the open orders in one contract that is no longer traded; null if there is none. */
  abandoned({ time, isOpen }: PersonaView): readonly PersonaAction[] | null {
    const listed = this.profile.at(time);
    // Orders are sent only to traded contracts, so a list that had all of them has all of them still.
    if (listed === this.#listed) return null;
    let areAllTraded = true;
    for (const trader of this.traders.values()) {
      if (trader.orders.length === 0 || this.profile.isTraded(trader.contract, time)) continue;
      if (!trader.isWaiting && isOpen(trader.contract)) return this.orders.withdraw(trader);
      areAllTraded = false;
    }
    if (areAllTraded) this.#listed = listed;
    return null;
  }
}
