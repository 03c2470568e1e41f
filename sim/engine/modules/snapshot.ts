// Module data as clients see it, made from the engine's state: MW and dollars, ISO times. Reading changes nothing.
//
// Cost: a book costs with the levels shown, not with its orders; a queue with the ids shown.

import type { ModuleData, ModuleType } from "../../../protocol/modules/registry.ts";
import type { StateMessage } from "../../../protocol/index.ts";
import type { LimitUsage } from "../../market/credit-limit.ts";
import { type BookDepthLevel, BUY, SELL } from "../../market/order-book.ts";
import { dollarsOf, megawattHoursOf, megawattsOf, roundedNumber } from "../../market/units.ts";
import {
  type ContractState,
  type EngineState,
  type EntityState,
  type MarketState,
  marketStatusOf,
  type Order,
  pairNotes,
  remainingOf,
  required,
  type UserState,
} from "../state/engine-state.ts";

const DEPTH_LEVELS = 10;
/** So that a long queue does not make every held order costly. */
const QUEUE_IDS_SHOWN = 100;
const AVERAGE_PRICE_DECIMALS = 6;

export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

export function statePath(type: ModuleType, id: string): string {
  return `/${type}/${id}`;
}

/** The modules of each type. The compiler asks for those of a new type, so none is left out. */
const MODULES_OF: { readonly [type in ModuleType]: (state: EngineState, now: number) => Iterable<ModuleData<type>> } = {
  MARKET: ({ markets }, now) => markets.values().map((market) => marketModule(market, now)),
  PRODUCT: ({ products }) => products.values().map(productModule),
  CONTRACT: ({ contracts }) => contracts.values().map(contractModule),
  ENTITY: ({ parties }) => parties.values().map(entityModule),
  USER: ({ users }) => users.values().map(userModule),
  CREDIT: creditModules,
  ENGINE: ({ contracts }) => contracts.values().map(engineModule),
  QUEUE: ({ contracts }) => contracts.values().map(queueModule),
  ORDER: ({ orders }) => orders.values().map(orderModule),
  TRADE: ({ trades }) => trades.values(),
  FILL: ({ fills }) => fills.values(),
};

/** In the order in which modules are sent: parents before children. */
export const PUBLISHED_TYPES = Object.keys(MODULES_OF) as ModuleType[];

/** Every module, parents before children. */
export function* snapshotOf(state: EngineState, now: number): Generator<StateMessage, void, undefined> {
  for (const type of PUBLISHED_TYPES) {
    for (const module of MODULES_OF[type](state, now)) {
      yield { statePath: statePath(type, module.id), state: module };
    }
  }
}

function* creditModules(state: EngineState): Generator<ModuleData<"CREDIT">, void, undefined> {
  for (const entity of state.parties) {
    for (const counterparty of state.parties) {
      if (entity !== counterparty) yield creditModule(state, entity, counterparty);
    }
  }
}

export function marketModule(market: MarketState, now: number): ModuleData<"MARKET"> {
  const { id, name, code, timezone, nodes } = market.definition;
  const { session } = market;
  return {
    id,
    name,
    code,
    timezone,
    nodes,
    status: marketStatusOf(market),
    halted: market.halted,
    haltReason: market.haltReason,
    preopen: session && isoTime(session.preopen),
    open: session && isoTime(session.open),
    close: session && isoTime(session.close),
    currentTime: isoTime(now),
  };
}

export function productModule(product: EngineState["products"][number]): ModuleData<"PRODUCT"> {
  const { id, marketId, name, code, type, node, currency, lot, tick, minimumPrice, maximumPrice } = product;
  const contractSpecification = { lot, tick, minimumPrice, maximumPrice };
  return { id, marketId, name, code, type, node, currency, contractSpecification };
}

export function contractModule({ definition, product, ...contract }: ContractState): ModuleData<"CONTRACT"> {
  return {
    id: definition.id,
    productId: product.id,
    productCode: product.code,
    marketId: product.marketId,
    engineId: contract.engineId,
    name: definition.name,
    code: definition.code,
    node: product.node,
    deliveryStart: isoTime(contract.deliveryStart),
    deliveryEnd: isoTime(contract.deliveryEnd),
    hours: definition.hours,
    lot: product.lot,
    tick: product.tick,
    minimumPrice: product.minimumPrice,
    maximumPrice: product.maximumPrice,
    status: contract.expired ? "expired" : "listed",
  };
}

