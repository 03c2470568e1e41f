// What an agent is shown when it wakes up: an `observe` message from its account and orders, what has happened since, and the
// market.

import { isoTime } from "../../../common/iso-time.ts";
import { hundredths } from "../../../common/rounding.ts";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { NO_LEVEL } from "../../../engine/market/price-levels.ts";
import { dollarsOf, megawattsOf } from "../../../engine/market/units.ts";
import type { Simulation } from "../../headless/simulate.ts";
import type { TradedContract } from "../../personas/traded-contract.ts";
import type { SpotPrices } from "../../spot/spot-prices.ts";
import type { ObservedBook } from "../../tape/run-observer.ts";
import type { ContractTerms, Observe } from "./agent-messages.ts";
import { remainingOf, SIDE_NAMES } from "./agent-orders.ts";
import type { NotedFill, NotedTrade } from "./agent-news.ts";
import type { AgentTrader } from "./agent-trader.ts";

export function observationOf(trader: AgentTrader, { run, spot }: Pick<Simulation, "run" | "spot">): Observe {
  const { account, orders, view } = trader;
  const news = trader.takeNews();
  const held = [...account.holdings].filter(({ position }) => position !== 0);
  return {
    type: "observe",
    time: isoTime(run.time),
    reason: trader.reason,
    cash: dollarsOf(account.cash),
    profitAndLoss: dollarsOf(account.profitAndLoss((contract) => run.markPrice(contract))),
    positions: held.map(({ contract, position, averagePrice }) => ({
      contractId: contract.id,
      position: megawattsOf(position),
      averagePrice: averagePrice ?? 0,
    })),
    orders: [...orders.all].map((order) => ({
      orderId: String(order.reference),
      contractId: order.contract.id,
      side: SIDE_NAMES[order.side],
      price: order.price,
      quantity: megawattsOf(order.quantity),
      remainingQuantity: remainingOf(order),
    })),
    fills: news.fills.map(fillOf),
    closed: news.closed.map(String),
    books: run.contracts
      .filter((contract) => trader.watches(contract) && contract.deliveryStart > run.time)
      .map((contract) => ({
        contractId: contract.id,
        isOpen: view.isOpen(contract),
        lastPrice: run.book(contract).lastPrice,
        forecast: hundredths(trader.forecast(contract, run.time)),
        bids: levelsOf(run.bookOf(contract), BUY, trader.wishes.depth),
        asks: levelsOf(run.bookOf(contract), SELL, trader.wishes.depth),
      })),
    trades: news.trades.map(tradeOf),
    missedTrades: news.missedTrades,
    ...spotOf(spot),
    listed: news.listed.map(termsOf),
    delivered: news.delivered.map(({ id }) => id),
  };
}

function spotOf(spot: SpotPrices): Pick<Observe, "spot" | "events"> {
  return {
    spot: spot.nodes.map((node) => {
      const { priceCents, regime } = spot.current(node);
      return { node, price: priceCents, regime };
    }),
    events: spot.activeEvents.map(({ type, node, size, startTime }) => ({
      type,
      node,
      size,
      since: isoTime(startTime),
    })),
  };
}

function levelsOf(book: ObservedBook, side: Side, depth: number): Observe["books"][number]["bids"] {
  const levels = [];
  let level = book.bestLevel(side);
  for (let count = 0; count < depth && level !== NO_LEVEL; count++) {
    const quantity = megawattsOf(book.volumeOfLevel(level));
    levels.push({ price: book.priceOfLevel(level), quantity, orders: book.orderCountOfLevel(level) });
    level = book.nextLevel(level);
  }
  return levels;
}

function fillOf({ time, order, price, quantity }: NotedFill): Observe["fills"][number] {
  return {
    time: isoTime(time),
    orderId: String(order.reference),
    contractId: order.contract.id,
    side: SIDE_NAMES[order.side],
    price,
    quantity: megawattsOf(quantity),
  };
}

function tradeOf({ time, contract, price, quantity, aggressorSide }: NotedTrade): Observe["trades"][number] {
  return {
    time: isoTime(time),
    contractId: contract.id,
    price,
    quantity: megawattsOf(quantity),
    aggressorSide: SIDE_NAMES[aggressorSide],
  };
}

export function termsOf(contract: TradedContract): ContractTerms {
  return {
    contractId: contract.id,
    productId: contract.productId,
    node: contract.node,
    type: contract.type,
    shape: contract.shape,
    deliveryStart: isoTime(contract.deliveryStart),
    deliveryEnd: isoTime(contract.deliveryEnd),
    hours: contract.minutes / 60,
    lot: megawattsOf(contract.lot),
    tick: contract.tick,
    minimumPrice: contract.minimumPrice,
    maximumPrice: contract.maximumPrice,
  };
}
