// The first orders of `mkt demo`, so that its books are not empty at the start. Every listed contract gets a few levels
// on each side of its expected spot price, from different entities. The orders rest: none crosses another.
//
// The engine treats them like all orders. They rest until they are traded or cancelled. The same market, seed and time
// give the same orders.

import {
  type ContractDefinition,
  contractsAt,
  type ProductDefinition,
} from "../../engine/definition/listed-contracts.ts";
import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import type { EngineRequest, Execution } from "../../engine/api/market-engine.ts";
import { BUY, type Side } from "../../protocol/sides.ts";
import { tradedContract } from "../personas/traded-contract.ts";
import { SeededRandom } from "../random/seeded-random.ts";
import { spotPricesOf } from "./spot-report.ts";
import type { SpotPrices } from "../spot/spot-prices.ts";
import { tradersByEntity } from "../population/traders.ts";

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
/** Size of an order, in lots. */
const MIN_ORDER = 5;
const MAX_ORDER = 50;

/** `now`: milliseconds since the epoch; decides which contracts are listed. */
export function placeInitialOrders(target: OrderTarget, seed: number, now: number): InitialOrders {
  const random = new SeededRandom(seed);
  // One trader of each entity. Operators watch the market and hold no positions, so they are left out.
  const users = [...tradersByEntity(target.definition.users).values()].flatMap(([first]) => first ?? []);
  const prices = spotPricesOf(target.definition, seed, now);
  const refused: string[] = [];
  let placed = 0;
  for (const contract of contractsAt(target.definition, now)) {
    for (const order of ordersOf(contract, target.definition, prices, users, random)) {
      const operationId = `opening-${seed}-${placed + refused.length + 1}`;
      const { response } = target.execute({ ...order, operationId, action: "order.submit" });
      if (response?.status === "ok") placed += 1;
      else refused.push(`${contract.id}: ${response?.message ?? "no answer"}`);
    }
  }
  return { placed, refused };
}

function* ordersOf(
  contract: ContractDefinition,
  definition: MarketDefinition,
  prices: SpotPrices,
  users: readonly string[],
  random: SeededRandom,
) {
  const product = definition.products.find(({ id }) => id === contract.productId);
  if (product === undefined || users.length === 0) return;
  const middle = expectedPriceOf(contract, product, prices);
  const noise = 1 + (random.next() - 0.5) * 0.04;
  const step = Math.max(product.tick, Math.round(Math.abs(middle) * 0.004));
  for (let level = 1; level <= LEVELS; level++) {
    for (const side of [0, 1] as const) {
      const distance = (level - 0.5) * step + random.integer(0, Math.floor(step / 4));
      const price = priceOn(product, side, middle * noise, distance);
      for (let count = random.integer(1, 3); count > 0; count--) {
        const quantity = lots(product, random.integer(MIN_ORDER, MAX_ORDER));
        const userId = users[random.integer(0, users.length - 1)];
        if (price === null || userId === undefined) continue;
        yield { userId, payload: { contractId: contract.id, side, price, quantity, timeInForce: "gtc" } };
      }
    }
  }
}

/** Cents/MWh. A node without spot prices uses those of the first node. */
export function expectedPriceOf(contract: ContractDefinition, product: ProductDefinition, prices: SpotPrices): number {
  const node = prices.nodes.includes(product.node) ? product.node : prices.nodes[0];
  const { shape, deliveryStart, deliveryEnd } = tradedContract(0, contract, product);
  return prices.expectedPrice(node, deliveryStart, deliveryEnd, shape);
}

/** A price at `distance` from the middle, rounded away from it to a tick; null if the product does not allow it. */
function priceOn(product: ProductDefinition, side: Side, middle: number, distance: number): number | null {
  const ticks = side === BUY
    ? Math.floor((middle - distance) / product.tick)
    : Math.ceil((middle + distance) / product.tick);
  const price = ticks * product.tick;
  return price >= product.minimumPrice && price <= product.maximumPrice ? price : null;
}

/** Lots in MW. A lot is a whole number of thousandths of a MW. */
function lots({ lot }: ProductDefinition, count: number): number {
  return Math.round(lot * 1000) * count / 1000;
}
