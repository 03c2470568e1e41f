// A trading desk of the simplest kind: what the baselines do with the tools. It knows its positions from its own orders.
//
// Quantities are MW, negative to sell; prices are cents/MWh.

import { z } from "zod";
import { type TradingTerms, tradingTerms } from "../scenario/trading-terms.ts";
import type { Seat, Value } from "./seat.ts";

interface Level {
  readonly price: number;
  readonly volume: number;
}

interface Book {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly lastPrice: number | null;
}

export interface DeskContract {
  readonly contractId: string;
  readonly hours: number;
  /** What its delivery is expected to settle at, as it was last read. */
  forecast: number;
}

interface WorkingOrder {
  readonly orderId: string;
  readonly contractId: string;
  readonly megawatts: number;
  readonly price: number;
  filled: number;
}

/** The ends of the range of prices that orders may have. */
export const ANY_PRICE = { buy: 500_000, sell: -50_000 } as const;

const brief = z.looseObject({
  terms: tradingTerms,
  contracts: z.array(z.looseObject({ contractId: z.string(), hours: z.number(), forecast: z.number() })),
  minutesLeft: z.number(),
  callsLeft: z.int(),
});
const order = z.looseObject({
  orderId: z.string().nullable(),
  orderDetails: z.looseObject({ filledQuantity: z.number() }).nullable(),
});
const level = z.looseObject({ price: z.number(), volume: z.number() });
const book = z.looseObject({ bids: z.array(level), asks: z.array(level), lastPrice: z.number().nullable() });
const waited = z.looseObject({ ended: z.string(), waitedSeconds: z.number() });

const SECONDS_PER_MINUTE = 60;
/** Less is the error of a sum of decimals. */
const LEAST_MINUTES = 1e-6;
/** Calls that a round may need for a contract: its book, two orders, and their ends. */
const CALLS_FOR_CONTRACT = 9;
const CALLS_FOR_END = 20;

export class Desk {
  minutesLeft: number;
  readonly #positions = new Map<string, number>();
  readonly #working = new Map<string, WorkingOrder>();

  #callsLeft: number;

  private constructor(
    private readonly seat: Seat,
    readonly terms: TradingTerms,
    readonly contracts: readonly DeskContract[],
    { minutesLeft, callsLeft }: { readonly minutesLeft: number; readonly callsLeft: number },
  ) {
    this.minutesLeft = minutesLeft;
    this.#callsLeft = callsLeft;
    for (const { contractId } of contracts) this.#positions.set(contractId, terms.position);
  }

  /** Connects, and reads the brief. */
  static async open(seat: Seat): Promise<Desk> {
    const { terms, contracts, ...left } = brief.parse(await seat.call("mkt_arena_brief"));
    const desk = new Desk(seat, terms, contracts, left);
    await desk.#call("mkt_connect_pubsub");
    return desk;
  }

  /** Also if so few calls are left that another round may not end. */
  get isOver(): boolean {
    return this.minutesLeft <= 0 || this.#callsLeft < CALLS_FOR_CONTRACT * this.contracts.length + CALLS_FOR_END;
  }

  positionIn(contractId: string): number {
    return this.#positions.get(contractId) ?? 0;
  }

  /** What may still be bought, or sold, without leaving the limits, if all working orders are filled. */
  roomIn(contractId: string): { readonly buy: number; readonly sell: number } {
    const net = this.positionIn(contractId);
    let [buying, selling] = [0, 0];
    for (const { contractId: id, megawatts, filled } of this.#working.values()) {
      if (id !== contractId) continue;
      if (megawatts > 0) buying += megawatts - filled;
      else selling += -megawatts - filled;
    }
    const { least, most, side } = this.terms;
    return {
      buy: side === "sell" ? 0 : Math.max(0, most - net - buying),
      sell: side === "buy" ? 0 : Math.max(0, net - selling - least),
    };
  }

  /** Asks for new forecasts of all contracts. */
  async readForecasts(): Promise<void> {
    const { contracts } = brief.parse(await this.#call("mkt_arena_brief"));
    for (const [at, { forecast }] of contracts.entries()) this.contracts[at]!.forecast = forecast;
  }

  async book(contractId: string): Promise<Book> {
    return book.parse(await this.#call("mkt_get_order_book", { contractId }));
  }

  /** Trades what is there at the limit or better, at once, and returns how much that was. */
  async take(contractId: string, megawatts: number, price: number): Promise<number> {
    const working = await this.rest(contractId, megawatts, price);
    if (working === null) return 0;
    await this.cancel(working);
    return Math.sign(megawatts) * working.filled;
  }

  /** Trades away what is held or owed, as far as there is somebody to trade with. */
  async flatten(contractId: string): Promise<void> {
    const net = this.positionIn(contractId);
    if (net !== 0) await this.take(contractId, -net, net > 0 ? ANY_PRICE.sell : ANY_PRICE.buy);
  }

  /** Leaves an order in the book. Null if it was refused. */
  async rest(contractId: string, megawatts: number, price: number): Promise<WorkingOrder | null> {
    const quantity = Math.abs(megawatts);
    if (quantity === 0) return null;
    const side = megawatts > 0 ? "BUY" : "SELL";
    const sent = await this.#call("mkt_create_test_order", { contractId, side, price, quantity });
    const { orderId, orderDetails } = order.parse(sent);
    if (orderId === null) return null;
    const working = { orderId, contractId, megawatts, price, filled: 0 };
    this.#working.set(orderId, working);
    this.#filled(working, orderDetails?.filledQuantity ?? 0);
    return working;
  }

  async cancel(working: WorkingOrder): Promise<void> {
    if (!this.#working.has(working.orderId)) return;
    await this.#call("mkt_cancel_order", { orderId: working.orderId });
    await this.#refresh(working);
    this.#working.delete(working.orderId);
  }

  /** Cancels everything that is open. */
  async cancelAll(): Promise<void> {
    for (const working of [...this.#working.values()]) await this.cancel(working);
  }

  /** Lets market time pass, and learns what was filled meanwhile. */
  async wait(minutes: number, until: readonly string[] = []): Promise<void> {
    const { ended, waitedSeconds } = waited.parse(
      await this.#call("mkt_arena_wait", { minutes: Math.min(minutes, this.minutesLeft), until }),
    );
    const left = this.minutesLeft - waitedSeconds / SECONDS_PER_MINUTE;
    this.minutesLeft = ended === "over" || left < LEAST_MINUTES ? 0 : left;
    for (const working of [...this.#working.values()]) await this.#refresh(working);
  }

  /** Cancels what is open, and ends the episode, unless it is over. */
  async submit(): Promise<void> {
    if (this.minutesLeft <= 0) return;
    await this.cancelAll();
    await this.#call("mkt_arena_submit");
  }

  async #call(tool: string, input?: Value): Promise<Value> {
    this.#callsLeft -= 1;
    return await this.seat.call(tool, input);
  }

  async #refresh(working: WorkingOrder): Promise<void> {
    const { filledQuantity } = z.looseObject({ filledQuantity: z.number() }).parse(
      await this.#call("mkt_get_order", { orderId: working.orderId }),
    );
    this.#filled(working, filledQuantity);
  }

  #filled(working: WorkingOrder, filled: number): void {
    const { contractId, megawatts, orderId } = working;
    const traded = Math.sign(megawatts) * (filled - working.filled);
    this.#positions.set(contractId, this.positionIn(contractId) + traded);
    working.filled = filled;
    if (filled === Math.abs(megawatts)) this.#working.delete(orderId);
  }
}
