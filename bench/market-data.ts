// The market of the benches: orders, books and events from fixed seeds. tests/bench checks that everything fits its
// schema.

import type { BookLevel, ModuleData, ModuleType, OrderStatus, Side } from "../protocol/modules/registry.ts";
import type { EventMessage, EventType, StateMessage } from "../protocol/index.ts";
import { SeededRandom } from "../sim/random/seeded-random.ts";

const SEED = 20_300_101;
const BEGAN = Date.parse("2030-01-01T00:00:00.000Z");
const ENTITIES = 8;
const PRODUCT_CODES = ["BASE-NORTH", "BASE-SOUTH", "PEAK-NORTH", "PEAK-SOUTH"] as const;
const ENGINES = 20;

/** In any number of orders, exactly FEW match both fields; many more match one of them. */
export const FEW = 20;
export const FEW_MATCH = { entityId: `entity-${ENTITIES}`, status: "held" } as const;

/** In any number of events, FEW are of this type. */
export const RARE_TYPE = "expire.order" satisfies EventType;
export const PRODUCT_CODE = PRODUCT_CODES[0];

/** Events are numbered from EPOCH + 1. */
export const EPOCH = 1_893_456_000_000_000;

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

/** `count` events, numbered from EPOCH + 1; `count` is a multiple of FEW. */
export function makeEvents(count: number): EventMessage[] {
  const random = new SeededRandom(SEED + 1);
  return Array.from({ length: count }, (_, index) => {
    const type = index % (count / FEW) === 0 ? RARE_TYPE : pick(random, EVENT_TYPES);
    return makeEvent(index, type, random);
  });
}

/** The mix of an active market: mostly books and orders. */
const EVENT_TYPES = [
  "change.book",
  "change.book",
  "change.book",
  "new.order",
  "new.order",
  "change.order",
  "cancel.order",
  "new.fill",
  "new.fill",
  "change.credit",
] as const satisfies readonly EventType[];

export function makeEvent(index: number, type: BenchEventType, random: SeededRandom): EventMessage {
  return {
    kind: "event",
    sequence: EPOCH + index + 1,
    type,
    time: isoTime(index),
    data: PAYLOADS[type](index, random),
  };
}

const orderPayload = (index: number, random: SeededRandom) =>
  makeOrder(index, { entityId: `entity-${random.integer(1, ENTITIES)}`, status: "working", random });

const PAYLOADS = {
  "new.order": orderPayload,
  "change.order": orderPayload,
  "cancel.order": orderPayload,
  "expire.order": orderPayload,
  "new.fill": (index, random): ModuleData<"FILL"> => ({
    id: `fill-${index}`,
    orderId: `order-${index}`,
    tradeId: `trade-${index}`,
    ...locationOf(random.integer(0, ENGINES - 1)),
    entityId: "entity-1",
    userId: "entity-1-trader",
    counterpartyId: "entity-2",
    side: 0,
    price: 5_000,
    quantity: 5,
    notional: 6_000,
    liquidity: "resting",
    time: isoTime(index),
  }),
  "change.book": (_index, random) => ({
    ...locationOf(random.integer(0, ENGINES - 1)),
    bids: [{ price: 4_995, volume: 5 * random.integer(1, 9), orderCount: 1 }],
    asks: [{ price: 5_005, volume: 5 * random.integer(1, 9), orderCount: 1 }],
    lastPrice: null,
    totalWorkingOrders: 2,
  }),
  "change.credit": () => ({
    entityId: "entity-1",
    counterpartyId: "entity-2",
    limitType: "notional",
    scope: "total",
    contractId: null,
    limit: 1_000_000,
    marginPercent: 100,
    userId: "entity-1-trader",
  }),
} satisfies Partial<Record<EventType, (index: number, random: SeededRandom) => Record<string, unknown>>>;

type BenchEventType = keyof typeof PAYLOADS;

function locationOf(number: number) {
  return {
    engineId: `engine-${number}`,
    contractId: `contract-${number}`,
    productCode: cyclic(PRODUCT_CODES, number),
    marketId: "market-1",
  };
}

function pick<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return cyclic(items, random.integer(0, items.length - 1));
}

/** Coprime to every size, so multiples of STRIDE visit all items in scattered order. */
export const STRIDE = 7919;

/** The item at a position, starting over at the end. */
export function cyclic<Item>(items: readonly Item[], turn: number): Item {
  const item = items[turn % items.length];
  if (item === undefined) throw new Error("there are no items");
  return item;
}
