// Plays recorded order flow into mkt's book and into nodejs-order-book, with the hashes of docs/replay.md as the
// outcome. Only the operations are timed. Trades are logged in arrays, and hashed afterwards together with the books.

import { OrderBook as PeerBook, Side as PeerSide } from "nodejs-order-book";
import { type AvailableCredit, matchAggressor, type OnTrade, sweep } from "../engine/market/matching.ts";
import { BUY, SELL } from "../engine/market/order-book.ts";
import { PartyIndexedBook } from "../engine/market/party-indexed-book.ts";
import { HASH_START, hashBook, hashWord } from "../engine/replay/book-hash.ts";
import { CANCEL, type Operations } from "../engine/replay/ops-file.ts";
import { type Clock, timed } from "./stopwatch.ts";

interface Outcome {
  readonly trades: number;
  readonly tradedQuantity: number;
  readonly liveOrders: number;
  readonly tradeHash: number;
  readonly levelHash: number;
  readonly orderHash: number;
}

export interface Played {
  readonly nanoseconds: number;
  readonly outcome: Outcome;
}

/** A separate book, into which operations are played once, in order. */
export interface Player {
  play(from: number, to: number): void;
  outcome(): Outcome;
}

/** Credit screening, and the party of each operation. */
export interface Screening {
  readonly parties: Uint8Array;
  readonly availableCredit: AvailableCredit;
  readonly addTrade: (one: number, other: number, price: number, quantity: number) => void;
}

/** Trades as consecutive words: resting id, aggressor id, price, quantity. */
class TradeLog {
  readonly #words: Float64Array;
  #length = 0;

  constructor(trades: number) {
    this.#words = new Float64Array(trades * 4);
  }

  push(restingId: number, aggressorId: number, price: number, quantity: number): void {
    const at = this.#length;
    this.#words[at] = restingId;
    this.#words[at + 1] = aggressorId;
    this.#words[at + 2] = price;
    this.#words[at + 3] = quantity;
    this.#length = at + 4;
  }

  outcome(liveOrders: number, hashes: { levelHash: number; orderHash: number }): Outcome {
    if (this.#length > this.#words.length) throw new Error("more trades than the log holds");
    const words = this.#words.subarray(0, this.#length);
    const tradedQuantity = words.reduce((sum, word, at) => at % 4 === 3 ? sum + word : sum, 0);
    return {
      trades: words.length / 4,
      tradedQuantity,
      liveOrders,
      tradeHash: words.reduce(hashWord, HASH_START),
      ...hashes,
    };
  }
}

/** A trade either fills its resting order or is its aggressor's last, so there are at most two trades an operation. */
function tradeLogFor({ count }: Operations): TradeLog {
  return new TradeLog(2 * count);
}

/** Plays the operations up to `to` into a new book, and times those from `from`. */
export function play(makePlayer: () => Player, from: number, to: number, clock: Clock): Played {
  const { nanoseconds, outcome } = timed(clock, () => {
    const player = makePlayer();
    player.play(0, from);
    return () => {
      player.play(from, to);
      return player;
    };
  });
  return { nanoseconds, outcome: outcome.outcome() };
}

export function mktPlayer(operations: Operations, screening: Screening | null): Player {
  const { op, side: sides, id: ids, price: prices, quantity: quantities } = operations;
  const book = new PartyIndexedBook();
  const log = tradeLogFor(operations);
  const availableCredit = screening === null ? null : screening.availableCredit;
  let aggressorId = 0;
  let party = 0;
  const onTrade: OnTrade = screening === null
    ? (restingId, _party, price, quantity) => log.push(restingId, aggressorId, price, quantity)
    : (restingId, restingParty, price, quantity) => {
      screening.addTrade(restingParty, party, price, quantity);
      log.push(restingId, aggressorId, price, quantity);
    };
  return {
    play: (from, to) => {
      for (let at = from; at < to; at++) {
        const id = ids[at]!;
        if (op[at] === CANCEL) {
          book.remove(id);
          continue;
        }
        const side = sides[at] === BUY ? BUY : SELL;
        const price = prices[at]!;
        aggressorId = id;
        if (screening !== null) party = screening.parties[at]!;
        const quantity = quantities[at]!;
        const remaining = availableCredit === null
          ? sweep(book, side, price, quantity, onTrade)
          : matchAggressor(book, side, price, quantity, party, 1, availableCredit, onTrade);
        if (remaining > 0) book.add(id, side, price, remaining, party, at);
      }
    },
    outcome: () => log.outcome(book.orderCount, hashBook(book)),
  };
}

export function peerPlayer(operations: Operations): Player {
  const { op, side: sides, price: prices, quantity: quantities } = operations;
  const log = tradeLogFor(operations);
  const book = new PeerBook();
  const ids = Array.from(operations.id, String);
  return {
    play: (from, to) => {
      for (let at = from; at < to; at++) {
        const id = ids[at]!;
        if (op[at] === CANCEL) {
          book.cancel(id);
          continue;
        }
        const side = sides[at] === BUY ? PeerSide.BUY : PeerSide.SELL;
        const { done, partial, ...result } = book.limit({ id, side, price: prices[at]!, size: quantities[at]! });
        if (result.err !== null) throw result.err;
        const aggressorId = operations.id[at]!;
        // `done` and `partial` also contain the aggressor, once it is filled or rests.
        for (const order of done) {
          if (order.id !== id && "price" in order) log.push(Number(order.id), aggressorId, order.price, order.size);
        }
        if (partial !== null && partial.id !== id) {
          log.push(Number(partial.id), aggressorId, partial.price, result.partialQuantityProcessed);
        }
      }
    },
    outcome: () => peerOutcome(log, book),
  };
}

function peerOutcome(log: TradeLog, book: PeerBook): Outcome {
  const { bids, asks } = book.snapshot();
  const volumes = new Map(book.depth().flat());
  let liveOrders = 0;
  let levelHash = HASH_START;
  let orderHash = HASH_START;
  const sides = [bids.toSorted((a, b) => b.price - a.price), asks.toSorted((a, b) => a.price - b.price)] as const;
  sides.forEach((levels, side) => {
    for (const { price, orders } of levels) {
      levelHash = [side, price, volumes.get(price) ?? NaN].reduce(hashWord, levelHash);
      for (const { id, size } of orders) orderHash = [side, price, Number(id), size].reduce(hashWord, orderHash);
      liveOrders += orders.length;
    }
  });
  return log.outcome(liveOrders, { levelHash, orderHash });
}
