// Runs random commands on the fast book and on a plain reference: orders of many parties with scarce and changing credit. Both
// must give the same trades and results, and be in the same state after every command. The reference goes through every order
// that the aggressor crosses. After a change of credit it matches every crossed order of the parties concerned, oldest first,
// with all their older orders. Each run has its own kind of book: few orders or hundreds; prices close together or far apart,
// or single prices very far away.

import { expect, test } from "bun:test";
import { matchCrossed } from "../../../engine/market/crossed-matching.ts";
import { type AvailableCredit, matchAggressor, type OnTrade, sweep } from "../../../engine/market/matching.ts";
import { BUY, NO_SLOT, opposite, type OrderBook, SELL } from "../../../engine/market/order-book.ts";
import { PartyIndexedBook } from "../../../engine/market/party-indexed-book.ts";
import { type LastSteps, SEED, withSeedInFailures } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { type Command, CommandMaker, type Terms } from "./book-commands.ts";
import { difference, ReferenceBook, type RestingOrder } from "./reference-book.ts";

const RUNS = size(25, 2_500);
const COMMANDS_A_RUN = 1_000;
const NOTHING = { allowed: false, quantity: 0, notional: 0 };

/** Limits of quantity and of |price| x quantity between each two parties, and their usage. */
class Credit {
  readonly #terms = new Map<string, Terms>();
  readonly #used = new Map<string, { quantity: number; notional: number }>();

  change(one: number, other: number, terms: Terms): void {
    this.#terms.set(pairOf(one, other), terms);
  }

  readonly availableCredit: AvailableCredit = (resting, aggressor, price) => {
    const pair = pairOf(resting, aggressor);
    const terms = this.#terms.get(pair) ?? NOTHING;
    const used = this.#used.get(pair) ?? { quantity: 0, notional: 0 };
    const [quantity, notional] = [terms.quantity - used.quantity, terms.notional - used.notional];
    if (resting === aggressor || !terms.allowed || quantity <= 0 || notional <= 0) return 0;
    return price === 0 ? quantity : Math.min(quantity, Math.floor(notional / Math.abs(price)));
  };

  use(one: number, other: number, price: number, quantity: number): void {
    const used = this.#used.get(pairOf(one, other)) ?? { quantity: 0, notional: 0 };
    const notional = used.notional + Math.abs(price) * quantity;
    this.#used.set(pairOf(one, other), { quantity: used.quantity + quantity, notional });
  }
}

function pairOf(one: number, other: number): string {
  return `${Math.min(one, other)}:${Math.max(one, other)}`;
}

abstract class Market {
  abstract readonly book: OrderBook;
  readonly credit = new Credit();

  constructor(readonly lot: number) {}

  /** Matches an order. Returns four numbers for each trade: resting id, aggressor id, price, quantity. */
  protected abstract match(order: RestingOrder, isLimited: boolean): number[];

  /** Matches the crossed orders of parties, or of all. */
  protected abstract rematch(parties: ReadonlySet<number> | null): number[];

  /** Returns all results as numbers. */
  carryOut(command: Command): number[] {
    const { book, credit } = this;
    switch (command.kind) {
      case "submit":
      case "rest": {
        const { id, side, price, quantity, party, priority } = command.order;
        if (book.slotOf(id) !== NO_SLOT) return [];
        const trades = command.kind === "rest" ? [] : this.match(command.order, command.isLimited);
        const remaining = quantity - tradedIn(trades);
        if (remaining > 0) book.add(id, side, price, remaining, party, priority);
        return trades;
      }
      case "remove":
        return [Number(book.remove(command.id))];
      case "reduce": {
        const slot = book.slotOf(command.id);
        if (slot === NO_SLOT) return [];
        book.reduce(command.id, Math.min(command.quantity, book.quantityOf(slot)));
        return [Number(book.slotOf(command.id) === NO_SLOT)];
      }
      case "change":
        credit.change(...command.pair, command.terms);
        return this.rematch(new Set(command.pair));
      case "changeAll":
        for (let one = 0; one < command.parties; one++) {
          for (let other = 0; other < one; other++) credit.change(one, other, command.terms);
        }
        return this.rematch(null);
    }
  }
}

/** The sum of the traded quantities. */
function tradedIn(trades: readonly number[]): number {
  return trades.reduce((sum, number, at) => at % 4 === 3 ? sum + number : sum, 0);
}

class Fast extends Market {
  readonly book = new PartyIndexedBook();

