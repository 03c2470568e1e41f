// Generates LOBSTER files from a simulated market with a known book, and the counts that a replay of them must give.
//
// Every order of the simulated book records whether a reader of the files can know its id: it was submitted inside the
// window of the row before, and every row since has shown its level.

import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { LobsterReport } from "../../../engine/replay/lobster-replay.ts";
import { NO_COUNTS } from "./lobster-run.ts";

export interface LobsterFlow {
  readonly messages: readonly string[];
  readonly rows: readonly string[];
  /** Rows with unknowable levels left empty: the expected --book-out. */
  readonly known: readonly string[];
  readonly report: LobsterReport;
}

export interface FlowOptions {
  readonly seed: number;
  readonly levels: number;
  readonly messages: number;
  /** Also give messages about orders outside the levels shown, which LOBSTER omits. */
  readonly withInvisible: boolean;
  /** Share of executions that meet another order of the best level than the first. */
  readonly elsewhere: number;
  /** Largest distance of orders from the middle: few ticks give a thin book with long queues. */
  readonly ticks: number;
}

interface Order {
  readonly id: number;
  readonly side: 0 | 1;
  readonly price: number;
  size: number;
  isNamed: boolean;
}

type Shown = readonly { readonly price: number; readonly size: number }[];

export function makeLobsterFlow(options: FlowOptions): LobsterFlow {
  const market = new SimulatedMarket(options);
  while (market.messages.length < options.messages) market.step();
  return market;
}

const EMPTY = [-9_999_999_999, 9_999_999_999] as const;

class SimulatedMarket implements LobsterFlow {
  readonly messages: string[] = [];
  readonly rows: string[] = [];
  readonly known: string[] = [];
  readonly report: LobsterReport = { ...NO_COUNTS };
  readonly #random;
  /** In the order of arrival. */
  readonly #orders: Order[] = [];
  /** The last row's levels on each side; null before the first row. */
  #shown: readonly [Shown, Shown] | null = null;
  #nextId = 1_000;
  #timeMs = 34_200_000;

  constructor(private readonly options: FlowOptions) {
    this.#random = new SeededRandom(options.seed);
  }

  step(): void {
    const kind = this.#random.next();
    if (kind < 0.5) this.#submit();
    else if (kind < 0.6) this.#cancelPart();
    else if (kind < 0.78) this.#cancel();
    else if (kind < 0.94) this.#execute();
    else this.#record(this.#quietMessage(), true);
  }

  #submit(): void {
    const side = this.#side();
    const opposite = this.#queue(side === 0 ? 1 : 0)[0]?.price;
    const middle = opposite ?? 0;
    // Not crossing the other side's best price, so that it rests; the middle of an empty market is 0.
    const distance = this.#random.integer(1, this.options.ticks);
    const price = side === 0 ? middle - distance : middle + distance;
    const order = { id: this.#nextId++, side, price, size: this.#random.integer(1, 9), isNamed: false };
    order.isNamed = this.#shown !== null && this.#isInside(side, price);
    this.#orders.push(order);
    this.#record(this.#message(1, order, order.size), this.#isVisible(order));
  }

