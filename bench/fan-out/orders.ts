// The orders of the load: limit orders around one price on a few contracts, from a fixed seed. Half of them trade.

import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../engine/definition/listed-contracts.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";

const CONTRACTS = 8;
/**
 * Up to peak hours of a month. Nothing is delivered during a bench, so with years every two companies would soon use credit for
 * more than 1,500,000,000 dollars, which is above 2^53 units and calculated in bigints.
 */
const MOST_HOURS = 400;

export interface OrderFlow {
  /** Users who see everything but the credit of other entities, one of each entity first. */
  readonly users: readonly string[];
  /** The next order, as the payload of order.submit. */
  readonly next: () => Record<string, unknown>;
}

export function orderFlow(seed: number): OrderFlow {
  const random = new SeededRandom(seed);
  const definition = builtInMarket();
  const listed = contractsAt(definition, Date.now()).filter(({ hours }) => hours <= MOST_HOURS);
  const contracts = listed.slice(-CONTRACTS).map(({ id }) => id);
  const traders = definition.users.filter(({ permissions }) =>
    permissions.includes("Order.Submit") && permissions.includes("Market.View")
  );
  const firsts = new Map(traders.toReversed().map((user) => [user.entityId, user.id]));
  const others = traders.map(({ id }) => id).filter((id) => ![...firsts.values()].includes(id));
  return {
    users: [...[...firsts.values()].toReversed(), ...others],
    next: () => ({
      contractId: contracts[random.integer(0, contracts.length - 1)],
      side: random.integer(0, 1),
      price: 5000 + random.integer(-50, 50) * 5,
      quantity: random.integer(1, 10) * 5,
      timeInForce: "gtc",
    }),
  };
}
