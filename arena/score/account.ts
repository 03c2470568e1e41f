// What an agent's company has won, in dollars: cash, what it holds at the value of each delivery, and what its duty, plant or
// battery is worth beside that.

import { localDateAt } from "../../engine/market/local-time.ts";
import { CENTS_PER_DOLLAR } from "../../engine/market/units.ts";
import { hundredths } from "../../common/rounding.ts";
import { DAY_MS, HOUR_MS } from "../../protocol/time-units.ts";
import type { TradedContract } from "../../sim/personas/traded-contract.ts";
import type { TradingTerms } from "../scenario/trading-terms.ts";
import type { World } from "../world/world.ts";
import { addPhysical, type Period } from "./physical.ts";
import { Programme } from "./programme.ts";

const MINUTES_PER_HOUR = 60;
/** After the end of an episode, deliveries until then settle at spot. */
const MOST_SETTLED_MS = 7 * DAY_MS;

/**
 * The contracts that the terms are about, in the order of delivery: those of their products in the market now that deliver
 * tomorrow or later.
 */
export function contractsOf(world: World, { products }: Pick<TradingTerms, "products">): TradedContract[] {
  const timezone = world.definition.markets[0]?.timezone ?? "UTC";
  const today = localDateAt(world.now, timezone);
  const isLater = (time: number) => Temporal.PlainDate.compare(localDateAt(time, timezone), today) > 0;
  return world.contracts
    .filter(({ productId, deliveryStart }) => products.includes(productId) && isLater(deliveryStart))
    .toSorted((one, other) => one.deliveryStart - other.deliveryStart || (one.id < other.id ? -1 : 1));
}

export function periodOf(world: World, contract: TradedContract): Period {
  const { id, minutes } = contract;
  return { contractId: id, hours: minutes / MINUTES_PER_HOUR, value: world.valueOf(contract) / CENTS_PER_DOLLAR };
}

/** When deliveries of the contracts have settled, but not more than 7 days after `end`. */
export function settledAt(contracts: readonly TradedContract[], end: number): number {
  const ends = contracts.map(({ deliveryEnd }) => deliveryEnd).filter((time) => time <= end + MOST_SETTLED_MS);
  const hour = Math.ceil(Math.max(end, ...ends) / HOUR_MS) * HOUR_MS;
  return hour;
}

/** Dollars of an entity's trades, with what it holds at the value of each delivery now. Throws if there is no such entity. */
export function tradingProfit(world: World, entityId: string): number {
  const report = world.engine.positions(entityId);
  if (report === undefined) throw new RangeError(`the market has no entity ${entityId}`);
  const contracts = new Map(world.contracts.map((contract) => [contract.id, contract]));
  const open = report.positions.reduce((sum, { contractId, cash, netEnergy }) => {
    const contract = contracts.get(contractId);
    return contract === undefined ? sum : sum + cash + netEnergy * world.valueOf(contract) / CENTS_PER_DOLLAR;
  }, 0);
  return open + report.totals.settled.profit;
}

/** The same with duty, plant or battery, rounded to cents. `contracts`: those of the terms. */
export function resultOf(
  world: World,
  entityId: string,
  terms: TradingTerms,
  contracts: readonly TradedContract[],
): number {
  const held = new Map(
    world.engine.positions(entityId)?.positions.map(({ contractId, netQuantity }) => [contractId, netQuantity]),
  );
  const programme = new Programme();
  programme.constant(tradingProfit(world, entityId));
  const nets = contracts.map(({ id }) => ({ constant: held.get(id) ?? 0, terms: [] }));
  addPhysical(programme, terms, contracts.map((contract) => periodOf(world, contract)), nets);
  return hundredths(programme.maximum().worth);
}