  #cancelPart(): void {
    const order = this.#anyOrder();
    if (order === undefined || order.size === 1) return;
    const size = this.#random.integer(1, order.size - 1);
    order.size -= size;
    this.#record(this.#message(2, order, size), this.#isVisible(order));
  }

  #cancel(): void {
    const order = this.#anyOrder();
    if (order === undefined) return;
    const isVisible = this.#isVisible(order);
    this.#remove(order);
    this.#record(this.#message(3, order, order.size), isVisible);
  }

  /** An aggressor that may meet several orders: one message and one row for each. */
  #execute(): void {
    const side = this.#side();
    let left = this.#random.integer(1, 15);
    while (left > 0) {
      const queue = this.#queue(side);
      const level = queue.filter(({ price }) => price === queue[0]?.price);
      const at = this.#random.next() < this.options.elsewhere ? this.#random.integer(0, level.length - 1) : 0;
      const order = level[at];
      if (order === undefined) return;
      // A reader sees the anonymous orders of a level as one, ahead of the named ones.
      const picked = level.find(({ isNamed }) => !isNamed) ?? level[0];
      const size = Math.min(left, order.size);
      left -= size;
      order.size -= size;
      if (order.size === 0) this.#remove(order);
      if (this.rows.length > 0) {
        this.report.executions++;
        if (!order.isNamed) this.report.executionsAnonymous++;
        else if (order === picked) this.report.executionsAtHead++;
        else this.report.executionsElsewhere++;
      }
      this.#record(this.#message(4, order, size), true);
    }
  }

  #quietMessage(): string {
    const size = this.#random.integer(1, 9);
    const choices = [`5,0,${size},0,1`, `6,-1,${size},0,-1`, "7,0,0,-1,-1", "7,0,0,1,-1"];
    return choices[this.#random.integer(0, choices.length - 1)] ?? "";
  }

  #message(type: number, { id, price, side }: Order, size: number): string {
    return `${type},${id},${size},${price},${side === 0 ? 1 : -1}`;
  }

  #record(message: string, isVisible: boolean): void {
    if (!isVisible && !this.options.withInvisible) return;
    const row: [Shown, Shown] = [this.#levels(0), this.#levels(1)];
    const known: Shown[] = this.#shown === null
      ? row
      : ([0, 1] as const).map((side) => row[side].filter(({ price }) => this.#isInside(side, price)));
    if (this.#shown !== null) {
      for (const side of [0, 1] as const) {
        const count = known[side]?.length ?? 0;
        this.report.predictedLevels += count;
        this.report.matchedLevels += count;
        this.report.adoptedLevels += row[side].length - count;
      }
    }
    this.#timeMs += this.#random.integer(0, 500);
    this.messages.push(`${(this.#timeMs / 1_000).toFixed(9)},${message}`);
    this.rows.push(this.#format(row));
    this.known.push(this.#format(known));
    this.report.rows++;
    this.#shown = row;
    for (const order of this.#orders) order.isNamed &&= this.#isInside(order.side, order.price);
  }

  #format([bids = [], asks = []]: readonly Shown[]): string {
    const columns: number[] = [];
    for (let level = 0; level < this.options.levels; level++) {
      const [ask, bid] = [asks[level], bids[level]];
      columns.push(ask?.price ?? EMPTY[1], ask?.size ?? 0, bid?.price ?? EMPTY[0], bid?.size ?? 0);
    }
    return columns.join(",");
  }

  /** Inside the window of the last row. */
  #isInside(side: 0 | 1, price: number): boolean {
    const last = this.#shown?.[side][this.options.levels - 1];
    if (last === undefined) return true;
    return side === 0 ? price >= last.price : price <= last.price;
  }

  #isVisible({ side, price }: Order): boolean {
    return this.#levels(side).some((level) => level.price === price);
  }

  #levels(side: 0 | 1): Shown {
    const sizes = new Map<number, number>();
    for (const { price, size } of this.#queue(side)) sizes.set(price, (sizes.get(price) ?? 0) + size);
    return [...sizes].slice(0, this.options.levels).map(([price, size]) => ({ price, size }));
  }

  /** By price, then by arrival. */
  #queue(side: 0 | 1): Order[] {
    return this.#orders.filter((order) => order.side === side)
      .sort((a, b) => side === 0 ? b.price - a.price : a.price - b.price);
  }

  #remove(order: Order): void {
    this.#orders.splice(this.#orders.indexOf(order), 1);
  }

  #anyOrder(): Order | undefined {
    return this.#orders[this.#random.integer(0, this.#orders.length - 1)];
  }

  #side(): 0 | 1 {
    return this.#random.next() < 0.5 ? 0 : 1;
  }
}