export function engineModule(contract: ContractState): ModuleData<"ENGINE"> {
  const { book } = contract;
  return {
    id: contract.engineId,
    contractId: contract.id,
    productCode: contract.product.code,
    marketId: contract.product.marketId,
    bids: book.depth(BUY, DEPTH_LEVELS).map(levelShown),
    asks: book.depth(SELL, DEPTH_LEVELS).map(levelShown),
    bestBid: book.bestPrice(BUY),
    bestAsk: book.bestPrice(SELL),
    lastPrice: contract.lastPrice,
    totalWorkingOrders: book.orderCount,
    heldOrders: contract.heldOrders.size,
    tradedQuantity: megawattsOf(contract.tradedQuantity),
    lastUpdate: isoTime(contract.bookUpdatedAt),
  };
}

function levelShown({ price, volume, orderCount }: BookDepthLevel): ModuleData<"ENGINE">["bids"][number] {
  return { price, volume: megawattsOf(volume), orderCount };
}

export function queueModule(contract: ContractState): ModuleData<"QUEUE"> {
  const orderIds: string[] = [];
  for (const { id } of contract.heldOrders.values()) {
    if (orderIds.push(id) === QUEUE_IDS_SHOWN) break;
  }
  return {
    id: contract.queueId,
    engineId: contract.engineId,
    contractId: contract.id,
    length: contract.heldOrders.size,
    orderIds,
    lastUpdate: isoTime(contract.queueUpdatedAt),
  };
}

export function orderModule(order: Order): ModuleData<"ORDER"> {
  const { contract } = order;
  return {
    id: order.id,
    clientOrderId: order.clientOrderId,
    engineId: contract.engineId,
    contractId: contract.id,
    productCode: contract.product.code,
    marketId: contract.product.marketId,
    entityId: order.entity.definition.id,
    userId: order.userId,
    side: order.side,
    timeInForce: order.timeInForce,
    createdAt: isoTime(order.createdAt),
    price: order.price,
    quantity: megawattsOf(order.quantity),
    filledQuantity: megawattsOf(order.filledQuantity),
    remainingQuantity: order.closeReason === null ? megawattsOf(remainingOf(order)) : 0,
    averagePrice: order.filledQuantity === 0
      ? null
      : roundedNumber(order.filledValue, BigInt(order.filledQuantity), AVERAGE_PRICE_DECIMALS),
    status: order.status,
    closeReason: order.closeReason,
    updatedAt: isoTime(order.updatedAt),
  };
}

export function entityModule({ definition, userIds, creditStatus }: EntityState): ModuleData<"ENTITY"> {
  const { id, name, code } = definition;
  return { id, name, code, userIds: [...userIds], creditStatus };
}

export function userModule(user: UserState): ModuleData<"USER"> {
  const { id, name, entityId, permissions, connected } = user;
  return { id, name, entityId, permissions: [...permissions], connected };
}

export function creditId(entity: EntityState, counterparty: EntityState): string {
  return `${entity.definition.id}:${counterparty.definition.id}`;
}

export function creditModule(
  state: EngineState,
  entity: EntityState,
  counterparty: EntityState,
): ModuleData<"CREDIT"> {
  const { ledger } = state;
  const { notes, updatedAt } = pairNotes(state, entity, counterparty);
  const usage = ledger.usage(entity.party, counterparty.party);
  return {
    id: creditId(entity, counterparty),
    entityId: entity.definition.id,
    counterpartyId: counterparty.definition.id,
    limits: ledger.limitUsage(entity.party, counterparty.party).map((limit) => limitShown(state, limit)),
    usedNotional: dollarsOf(usage.notional),
    usedMw: roundedNumber(usage.quantity, 1000n, 3),
    usedMwh: megawattHoursOf(usage.energy),
    documentation: ledger.documentation(entity.party, counterparty.party),
    counterpartyDocumentation: ledger.documentation(counterparty.party, entity.party),
    notes,
    updatedAt: isoTime(updatedAt),
  };
}

function limitShown(
  state: EngineState,
  { terms, used, available }: LimitUsage,
): ModuleData<"CREDIT">["limits"][number] {
  return {
    limitType: terms.limitType,
    scope: terms.contract === null ? "total" : "per_contract",
    contractId: terms.contract === null ? null : contractIdOf(state, terms.contract),
    limit: terms.limit,
    marginPercent: terms.marginPercent,
    used,
    available,
  };
}

function contractIdOf(state: EngineState, key: number): string {
  return required(state.contractList[key], "contract").id;
}
