// The market of the benches: orders and books from fixed seeds. tests/bench checks that everything fits its
// schema.

import type { BookLevel, ModuleData, ModuleType, OrderStatus } from "../protocol/modules/registry.ts";
import type { StateMessage } from "../protocol/index.ts";
import type { Side } from "../protocol/sides.ts";
import { SeededRandom } from "../sim/random/seeded-random.ts";

export const SEED = 20_300_101;
const BEGAN = Date.parse("2030-01-01T00:00:00.000Z");
export const ENTITIES = 8;
const PRODUCT_CODES = ["BASE-NORTH", "BASE-SOUTH", "PEAK-NORTH", "PEAK-SOUTH"] as const;
export const ENGINES = 20;

/** In any number of orders, exactly FEW match both fields; many more match one of them. */
export const FEW = 20;
export const FEW_MATCH = { entityId: `entity-${ENTITIES}`, status: "held" } as const;

export const PRODUCT_CODE = PRODUCT_CODES[0];

export function isoTime(milliseconds: number): string {
  return new Date(BEGAN + milliseconds).toISOString();
}

const STATUSES: readonly OrderStatus[] = ["working", "working", "working", "partial", "filled", "cancelled", "held"];

/** `count` orders, oldest first; `count` is a multiple of FEW. */
export function makeOrders(count: number): ModuleData<"ORDER">[] {
  const random = new SeededRandom(SEED);
  return Array.from({ length: count }, (_, index) => {
    if (index % (count / FEW) === 0) return makeOrder(index, { ...FEW_MATCH, random });
    const entityId = `entity-${random.integer(1, ENTITIES)}`;
    const statuses = entityId === FEW_MATCH.entityId ? STATUSES.filter((status) => status !== "held") : STATUSES;
    return makeOrder(index, { entityId, status: pick(random, statuses), random });
  });
}

interface OrderDetails {
  readonly entityId: string;
  readonly status: OrderStatus;
  readonly random: SeededRandom;
}

export function makeOrder(index: number, { entityId, status, random }: OrderDetails): ModuleData<"ORDER"> {
  const side: Side = random.integer(0, 1) === 0 ? 0 : 1;
  const quantity = 5 * random.integer(2, 20);
  const filledQuantity = status === "filled" ? quantity : status === "partial" ? 5 : 0;
  const price = 5_000 + (side === 0 ? -1 : 1) * 5 * random.integer(1, 100);
  return {
    id: `order-${index}`,
    clientOrderId: `client-order-${index}`,
    ...locationOf(random.integer(0, ENGINES - 1)),
    entityId,
    userId: `${entityId}-trader`,
    side,
    timeInForce: "gtc",
    createdAt: isoTime(index),
    price,
    quantity,
    filledQuantity,
    remainingQuantity: status === "cancelled" ? 0 : quantity - filledQuantity,
    averagePrice: filledQuantity === 0 ? null : price,
    status,
    closeReason: status === "filled" || status === "cancelled" ? status : null,
    updatedAt: isoTime(index),
  };
}

/** The engines of all contracts, with the books of these orders, in the depth that the engine sends. */
export function makeEngines(orders: readonly ModuleData<"ORDER">[]): ModuleData<"ENGINE">[] {
  return Array.from({ length: ENGINES }, (_, number) => {
    const { engineId, ...location } = locationOf(number);
    const own = orders.filter((order) => order.engineId === engineId);
    const { bids, asks, totalWorkingOrders } = depthOf(own, 10);
    return {
      id: engineId,
      ...location,
      bids,
      asks,
      bestBid: bids[0]?.price ?? null,
      bestAsk: asks[0]?.price ?? null,
      lastPrice: null,
      totalWorkingOrders,
      heldOrders: own.filter(({ status }) => status === "held").length,
      tradedQuantity: 0,
      lastUpdate: isoTime(orders.length),
    };
  });
}

export function makeContracts(): ModuleData<"CONTRACT">[] {
  return Array.from({ length: ENGINES }, (_, number) => {
    const { contractId, engineId, productCode, marketId } = locationOf(number);
    return {
      id: contractId,
      productId: `product-${productCode}`,
      productCode,
      marketId,
      engineId,
      name: `${productCode} ${number}`,
      code: `${productCode}-${number}`,
      node: "NORTH",
      deliveryStart: isoTime(86_400_000 * (number + 1)),
      deliveryEnd: isoTime(86_400_000 * (number + 2)),
      hours: 24,
      lot: 5,
      tick: 5,
      minimumPrice: -50_000,
      maximumPrice: 500_000,
      status: "listed",
    };
  });
}

/** A book computed by a scan of all orders; best level first. */
export function depthOf(orders: Iterable<ModuleData<"ORDER">>, depth: number) {
  const sides: [Map<number, BookLevel>, Map<number, BookLevel>] = [new Map(), new Map()];
  let totalWorkingOrders = 0;
  for (const { status, side, price, remainingQuantity } of orders) {
    if (status !== "working" && status !== "partial") continue;
    totalWorkingOrders += 1;
    const level = sides[side].get(price) ?? { price, volume: 0, orderCount: 0 };
    level.volume += remainingQuantity;
    level.orderCount += 1;
    sides[side].set(price, level);
  }
  const bids = [...sides[0].values()].sort((a, b) => b.price - a.price).slice(0, depth);
  const asks = [...sides[1].values()].sort((a, b) => a.price - b.price).slice(0, depth);
  return { bids, asks, totalWorkingOrders };
}

export function stateMessage<Type extends ModuleType>(type: Type, state: ModuleData<Type>): StateMessage {
  return { statePath: `/${type}/${state.id}`, state };
}

export function locationOf(number: number) {
  return {
    engineId: `engine-${number}`,
    contractId: `contract-${number}`,
    productCode: cyclic(PRODUCT_CODES, number),
    marketId: "market-1",
  };
}

export function pick<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return cyclic(items, random.integer(0, items.length - 1));
}

/** Coprime to every size, so multiples of STRIDE visit all items in scattered order. */
export const STRIDE = 7919;

/** The item at a position, starting over at the end. */
export function cyclic<Item>(items: readonly Item[], turn: number): Item {
  const item = items[turn % items.length];
  if (item === undefined) throw new Error("no items");
  return item;
}
