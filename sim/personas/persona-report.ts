// What a persona has done, in the units of the APIs: MW and dollars.

import { dollarsOf, megawattsOf } from "../market/units.ts";
import type { Persona, PersonaCounts } from "./persona.ts";
import type { TradedContract } from "./traded-contract.ts";

export interface PersonaReport extends PersonaCounts {
  readonly id: string;
  readonly strategy: string;
  readonly userId: string;
  readonly entityId: string;
  readonly workingOrders: number;
  /** Fills of its orders. */
  readonly trades: number;
  /** Bought and sold. */
  readonly volumeMw: number;
  /** Bought less sold, over all contracts. */
  readonly netPositionMw: number;
  /** Contracts in which it holds something. */
  readonly positions: readonly { readonly contractId: string; readonly netPositionMw: number }[];
  /** Dollars: received for what it sold less paid for what it bought. */
  readonly cash: number;
  /** Dollars: cash, and positions at the mark price. */
  readonly profitAndLoss: number;
}

/** `markOf`: what positions in a contract are valued at, in whole cents/MWh. */
export function personaReport(persona: Persona, markOf: (contract: TradedContract) => number): PersonaReport {
  const { id, strategy, userId, entityId, counts, account, workingOrders } = persona;
  const held = [...account.holdings].filter(({ position }) => position !== 0);
  return {
    id,
    strategy,
    userId,
    entityId,
    workingOrders,
    ...counts,
    trades: account.trades,
    volumeMw: megawattsOf(account.volume),
    netPositionMw: megawattsOf(held.reduce((sum, { position }) => sum + position, 0)),
    positions: held.map(({ contract, position }) => ({
      contractId: contract.id,
      netPositionMw: megawattsOf(position),
    })),
    cash: dollarsOf(account.cash),
    profitAndLoss: dollarsOf(account.profitAndLoss(markOf)),
  };
}
