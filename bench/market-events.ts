// The events of the benches' market, from fixed seeds. tests/bench checks that every payload fits its schema.

import type { EventMessage, EventType } from "../protocol/index.ts";
import type { ModuleData } from "../protocol/modules/registry.ts";
import { SeededRandom } from "../sim/random/seeded-random.ts";
import { ENGINES, ENTITIES, FEW, isoTime, locationOf, makeOrder, pick, SEED } from "./market-data.ts";

/** In any number of events, FEW are of this type. */
export const RARE_TYPE = "expire.order" satisfies EventType;

/** Events are numbered from EPOCH + 1. */
export const EPOCH = 1_893_456_000_000_000;

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
    bestBid: 4_995,
    bestAsk: 5_005,
    lastPrice: null,
    totalWorkingOrders: 2,
    heldOrders: 0,
    tradedQuantity: 0,
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