  protected override match(order: RestingOrder, isLimited: boolean): number[] {
    const trades: number[] = [];
    if (isLimited) this.#matchOn(this.book, order, trades);
    else sweep(this.book, order.side, order.price, order.quantity, this.#onTrade(order, trades));
    return trades;
  }

  protected override rematch(parties: ReadonlySet<number> | null): number[] {
    const { book } = this;
    const trades: number[] = [];
    matchCrossed(book, parties, this.lot, this.credit.availableCredit, (id, older) => {
      const first = trades.length;
      const slot = book.slotOf(id);
      const terms = { side: book.sideOf(slot), price: book.priceOf(slot), quantity: book.quantityOf(slot) };
      const order = { id, ...terms, party: book.partyOf(slot), priority: book.priorityOf(slot) };
      const remaining = this.#matchOn(older, order, trades);
      for (let at = first; at < trades.length; at += 4) {
        book.reduce(trades[at]!, trades[at + 3]!);
        book.reduce(id, trades[at + 3]!);
      }
      return remaining;
    });
    return trades;
  }

  #matchOn(book: PartyIndexedBook, order: RestingOrder, trades: number[]): number {
    const { side, price, quantity, party } = order;
    const onTrade = this.#onTrade(order, trades);
    return matchAggressor(book, side, price, quantity, party, this.lot, this.credit.availableCredit, onTrade);
  }

  #onTrade({ id, party }: RestingOrder, trades: number[]): OnTrade {
    return (restingId, restingParty, price, traded) => {
      trades.push(restingId, id, price, traded);
      this.credit.use(restingParty, party, price, traded);
    };
  }
}

class Reference extends Market {
  readonly book = new ReferenceBook();

  protected override match(order: RestingOrder, isLimited: boolean): number[] {
    return this.#trade(order, isLimited ? this.credit.availableCredit : () => Infinity);
  }

  protected override rematch(parties: ReadonlySet<number> | null): number[] {
    const isMeant = (party: number) => parties === null || parties.has(party);
    const { availableCredit } = this.credit;
    const ofParties: AvailableCredit = (resting, aggressor, price) =>
      isMeant(resting) ? availableCredit(resting, aggressor, price) : 0;
    const orders = ([BUY, SELL] as const).flatMap((side) => this.book.orders(side))
      .sort((a, b) => a.priority - b.priority);
    return orders.filter(({ party }) => isMeant(party)).flatMap((order) => {
      if (order.quantity === 0) return [];
      const trades = this.#trade(order, ofParties);
      if (trades.length > 0) this.book.reduce(order.id, tradedIn(trades));
      return trades;
    });
  }

  /** Trades the order with each older one of the other side, in priority, as credit allows. */
  #trade({ id, side, price: limit, quantity, party, priority }: RestingOrder, credit: AvailableCredit): number[] {
    const trades: number[] = [];
    let left = quantity;
    for (const resting of [...this.book.orders(opposite(side))]) {
      const { price } = resting;
      if (resting.priority > priority || (side === BUY ? price > limit : price < limit)) continue;
      const possible = Math.min(left, resting.quantity, credit(resting.party, party, price));
      const traded = possible - possible % this.lot;
      if (traded <= 0) continue;
      left -= traded;
      this.book.reduce(resting.id, traded);
      trades.push(resting.id, id, price, traded);
      this.credit.use(resting.party, party, price, traded);
    }
    return trades;
  }
}

/** Returns the number of trades, of those after changes of credit, and whether the book was ever read party by party. */
function run(seed: number, steps: LastSteps) {
  const maker = new CommandMaker(seed, [1, 5, 1000][seed % 3]!);
  const [fast, reference] = [new Fast(maker.lot), new Reference(maker.lot)];
  let [trades, rematched] = [0, 0];
  for (let number = 1; number <= COMMANDS_A_RUN; number++) {
    const command = maker.next(reference.book);
    steps.add(command);
    const [outcome, expected] = [fast.carryOut(command), reference.carryOut(command)];
    trades += expected.length >> 2;
    if (command.kind.startsWith("change")) rematched += expected.length >> 2;
    const found = outcome.join() === expected.join()
      ? difference(fast.book, reference.book) ?? partyDifference(fast.book)
      : `${outcome} for ${expected}`;
    if (found !== null) throw new Error(`command ${number}: ${found}`);
  }
  return { trades, rematched, byParty: isByParty(fast.book) };
}

function isByParty(book: PartyIndexedBook): boolean {
  return Reflect.get(book, "books") !== null;
}

function partyDifference(book: PartyIndexedBook): string | null {
  if (!isByParty(book)) return null;
  const ofParties = [...book.byParty().values()].reduce((sum, { orderCount }) => sum + orderCount, 0);
  return ofParties === book.orderCount ? null : `${ofParties} orders of parties for ${book.orderCount}`;
}

test(`${RUNS} random runs give the trades and the book of the reference, after each command`, async () => {
  const results: ReturnType<typeof run>[] = [];
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    results.push(await withSeedInFailures((steps) => run(seed, steps), seed));
  }
  expect(results.reduce((sum, { trades }) => sum + trades, 0)).toBeGreaterThan(RUNS * 100);
  expect(results.reduce((sum, { rematched }) => sum + rematched, 0)).toBeGreaterThan(RUNS * 5);
  const byParty = results.filter(({ byParty }) => byParty).length;
  expect(byParty).toBeGreaterThan(RUNS / 4);
  expect(byParty).toBeLessThan(RUNS);
});
