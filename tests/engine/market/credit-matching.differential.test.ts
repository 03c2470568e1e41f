// Random orders of many parties with scarce and changing credit, on the fast book and on a plain reference. Both must have
// the same trades and the same book after every command. The reference goes through every order that the aggressor crosses.
// After a change of credit it matches every crossed order of the parties concerned, oldest first, with all older orders.

import { expect, test } from "bun:test";
import { matchCrossed } from "../../../engine/market/crossed-matching.ts";
import { type AvailableCredit, matchAggressor, type OnTrade } from "../../../engine/market/matching.ts";
import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { PartyIndexedBook } from "../../../engine/market/party-indexed-book.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { type LastSteps, SEED, withSeedInFailures } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { compareRun, difference, matchOnReference, tradedIn } from "./differential.ts";
import { ReferenceBook, type RestingOrder } from "./reference-book.ts";

const RUNS = size(15, 2_000);
const COMMANDS_A_RUN = 500;
const NOTHING = { allowed: false, quantity: 0, notional: 0 };

interface Terms {
  readonly allowed: boolean;
  readonly quantity: number;
  readonly notional: number;
}

type Command =
  | { kind: "submit"; order: RestingOrder }
  | { kind: "remove"; id: number }
  | { kind: "change"; pair: readonly [number, number]; terms: Terms }
  | { kind: "changeAll"; parties: number; terms: Terms };

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

/** Runs commands. Returns four numbers for each trade: resting id, aggressor id, price, quantity. */
class Fast {
  readonly book = new PartyIndexedBook();
  readonly credit = new Credit();
  readonly #orders = new Map<number, RestingOrder>();

  constructor(readonly lot: number) {}

  submit(order: RestingOrder): number[] {
    const trades: number[] = [];
    this.#orders.set(order.id, order);
    const remaining = this.#match(this.book, order, order.quantity, trades);
    if (remaining > 0) this.book.add(order.id, order.side, order.price, remaining, order.party, order.priority);
    return trades;
  }

  rematch(parties: ReadonlySet<number> | null): number[] {
    const trades: number[] = [];
    matchCrossed(this.book, parties, this.lot, this.credit.availableCredit, (id, older) => {
      const first = trades.length;
      const order = this.#orders.get(id)!;
      const remaining = this.#match(older, order, this.book.quantityOf(this.book.slotOf(id)), trades);
      for (let at = first; at < trades.length; at += 4) {
        this.book.reduce(trades[at]!, trades[at + 3]!);
        this.book.reduce(id, trades[at + 3]!);
      }
      return remaining;
    });
    return trades;
  }

  #match(book: PartyIndexedBook, { id, side, price, party }: RestingOrder, quantity: number, trades: number[]): number {
    const onTrade: OnTrade = (restingId, restingParty, tradePrice, traded) => {
      trades.push(restingId, id, tradePrice, traded);
      this.credit.use(restingParty, party, tradePrice, traded);
    };
    return matchAggressor(book, side, price, quantity, party, this.lot, this.credit.availableCredit, onTrade);
  }
}

class Reference {
  readonly book = new ReferenceBook();
  readonly credit = new Credit();

  constructor(readonly lot: number) {}

  submit(order: RestingOrder): number[] {
    const trades = this.#match(order);
    const remaining = order.quantity - tradedIn(trades);
    if (remaining > 0) this.book.add(order.id, order.side, order.price, remaining, order.party, order.priority);
    return trades;
  }

  rematch(parties: ReadonlySet<number> | null): number[] {
    const orders = ([BUY, SELL] as const).flatMap((side) => this.book.orders(side))
      .sort((a, b) => a.priority - b.priority);
    return orders.filter(({ party }) => parties === null || parties.has(party)).flatMap((order) => {
      if (order.quantity === 0) return [];
      const trades = this.#match(order);
      if (trades.length > 0) this.book.reduce(order.id, tradedIn(trades));
      return trades;
    });
  }

  #match(order: RestingOrder): number[] {
    const trades: number[] = [];
    matchOnReference(this.book, order, this.lot, this.credit.availableCredit, (restingId, party, price, traded) => {
      trades.push(restingId, order.id, price, traded);
      this.credit.use(party, order.party, price, traded);
    });
    return trades;
  }
}

