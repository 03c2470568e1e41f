// The order flow of the engine's bench, from a seed: 55 % submits, of which 29 in 55 are marketable and trade if credit
// allows it, 35 % cancels and 10 % modifies, of which half lower the quantity and half move the price by a tick or two.
//
// The flow keeps the number of resting orders about constant: while there are too few, cancels come too late, for orders
// that are closed already. A marketable order takes at most a quarter of the best order of the other side, and has
// another owner.

import { BUY, opposite, SELL, type Side } from "../../engine/market/order-book.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { plainCredit } from "./market.ts";
import { type Operation, PlainMarket } from "./plain-market.ts";

const KINDS = ["rest", "trade", "cancel", "modify"] as const;
export type Kind = (typeof KINDS)[number];

const SHARES: readonly (readonly [Kind, number])[] = [["rest", 0.26], ["trade", 0.29], ["cancel", 0.35], [
  "modify",
  0.1,
]];
const FIRST_MID = 5_000;
const MID_MOVES = 1 / 32;
const MEAN_DISTANCE = 20;
const MAX_QUANTITY = 100;
/** Of the closed orders, those that a late cancel may name. */
const RECENTLY_CLOSED = 100;

interface SentOrder {
  readonly id: number;
  readonly party: number;
  readonly side: Side;
  price: number;
  /** MW, as ordered. */
  quantity: number;
}

export class Flow {
  /** What the engine must do with the operations. */
  readonly market: PlainMarket;
  readonly operations: Operation[] = [];
  readonly #random: SeededRandom;
  readonly #entities: number;
  readonly #resting: number;
  /** Resting orders, and some closed ones, which are moved when drawn. */
  readonly #live: SentOrder[] = [];
  readonly #closed: SentOrder[] = [];
  #ids = 0;
  #mid = FIRST_MID;

  /** Begins with `resting` orders. */
  constructor(entities: number, resting: number, seed: number) {
    this.#entities = entities;
    this.#resting = resting;
    this.#random = new SeededRandom(seed);
    this.market = new PlainMarket(plainCredit(entities));
    this.add(resting, "rest");
  }

  /** Adds operations of one kind. Returns where they begin. */
  add(count: number, kind: Kind): number {
    const from = this.operations.length;
    for (let made = 0; made < count; made++) this.#make(kind);
    return from;
  }

  /** Adds operations of all kinds. Returns where they begin. */
  addMixed(count: number): number {
    const from = this.operations.length;
    for (let made = 0; made < count; made++) this.#make(this.#kind());
    return from;
  }

  #kind(): Kind {
    let drawn = this.#random.next();
    for (const [kind, share] of SHARES) {
      drawn -= share;
      if (drawn < 0) return kind;
    }
    return "rest";
  }

  #make(kind: Kind): void {
    if (this.#random.next() < MID_MOVES) this.#mid += this.#random.next() < 0.5 ? -1 : 1;
    const operation = kind === "rest"
      ? this.#rest()
      : kind === "trade"
      ? this.#trade()
      : kind === "cancel"
      ? this.#cancel()
      : this.#modify();
    this.operations.push(operation);
    this.market.play(operation);
  }

  #rest(): Operation {
    const side = this.#side();
    const distance = 1 + Math.floor(Math.log(1 - this.#random.next()) / Math.log(1 - 1 / MEAN_DISTANCE));
    const price = side === BUY ? this.#mid - distance : this.#mid + distance;
    return this.#submit(this.#party(), side, this.#notCrossing(side, price), this.#random.integer(1, MAX_QUANTITY));
  }

  #trade(): Operation {
    const { book } = this.market;
    const side = this.#side();
    const best = book.first(opposite(side));
    if (best === 0) return this.#rest();
    const through = this.#random.integer(0, 3);
    const price = book.priceOf(best) + (side === BUY ? through : -through);
    const quarter = Math.ceil(book.quantityOf(best) / 4_000);
    return this.#submit(this.#party(book.partyOf(best)), side, price, this.#random.integer(1, quarter));
  }

  #cancel(): Operation {
    const isLate = this.market.book.orderCount < this.#resting && this.#closed.length > 0;
    if (isLate) {
      const { id, party } = this.#closed[this.#random.integer(0, this.#closed.length - 1)]!;
      return { kind: "cancel", id, party };
    }
    const at = this.#drawLive();
    if (at === null) return this.#rest();
    const { id, party } = this.#close(at);
    return { kind: "cancel", id, party };
  }

  #modify(): Operation {
    const { book } = this.market;
    const at = this.#drawLive();
    if (at === null) return this.#rest();
    const order = this.#live[at]!;
    const { id, party, side } = order;
    let remaining = book.quantityOf(book.slotOf(id)) / 1_000;
    const keepsPlace = remaining > 1 && this.#random.next() < 0.5;
    if (keepsPlace) {
      const less = this.#random.integer(1, Math.ceil(remaining / 4));
      remaining -= less;
      order.quantity -= less;
    } else {
      const away = order.price + (side === BUY ? -1 : 1);
      const moved = this.#notCrossing(side, order.price + (this.#random.next() < 0.5 ? -1 : 1));
      // The same price would be no change.
      order.price = moved === order.price ? away : moved;
    }
    return { kind: "modify", id, party, side, price: order.price, quantity: order.quantity, remaining, keepsPlace };
  }

  #submit(party: number, side: Side, price: number, quantity: number): Operation {
    const id = ++this.#ids;
    this.#live.push({ id, party, side, price, quantity });
    return { kind: "submit", id, party, side, price, quantity };
  }

  #side(): Side {
    return this.#random.next() < 0.5 ? BUY : SELL;
  }

  #party(other: number | null = null): number {
    const party = this.#random.integer(0, this.#entities - 1);
    return party === other ? (party + 1) % this.#entities : party;
  }

  /** The price, or the nearest one that does not reach the other side. */
  #notCrossing(side: Side, price: number): number {
    const best = this.market.book.bestPrice(opposite(side));
    if (best === null) return price;
    return side === BUY ? Math.min(price, best - 1) : Math.max(price, best + 1);
  }

  /** The place of a random resting order; null if there is none. */
  #drawLive(): number | null {
    while (this.#live.length > 0) {
      const at = this.#random.integer(0, this.#live.length - 1);
      if (this.market.book.slotOf(this.#live[at]!.id) !== 0) return at;
      this.#close(at);
    }
    return null;
  }

  /** Moves the order at this place to the closed ones. */
  #close(at: number): SentOrder {
    const order = this.#live[at]!;
    const last = this.#live.pop()!;
    if (order !== last) this.#live[at] = last;
    this.#closed.push(order);
    if (this.#closed.length > RECENTLY_CLOSED) this.#closed.shift();
    return order;
  }
}
