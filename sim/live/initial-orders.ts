// The first orders of `mkt demo`, so that its books are not empty at the start. Every contract that personas trade gets a few
// levels on each side of its best forecast, as market makers quote it: with the usual spread of its product and orders of a
// maker's size. All prices come from one forecast, so no contract is cheaper than the others that make up its delivery.
// Contracts that no persona trades stay without orders, because nobody would change them when the forecast moves. The orders
// are those of simulated companies.
//
// The engine treats them like all orders. They rest until they are traded or cancelled, in the demo by
// opening-withdrawal.ts. The same market, preset, seed and time give the same orders.

import { contractsAt } from "../../engine/definition/listed-contracts.ts";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import type { EngineRequest, Execution } from "../../engine/api/market-engine.ts";
import { megawattsOf } from "../../engine/market/units.ts";
import { DEFAULT_PRESET, type SimulationPreset } from "../../protocol/index.ts";
import { BUY, SELL, type Side } from "../../protocol/sides.ts";
import { presetExperiment } from "../experiment/read-experiment.ts";
import { Activity } from "../personas/activity.ts";
import { LiquidityProfile } from "../personas/liquidity-profile.ts";
import { usualHalfSpread } from "../personas/mandate.ts";
import { type TradedContract, tradedContract } from "../personas/traded-contract.ts";
import { entitiesOfOthers } from "../population/traders.ts";
import { SeededRandom } from "../random/seeded-random.ts";
import { spotNodes } from "../spot/market-spot.ts";
import { NodeCalendars } from "../spot/node-calendars.ts";
import { tradingUsers } from "./market-facts.ts";
import { OPENING_PREFIX } from "./opening-withdrawal.ts";
import { spotPricesOf } from "./spot-report.ts";

interface OrderTarget {
  readonly definition: MarketDefinition;
  execute(request: EngineRequest): Execution;
}

interface InitialOrders {
  readonly placed: number;
  /** The reason for each order that the engine refused; empty in the built-in market. */
  readonly refused: readonly string[];
}

const LEVELS = 5;
/** Between two levels, in half spreads. */
const LEVEL_DISTANCE = 0.4;
/** Mean size of an order, in lots. */
const USUAL_LOTS = 8;

/** `now`: milliseconds since the epoch; decides which contracts are listed. */
export function placeInitialOrders(
  target: OrderTarget,
  seed: number,
  now: number,
  preset: SimulationPreset = DEFAULT_PRESET,
): InitialOrders {
  const { definition } = target;
  const { halfSpread, contractsPerProduct } = presetExperiment(preset).trading;
  const random = new SeededRandom(seed).fork("initial orders");
  const ofOthers = new Set<string | null>(entitiesOfOthers(definition));
  const users = tradingUsers(definition).filter(({ entityId }) => !ofOthers.has(entityId)).map(({ id }) => id);
  const prices = spotPricesOf(definition, seed, now);
  const refused: string[] = [];
  let placed = 0;
  for (const contract of tradedAt(definition, now, contractsPerProduct)) {
    const { node, deliveryStart, deliveryEnd, shape } = contract;
    const value = prices.expectedPrice(node, deliveryStart, deliveryEnd, shape);
    for (const order of ordersAround(value, usualHalfSpread(contract, halfSpread, value), contract, random)) {
      const userId = users[random.integer(0, users.length - 1)];
      if (userId === undefined) break;
      const operationId = `${OPENING_PREFIX}${placed + refused.length + 1}`;
      const payload = { contractId: contract.id, timeInForce: "gtc", ...order };
      const { response } = target.execute({ userId, operationId, action: "order.submit", payload });
      if (response?.status === "ok") placed += 1;
      else refused.push(`${contract.id}: ${response?.message ?? "no answer"}`);
    }
  }
  return { placed, refused };
}

/** The contracts that personas trade. */
function tradedAt(
  definition: MarketDefinition,
  now: number,
  contractsPerProduct: number,
): readonly TradedContract[] {
  const nodes = spotNodes(definition);
  const profile = new LiquidityProfile(nodes, contractsPerProduct, new Activity(NodeCalendars.of(definition), nodes));
  for (const [index, listed] of contractsAt(definition, now).entries()) {
    const product = definition.products.find(({ id }) => id === listed.productId);
    if (product !== undefined) profile.add(tradedContract(index + 1, listed, product));
  }
  return profile.at(now);
}

function* ordersAround(value: number, halfSpread: number, contract: TradedContract, random: SeededRandom) {
  for (let level = 0; level < LEVELS; level++) {
    for (const side of [BUY, SELL]) {
      const price = priceOn(
        contract,
        side,
        value,
        halfSpread * (1 + LEVEL_DISTANCE * (level + random.next() / 2)),
        level,
      );
      const lots = Math.max(1, Math.round(USUAL_LOTS * random.exponential()));
      if (price !== null) yield { side, price, quantity: megawattsOf(lots * contract.lot) };
    }
  }
}

/**
 * A price at a distance from the value, rounded away from it to a tick, and `level` ticks farther, so that each level has a
 * price of its own; null if the product does not allow it.
 */
function priceOn(
  { tick, minimumPrice, maximumPrice }: TradedContract,
  side: Side,
  value: number,
  distance: number,
  level: number,
): number | null {
  const ticks = side === BUY
    ? Math.floor((value - distance) / tick) - level
    : Math.ceil((value + distance) / tick) + level;
  const price = ticks * tick;
  return price >= minimumPrice && price <= maximumPrice ? price : null;
}