const PRICES: readonly ((random: SeededRandom, side: Side) => number)[] = [
  (random) => random.integer(-12, 12),
  (random) => random.integer(1, 40),
  (random) => random.integer(-40, -1),
  // Almost all orders cross.
  (random, side) => random.integer(0, 30) * (side === BUY ? 1 : -1),
  (random) => random.integer(-30_000, 60_000),
];

class CommandMaker {
  readonly #random: SeededRandom;
  readonly #price;
  readonly #parties: number;
  readonly #greatestOrders: number;
  readonly #ids: number[] = [];
  #orders = 0;

  constructor(seed: number, readonly lot: number) {
    this.#random = new SeededRandom(seed);
    this.#price = PRICES[seed % PRICES.length]!;
    this.#parties = [2, 3, 6, 12][this.#random.integer(0, 3)]!;
    this.#greatestOrders = [20, 150, 300][this.#random.integer(0, 2)]!;
  }

  next(reference: ReferenceBook): Command {
    const random = this.#random;
    const kind = random.integer(1, 100);
    if (kind <= 6) return { kind: "change", pair: this.#pair(), terms: this.#terms() };
    if (kind === 7) return { kind: "changeAll", parties: this.#parties, terms: this.#terms() };
    const isFull = reference.orderCount >= this.#greatestOrders;
    if (kind <= (isFull ? 80 : 15)) {
      return { kind: "remove", id: this.#ids[random.integer(0, Math.max(0, this.#ids.length - 1))] ?? 0 };
    }
    const id = ++this.#orders;
    this.#ids.push(id);
    const side = random.next() < 0.5 ? BUY : SELL;
    const quantity = random.integer(1, 12) * this.lot;
    const party = random.integer(0, this.#parties - 1);
    return { kind: "submit", order: { id, side, price: this.#price(random, side), quantity, party, priority: id } };
  }

  #pair(): readonly [number, number] {
    const one = this.#random.integer(0, this.#parties - 1);
    return [one, (one + this.#random.integer(1, this.#parties - 1)) % this.#parties];
  }

  /** Credit decreases over a run, because usage is never released. */
  #terms(): Terms {
    const random = this.#random;
    return {
      allowed: random.integer(0, 3) > 0,
      quantity: random.integer(0, 2) === 0 ? Infinity : random.integer(0, 400) * this.lot,
      notional: random.integer(0, 3) === 0 ? Infinity : 10 ** random.integer(0, 6) * random.integer(0, 9),
    };
  }
}

function carryOut(market: Fast | Reference, command: Command): number[] {
  switch (command.kind) {
    case "submit":
      return market.submit(command.order);
    case "remove":
      market.book.remove(command.id);
      return [];
    case "change":
      market.credit.change(...command.pair, command.terms);
      return market.rematch(new Set(command.pair));
    case "changeAll":
      for (let one = 0; one < command.parties; one++) {
        for (let other = 0; other < one; other++) market.credit.change(one, other, command.terms);
      }
      return market.rematch(null);
  }
}

/** Returns the number of trades, and whether the book was ever read party by party. */
function run(seed: number, steps: LastSteps) {
  const lot = [1, 5, 1000][seed % 3]!;
  const maker = new CommandMaker(seed, lot);
  const fast = new Fast(lot);
  const reference = new Reference(lot);
  const trades = compareRun(
    steps,
    COMMANDS_A_RUN,
    () => maker.next(reference.book),
    (command) => [carryOut(fast, command), carryOut(reference, command)],
    () => difference(fast.book, reference.book) ?? partyDifference(fast.book),
  );
  return { trades, byParty: isByParty(fast.book) };
}

function isByParty(book: PartyIndexedBook): boolean {
  return Reflect.get(book, "books") !== null;
}

function partyDifference(book: PartyIndexedBook): string | null {
  if (!isByParty(book)) return null;
  const ofParties = [...book.byParty().values()].reduce((sum, { orderCount }) => sum + orderCount, 0);
  return ofParties === book.orderCount ? null : `${ofParties} orders of parties for ${book.orderCount}`;
}

test(`${RUNS} random runs with changing credit give the trades and the book of the reference`, async () => {
  const results: ReturnType<typeof run>[] = [];
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    results.push(await withSeedInFailures((steps) => run(seed, steps), seed));
  }
  expect(results.reduce((sum, { trades }) => sum + trades, 0)).toBeGreaterThan(RUNS * 50);
  expect(results.filter(({ byParty }) => byParty).length).toBeGreaterThan(RUNS / 4);
}, 600_000);
