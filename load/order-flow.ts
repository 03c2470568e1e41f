// Chooses what each connection sends next, from a seed.
//
// Half of the orders are priced through a reference price, up to two ticks, and the other half rest up to MAX_DISTANCE ticks
// away from it, so most orders can trade. The reference begins at the middle of the book and follows the prices of the run's
// own trades. Quantities are one to five lots.
//
// Cancels and changes name an order of the same connection that was open when it was last heard of, so some come too late.
// Without such an order a submit takes their place; with MAX_OPEN_ORDERS of them a cancel takes the place of a submit.

import { BUY, SELL } from "../protocol/sides.ts";
import {
  type ConfirmedOrder,
  type Operation,
  OPERATION_KINDS,
  type OperationKind,
  type Outcome,
  type TradedContract,
} from "./operation.ts";

/** Weights of the kinds; they need not add up to 100. */
export type Mix = Readonly<Record<OperationKind, number>>;

/** Of each connection. */
const MAX_OPEN_ORDERS = 100;
const MAX_DISTANCE = 10;
const THROUGH = 2;
const MAX_LOTS = 5;
/** Cents/MWh, for a contract without a book and without a trade. */
const USUAL_PRICE = 5_000;
/** The part of the way that the reference moves to the price of a trade. */
const FOLLOWING = 1 / 8;

interface OpenOrder {
  readonly id: string;
  readonly contract: Book;
  readonly price: number;
}

interface Book extends TradedContract {
  reference: number;
}

/** A sent operation with what its outcome is needed for. */
interface Sent {
  readonly operation: Operation;
  readonly order: Omit<OpenOrder, "id">;
}

export class OrderFlow {
  readonly #mix: Mix;
  readonly #books: readonly Book[];
  readonly #random: () => number;
  /** By connection; orders with a request under way are not in it. */
  readonly #open: readonly OpenOrder[][];

  /** `random`: from 0 to 1, without 1. */
  constructor(mix: Mix, contracts: readonly TradedContract[], connections: number, random: () => number) {
    this.#mix = mix;
    this.#books = contracts.map((contract) => ({ ...contract, reference: contract.referencePrice ?? USUAL_PRICE }));
    this.#random = random;
    this.#open = Array.from({ length: connections }, () => []);
  }

  next(connection: number): Sent {
    const open = this.#open[connection]!;
    const drawn = this.#kind();
    if (open.length === 0) return this.#submit();
    if (drawn === "submit" && open.length < MAX_OPEN_ORDERS) return this.#submit();
    const order = this.#take(open);
    return drawn === "modify" ? this.#modify(order) : cancelOf(order);
  }

  /** A cancel of an open order; null if the connection has none. For the end of the run. */
  nextCancel(connection: number): Sent | null {
    const order = this.#open[connection]!.pop();
    return order === undefined ? null : cancelOf(order);
  }

  settled(connection: number, { operation, order }: Sent, outcome: Outcome): void {
    if (outcome.kind === "confirmed") {
      this.#follow(order.contract, outcome.order);
      if (outcome.order.isOpen) this.#open[connection]!.push({ ...order, id: outcome.order.id });
      return;
    }
    // A cancel that was not carried out and not refused is tried again at the end.
    const isUncertain = outcome.kind === "unknown" || outcome.kind === "not_sent" || outcome.kind === "failed";
    const mayStillBeOpen = isUncertain || (outcome.kind === "refused" && !CLOSED_CODES.has(outcome.code));
    if (operation.kind !== "submit" && mayStillBeOpen) {
      this.#open[connection]!.push({ ...order, id: operation.orderId });
    }
  }

  /** Orders that were open when they were last heard of. */
  get openOrders(): number {
    return this.#open.reduce((sum, orders) => sum + orders.length, 0);
  }

  #kind(): OperationKind {
    const total = OPERATION_KINDS.reduce((sum, kind) => sum + this.#mix[kind], 0);
    let drawn = this.#random() * total;
    return OPERATION_KINDS.find((kind) => (drawn -= this.#mix[kind]) < 0) ?? "submit";
  }

  #submit(): Sent {
    const contract = this.#books[this.#integer(this.#books.length)]!;
    const side = this.#random() < 0.5 ? BUY : SELL;
    const distance = this.#random() < 0.5 ? -this.#integer(THROUGH + 1) : 1 + this.#integer(MAX_DISTANCE);
    const price = priceNear(contract, distance * (side === BUY ? -1 : 1));
    const lots = 1 + this.#integer(MAX_LOTS);
    // Lots of a fraction of a MW are multiplied in kW, which are whole numbers.
    const quantity = Math.round(contract.lot * 1000) * lots / 1000;
    return {
      operation: { kind: "submit", contractId: contract.id, side, price, quantity },
      order: { contract, price },
    };
  }

  #modify({ id, contract, price: before }: OpenOrder): Sent {
    const away = before <= contract.reference ? -1 : 1;
    const price = within(contract, before + away * contract.tick);
    return { operation: { kind: "modify", orderId: id, price }, order: { contract, price } };
  }

  #take(open: OpenOrder[]): OpenOrder {
    const at = this.#integer(open.length);
    const order = open[at]!;
    const last = open.pop()!;
    if (order !== last) open[at] = last;
    return order;
  }

  #follow(book: Book, { averagePrice }: ConfirmedOrder): void {
    if (averagePrice !== null) book.reference += (averagePrice - book.reference) * FOLLOWING;
  }

  #integer(below: number): number {
    return Math.floor(this.#random() * below);
  }
}

/** Refusals which say that the order is closed. */
const CLOSED_CODES: ReadonlySet<string> = new Set(["not_cancellable", "not_modifiable", "not_found"]);

function cancelOf({ id, contract, price }: OpenOrder): Sent {
  return { operation: { kind: "cancel", orderId: id }, order: { contract, price } };
}

/** A price this many ticks from the reference, within the contract's range. */
function priceNear(book: Book, ticks: number): number {
  return within(book, (Math.round(book.reference / book.tick) + ticks) * book.tick);
}

function within({ tick, minimumPrice, maximumPrice }: TradedContract, price: number): number {
  const [lowest, highest] = [Math.ceil(minimumPrice / tick) * tick, Math.floor(maximumPrice / tick) * tick];
  return Math.max(lowest, Math.min(highest, price));
}
