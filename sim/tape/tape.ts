// The rows of a run, for the tables of a tape. Prices are cents/MWh, quantities MW, cash dollars (docs/tape.md).
//
// The top of each book is kept from its last row, so a row of quotes is written only if it changes.
//
// Memory: the last top of each contract that is not in delivery yet.

import { hundredths } from "../../common/rounding.ts";
import { BUY, SELL, type Side } from "../../engine/market/order-book.ts";
import { NO_LEVEL } from "../../engine/market/price-levels.ts";
import { dollarsOf, megawattsOf } from "../../engine/market/units.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import type { Persona } from "../personas/persona.ts";
import type { TradedContract } from "../personas/traded-contract.ts";
import type { SpotEvent, SpotPoint } from "../spot/spot-prices.ts";
import type { Named, ObservedBook, ObservedMarket, ObservedOrder, OrderAction, RunObserver } from "./run-observer.ts";
import { ResultRows } from "./result-rows.ts";
import type { TapeRows } from "./tables.ts";

/** Null and 0 if the side is empty. Volumes are kW. */
interface Top {
  bestBid: number | null;
  bidVolume: number;
  bestAsk: number | null;
  askVolume: number;
}

const DEPTH_LEVELS = 10;
const SIDES = ["BUY", "SELL"] as const;

export class Tape implements RunObserver {
  /** By the contract's index. */
  readonly #tops = new Map<number, Top>();
  readonly #results: ResultRows;

  constructor(private readonly rows: TapeRows) {
    this.#results = new ResultRows(rows);
  }

  onOrder(time: number, action: OrderAction, order: ObservedOrder, contract: TradedContract, { id }: Named): void {
    const { key, side, price, quantity } = order;
    const row = [time, action, key, contract.id, SIDES[side], price, megawattsOf(quantity), id];
    this.rows.append("orders", time, row);
  }

  onTrade(
    time: number,
    { id }: TradedContract,
    price: number,
    quantity: number,
    aggressorSide: Side,
    buyer: Named,
    seller: Named,
  ): void {
    const row = [time, id, price, megawattsOf(quantity), SIDES[aggressorSide], buyer.id, seller.id];
    this.rows.append("trades", time, row);
  }

  onBook(time: number, { index, id }: TradedContract, book: ObservedBook): void {
    const [bid, ask] = [book.bestLevel(BUY), book.bestLevel(SELL)];
    const bestBid = priceOf(book, bid);
    const bestAsk = priceOf(book, ask);
    const bidVolume = bestBid === null ? 0 : book.volumeOfLevel(bid);
    const askVolume = bestAsk === null ? 0 : book.volumeOfLevel(ask);
    let top = this.#tops.get(index);
    if (top === undefined) {
      this.#tops.set(index, top = { bestBid: null, bidVolume: 0, bestAsk: null, askVolume: 0 });
    }
    if (
      top.bestBid === bestBid && top.bidVolume === bidVolume && top.bestAsk === bestAsk && top.askVolume === askVolume
    ) return;
    top.bestBid = bestBid;
    top.bidVolume = bidVolume;
    top.bestAsk = bestAsk;
    top.askVolume = askVolume;
    const [bidMegawatts, askMegawatts] = [volumeOrNull(bidVolume), volumeOrNull(askVolume)];
    this.rows.append("quotes", time, [time, id, bestBid, bidMegawatts, bestAsk, askMegawatts]);
  }

  onDelivery({ index }: TradedContract): void {
    this.#tops.delete(index);
  }

  onRemoval(market: ObservedMarket, contract: TradedContract): void {
    this.#results.atRemoval(market, contract);
  }

  onEnd(market: ObservedMarket): void {
    this.#results.atEnd(market);
  }

  onEvent({ type, node, size, startTime, endTime }: SpotEvent): void {
    this.rows.append("events", startTime, [startTime, type, node, size, endTime]);
  }

  onSpot(points: readonly SpotPoint[]): void {
    for (const { time, node, priceCents, regime } of points) {
      this.rows.append("spot", time, [time, node, priceCents, regime]);
    }
  }

  onPoint(market: ObservedMarket): void {
    const { time } = market;
    this.#results.atPoint(market);
    for (const contract of market.tradedNow) {
      const book = market.bookOf(contract);
      this.#writeDepth(time, contract, book, BUY);
      this.#writeDepth(time, contract, book, SELL);
      this.rows.append("forecasts", time, [time, contract.id, "best", hundredths(market.bestForecast(contract))]);
    }
    if (time % HOUR_MS !== 0) return;
    for (const persona of market.personas) {
      this.#writePositions(time, persona);
      for (const contract of market.tradedNow) {
        const price = hundredths(persona.forecast(contract, time));
        this.rows.append("forecasts", time, [time, contract.id, persona.id, price]);
      }
    }
  }

  #writeDepth(time: number, { id }: TradedContract, book: ObservedBook, side: Side): void {
    let level = book.bestLevel(side);
    for (let number = 1; number <= DEPTH_LEVELS && priceOf(book, level) !== null; number++) {
      const volume = megawattsOf(book.volumeOfLevel(level));
      const row = [time, id, SIDES[side], number, priceOf(book, level), volume, book.orderCountOfLevel(level)];
      this.rows.append("depth", time, row);
      level = book.nextLevel(level);
    }
  }

  /** A row for each position; a persona without positions has a row with its cash alone. */
  #writePositions(time: number, { id, account }: Persona): void {
    const cash = dollarsOf(account.cash);
    let count = 0;
    for (const { contract, position } of account.holdings) {
      if (position === 0) continue;
      this.rows.append("positions", time, [time, id, contract.id, megawattsOf(position), cash]);
      count += 1;
    }
    if (count === 0) this.rows.append("positions", time, [time, id, null, null, cash]);
  }
}

/** Null for no level. */
function priceOf(book: ObservedBook, level: number): number | null {
  return level === NO_LEVEL ? null : book.priceOfLevel(level);
}

function volumeOrNull(kilowatts: number): number | null {
  return kilowatts === 0 ? null : megawattsOf(kilowatts);
}
