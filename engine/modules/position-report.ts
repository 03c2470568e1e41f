// The positions of an entity as clients see them: MW, MWh, cents/MWh, dollars. Only the numbers shown are rounded; totals
// are rounded sums of exact amounts.
//
// Cost: O(contracts x entities).

import type { ContractPosition, EntityPositions } from "../../protocol/index.ts";
import { type ExactInteger, negativeOf, roundedNumber, sumOf } from "../market/exact-integer.ts";
import type { PositionAccount } from "../market/position-account.ts";
import {
  DOLLAR_DECIMALS,
  dollarsOf,
  energyOf,
  megawattHoursOf,
  megawattsOf,
  NOTIONAL_PER_DOLLAR,
} from "../market/units.ts";
import type { EngineState } from "../state/engine-state.ts";
import { type Profit, profitOf } from "../state/entity-positions.ts";
import type { ContractState } from "../state/market-state.ts";
import type { EntityState } from "../state/party-state.ts";
import { MARK_UNITS, markOf } from "../state/position-marks.ts";
import { required } from "../state/required.ts";
import { isoTime } from "../../common/iso-time.ts";

const PRICE_DECIMALS = 6;

interface Held extends Profit {
  readonly contract: ContractState;
  readonly position: PositionAccount;
  readonly creditUsed: ExactInteger;
}

/** `now`: milliseconds since the epoch. */
export function positionReport(state: EngineState, entity: EntityState, now: number): EntityPositions {
  const { contracts, ledger } = state;
  const held = contracts.values().flatMap((contract): Held[] => {
    const position = contract.entityPositions.get(entity.party);
    if (position === undefined) return [];
    const creditUsed = ledger.notionalOf(entity.party, contract.key);
    return [{ contract, position, creditUsed, ...profitOf(contract, position) }];
  }).toArray().sort(byDelivery);
  return {
    entityId: entity.definition.id,
    asOf: isoTime(now),
    positions: held.map(positionShown),
    totals: totalsOf(held, entity),
  };
}

function byDelivery({ contract: one }: Held, { contract: other }: Held): number {
  return one.deliveryStart - other.deliveryStart || (one.id < other.id ? -1 : 1);
}

function positionShown(
  { contract, position, realised, unrealised, creditUsed }: Held,
): ContractPosition {
  const { net, bought, sold, cash } = position;
  const mark = required(markOf(contract) ?? undefined, `mark of ${contract.id}`);
  return {
    contractId: contract.id,
    node: contract.product.node,
    deliveryStart: isoTime(contract.deliveryStart),
    deliveryEnd: isoTime(contract.deliveryEnd),
    timezone: contract.market.definition.timezone,
    netQuantity: megawattsOf(net),
    netEnergy: megawattHoursOf(energyOf(net, contract.minutes)),
    boughtQuantity: megawattsOf(bought),
    soldQuantity: megawattsOf(sold),
    averagePrice: averagePriceOf(contract, position),
    cash: dollarsOf(cash),
    mark: roundedNumber(mark.price, MARK_UNITS, PRICE_DECIMALS),
    markSource: mark.source,
    realisedProfit: profitShown(realised),
    unrealisedProfit: profitShown(unrealised),
    profit: profitShown(realised + unrealised),
    creditUsed: dollarsOf(creditUsed),
  };
}

function totalsOf(held: readonly Held[], { settled }: EntityState): EntityPositions["totals"] {
  const open = held.filter(({ contract, position }) => !contract.delivered && position.net !== 0);
  const realised = total(held.map((one) => one.realised)) + settled.profit;
  const unrealised = total(held.map((one) => one.unrealised));
  const cash = exactTotal([settled.cash, ...held.map(({ position }) => position.cash)]);
  return {
    netQuantity: haveSameDelivery(open) ? megawattsOf(open.reduce((sum, { position }) => sum + position.net, 0)) : null,
    netEnergy: megawattHoursOf(
      exactTotal(open.map(({ contract, position }) => energyOf(position.net, contract.minutes))),
    ),
    cash: dollarsOf(cash),
    realisedProfit: profitShown(realised),
    unrealisedProfit: profitShown(unrealised),
    profit: profitShown(realised + unrealised),
    creditUsed: dollarsOf(exactTotal(held.map(({ creditUsed }) => creditUsed))),
    settled: { contracts: settled.contracts, profit: profitShown(settled.profit) },
  };
}

/** MW of different delivery times don't add up to anything. */
function haveSameDelivery(held: readonly Held[]): boolean {
  const times = held.map(({ contract: { deliveryStart, deliveryEnd, minutes } }) =>
    `${deliveryStart} ${deliveryEnd} ${minutes}`
  );
  return new Set(times).size <= 1;
}

function averagePriceOf({ minutes }: ContractState, { net, cost }: PositionAccount): number | null {
  if (net === 0) return null;
  return roundedNumber(net < 0 ? negativeOf(cost) : cost, energyOf(Math.abs(net), minutes), PRICE_DECIMALS);
}

function profitShown(profit: bigint): number {
  return roundedNumber(profit, BigInt(NOTIONAL_PER_DOLLAR) * MARK_UNITS, DOLLAR_DECIMALS);
}

function exactTotal(amounts: readonly ExactInteger[]): ExactInteger {
  return amounts.reduce(sumOf, 0);
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
