// Each entity's position in each contract, and the result of the contracts that have left the market. They are kept beside
// orders, fills and trades, so they stay exact after those are forgotten, flushed or removed.
//
// Not to be confused with the user positions of open-orders.ts, which bound what one user may trade.
//
// Invariants: over all entities of a contract, net quantity and cash add up to 0; so do the results of all entities.
// An entity that has never traded a contract has no position in it. Memory: one position for each entity and contract
// of the market, and one sum for each entity.

import { type ExactInteger, sumOf } from "../market/exact-integer.ts";
import { invariant } from "../market/invariant.ts";
import type { Side } from "../market/order-book.ts";
import { addToAccount, emptyAccount, type PositionAccount } from "../market/position-account.ts";
import type { EngineState } from "./engine-state.ts";
import type { ContractState } from "./market-state.ts";
import type { EntityState } from "./party-state.ts";
import { MARK_UNITS, markOf } from "./position-marks.ts";
import { required } from "./required.ts";

/** In millionths of cents/MWh x kW x min: the unit of a mark x kW x min. */
export interface Profit {
  readonly realised: bigint;
  readonly unrealised: bigint;
}

/** Counts one side of a trade of `quantity` kW. */
export function addToEntityPosition(
  { entityPositions, minutes }: ContractState,
  { party }: EntityState,
  side: Side,
  price: number,
  quantity: number,
): void {
  let account = entityPositions.get(party);
  if (account === undefined) entityPositions.set(party, account = emptyAccount());
  addToAccount(account, side, price, quantity, minutes);
}

/** A position at its mark. The end of delivery settles it: all profit is then realised. */
export function profitOf(contract: ContractState, { net, cash, cost }: PositionAccount): Profit {
  const [received, invested] = [BigInt(cash) * MARK_UNITS, BigInt(cost) * MARK_UNITS];
  if (net === 0) return { realised: received, unrealised: 0n };
  const { price } = required(markOf(contract) ?? undefined, `mark of ${contract.id}`);
  const worth = BigInt(net) * BigInt(contract.minutes) * price;
  return contract.delivered
    ? { realised: received + worth, unrealised: 0n }
    : { realised: received + invested, unrealised: worth - invested };
}

/** Adds the results of a delivered contract to its entities, before it is removed. */
export function settlePositions({ parties }: EngineState, contract: ContractState): void {
  invariant(contract.delivered, "a contract is settled after its delivery");
  let net = 0;
  let cash: ExactInteger = 0;
  for (const [party, position] of contract.entityPositions) {
    const { settled } = required(parties[party], "entity");
    settled.contracts += 1;
    settled.cash = sumOf(settled.cash, position.cash);
    settled.profit += profitOf(contract, position).realised;
    net += position.net;
    cash = sumOf(cash, position.cash);
  }
  invariant(net === 0 && cash === 0, "the positions of a contract add up to 0");
}
