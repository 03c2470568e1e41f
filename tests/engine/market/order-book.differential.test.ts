// Runs random commands on the fast book and on the reference. Both must give the same trades and results, and be in the same
// state after every command. Each run has its own kind of book: few orders or hundreds; prices close together or far apart,
// or single prices very far away.

import { expect, test } from "bun:test";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { type AvailableCredit, matchAggressor, type OnTrade, sweep } from "../../../engine/market/matching.ts";
import { BUY, NO_SLOT, SELL, type Side } from "../../../engine/market/order-book.ts";
import { PartyIndexedBook } from "../../../engine/market/party-indexed-book.ts";
import { type LastSteps, SEED, withSeedInFailures } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { compareRun, difference, matchOnReference, tradedIn } from "./differential.ts";
import { ReferenceBook, type RestingOrder } from "./reference-book.ts";

const COMMANDS = size(15_000, 1_200_000);
const COMMANDS_A_RUN = 1_000;

type Command =
  | { kind: "submit"; id: number; side: Side; price: number; quantity: number; party: number; screened: boolean }
  | { kind: "rest"; id: number; side: Side; price: number; quantity: number; party: number }
  | { kind: "remove"; id: number }
  | { kind: "reduce"; id: number; quantity: number };

/** Parties 0 and 1 may not trade with each other, and no party with itself. */
const SCREEN: AvailableCredit = (resting, aggressor) =>
  resting === aggressor || resting + aggressor === 1 ? 0 : Infinity;

const PRICES: readonly ((random: SeededRandom) => number)[] = [
  (random) => random.integer(-8, 8),
  (random) => random.integer(-200, 200),
  (random) => random.integer(0, 3) * 1_000 - random.integer(0, 40),
  (random) => random.integer(-1_000_000, 1_000_000),
  (random) => random.integer(0, 9) > 0 ? random.integer(90, 110) : random.integer(-1, 1) * 2 ** random.integer(0, 50),
];

class CommandMaker {
  readonly #random: SeededRandom;
  readonly #price;
  readonly #greatestOrders;
  readonly #idSpan;
  readonly #ids: number[] = [];
  #closed = false;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
    this.#price = PRICES[seed % PRICES.length] ?? (() => 0);
    this.#greatestOrders = [6, 30, 30, 300][this.#random.integer(0, 3)] ?? 6;
    this.#idSpan = [100, 2 ** 31, 2 ** 53 - 1][this.#random.integer(0, 2)] ?? 100;
  }

  next(reference: ReferenceBook): Command {
    const random = this.#random;
    const { orderCount } = reference;
    // A full book empties to a third, so the space that it grew is used again.
    if (orderCount >= this.#greatestOrders) this.#closed = true;
    if (orderCount <= this.#greatestOrders / 3) this.#closed = false;
    const kind = random.integer(1, 10);
    if (kind <= (this.#closed ? 6 : 2)) return { kind: "remove", id: this.#knownId(reference) };
    if (kind <= (this.#closed ? 8 : 3)) {
      return { kind: "reduce", id: this.#knownId(reference), quantity: random.integer(1, 9) };
    }
    const id = random.integer(0, 50) === 0 ? this.#knownId(reference) : random.integer(-this.#idSpan, this.#idSpan);
    this.#ids.push(id);
    const side = random.next() < 0.5 ? BUY : SELL;
    const [price, quantity, party] = [this.#price(random), random.integer(1, 12), random.integer(0, 3)];
    const terms = { id, side, price, quantity, party };
    const screened = random.next() < 0.5;
    return kind <= 8 ? { kind: "submit", ...terms, screened } : { kind: "rest", ...terms };
  }

  /** Mostly the id of a resting order, else of a recent one. */
  #knownId(reference: ReferenceBook): number {
    const random = this.#random;
    const orders = reference.orders(random.next() < 0.5 ? BUY : SELL);
    const resting = orders[random.integer(0, orders.length - 1)];
    if (resting !== undefined && random.integer(0, 7) > 0) return resting.id;
    return this.#ids[random.integer(Math.max(0, this.#ids.length - 50), this.#ids.length - 1)] ?? 0;
  }
}

/** Matches an order. Returns four numbers for each trade: resting id, resting party, price, quantity. */
function matchOn(
  book: PartyIndexedBook | ReferenceBook,
  order: Omit<RestingOrder, "id">,
  isScreened: boolean,
): number[] {
  const trades: number[] = [];
  const onTrade: OnTrade = (...trade) => void trades.push(...trade);
  const { side, price, quantity, party } = order;
  if (book instanceof ReferenceBook) matchOnReference(book, order, 1, isScreened ? SCREEN : () => Infinity, onTrade);
  else if (isScreened) matchAggressor(book, side, price, quantity, party, 1, SCREEN, onTrade);
  else sweep(book, side, price, quantity, onTrade);
  return trades;
}

/** Runs a command, and returns all its results as numbers. */
function carryOut(book: PartyIndexedBook | ReferenceBook, command: Command, priority: number): number[] {
  if (command.kind === "remove") return [Number(book.remove(command.id))];
  const slot = book.slotOf(command.id);
  if (command.kind === "reduce") {
    if (slot === NO_SLOT) return [];
    book.reduce(command.id, Math.min(command.quantity, book.quantityOf(slot)));
    return [book.slotOf(command.id) === NO_SLOT ? 1 : 0];
  }
  if (slot !== NO_SLOT) return [];
  const trades = command.kind === "rest" ? [] : matchOn(book, { ...command, priority }, command.screened);
  const { id, side, price, quantity, party } = command;
  const remaining = quantity - tradedIn(trades);
  if (remaining > 0) book.add(id, side, price, remaining, party, priority);
  return trades;
}

/** Returns the number of trades. */
function run(seed: number, steps: LastSteps): number {
  const maker = new CommandMaker(seed);
  const book = new PartyIndexedBook();
  const reference = new ReferenceBook();
  return compareRun(
    steps,
    COMMANDS_A_RUN,
    () => maker.next(reference),
    (command, number) => [carryOut(book, command, number), carryOut(reference, command, number)],
    () => difference(book, reference),
  );
}

test(
  `${COMMANDS.toLocaleString("en-US")} random commands give the same trades and the same book, after each of them`,
  async () => {
    let trades = 0;
    for (let seed = SEED; seed < SEED + COMMANDS / COMMANDS_A_RUN; seed++) {
      trades += await withSeedInFailures((steps) => run(seed, steps), seed);
    }
    expect(trades).toBeGreaterThan(COMMANDS / 10);
  },
  300_000,
);
