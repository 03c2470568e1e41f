// The MARKET, PRODUCT, CONTRACT, ENGINE and QUEUE modules as clients see them: MW, cents/MWh, ISO times.
//
// Cost: O(levels shown) for a book, however many orders it has; O(ids shown) for a queue.

import { BOOK_DEPTH, type ModuleData } from "../../protocol/modules/registry.ts";
import { type BookDepthLevel, BUY, SELL } from "../market/order-book.ts";
import { megawattsOf } from "../market/units.ts";
import type { EngineState } from "../state/engine-state.ts";
import { type ContractState, type MarketState, marketStatusOf } from "../state/market-state.ts";
import { isoTime } from "../../common/iso-time.ts";

/** Limits the cost of each change of a long queue. */
const QUEUE_IDS_SHOWN = 100;

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
    engineId: contract.bookId,
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
    id: contract.bookId,
    contractId: contract.id,
    productCode: contract.product.code,
    marketId: contract.product.marketId,
    bids: book.depth(BUY, BOOK_DEPTH).map(levelShown),
    asks: book.depth(SELL, BOOK_DEPTH).map(levelShown),
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
    engineId: contract.bookId,
    contractId: contract.id,
    length: contract.heldOrders.size,
    orderIds,
    lastUpdate: isoTime(contract.queueUpdatedAt),
  };
}
