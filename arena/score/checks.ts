// The states of a market that an operating scenario asks for at the end of an episode.

import { kilowattsOf } from "../../engine/market/units.ts";
import { SIDE } from "../../protocol/sides.ts";
import type { Truth } from "../incidents/truth.ts";
import type { Check } from "../scenario/operating-terms.ts";
import type { World } from "../world/world.ts";

interface EndedMarket {
  readonly world: World;
  readonly truth: Truth;
  /** The agent's. */
  readonly userId: string;
}

/** 1 if it is so, and 0 if it is not; null if it does not count. */
export function checkShare(check: Check, market: EndedMarket): number | null {
  switch (check.kind) {
    case "traded-with":
      return Number(hasTradedWith(check, market));
    case "no-open-orders": {
      const userId = market.truth.id(check.user);
      return userId === undefined ? null : Number(!ordersOf(market.world, userId).some(isOpen));
    }
    case "one-order":
      return Number(isTheOnlyOrder(check, market));
  }
}

type CheckOf<Kind extends Check["kind"]> = Extract<Check, { readonly kind: Kind }>;

function hasTradedWith({ order, other }: CheckOf<"traded-with">, { world, truth }: EndedMarket): boolean {
  const { orders } = world.engine.state;
  const [one, another] = [order, other].map((name) => orders.withId(truth.id(name) ?? ""));
  if (one === undefined || another === undefined) return false;
  const traded = one.trades.filter(({ buyOrder, sellOrder }) => buyOrder === another.key || sellOrder === another.key)
    .reduce((sum, { quantity }) => sum + quantity, 0);
  return traded === one.quantity;
}

/** Orders that were cancelled before they traded count as if they had never been. */
function isTheOnlyOrder(check: CheckOf<"one-order">, { world, userId }: EndedMarket): boolean {
  const [order, ...more] = ordersOf(world, userId).filter((each) => isOpen(each) || each.filledQuantity > 0);
  return order !== undefined && more.length === 0 && (isOpen(order) || order.closeReason === "filled") &&
    order.contract.product.id === check.product && order.side === SIDE[check.side] && order.price === check.price &&
    order.quantity === kilowattsOf(check.megawatts);
}

function ordersOf({ engine }: World, userId: string) {
  return [...engine.state.orders].filter((order) => order.userId === userId);
}

function isOpen({ closeReason }: { readonly closeReason: string | null }): boolean {
  return closeReason === null;
}
