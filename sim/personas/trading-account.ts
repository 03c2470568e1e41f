// A persona's positions with their average entry prices, and its cash, exact. In every market the positions of all
// accounts in a contract sum to zero, and so does their cash.
//
// Quantities are kW, prices cents/MWh. Cash is in cents/MWh x kW x min (`dollarsOf` in engine/market/units.ts).

import { differenceOf, type ExactInteger, productOf, sumOf } from "../../engine/market/exact-integer.ts";
import { BUY, type Side } from "../../engine/market/order-book.ts";
import { addToAccount, emptyAccount, type PositionAccount } from "../../engine/market/position-account.ts";
import type { Writable } from "../strategies/strategy.ts";
import type { TradedContract } from "./traded-contract.ts";

export interface Holding {
  readonly contract: TradedContract;
  /** Bought less sold. */
  readonly position: number;
  /** Average entry price; null without a position. */
  readonly averagePrice: number | null;
  /** What was bought and sold, for its results. */
  readonly traded: PositionAccount;
}

export class TradingAccount {
  readonly #holdings = new Map<number, Writable<Holding>>();
  #cash: ExactInteger = 0;
  #volume = 0;
  #trades = 0;

  /** Received less paid, including settled positions. */
  get cash(): ExactInteger {
    return this.#cash;
  }

  /** Bought plus sold. */
  get volume(): number {
    return this.#volume;
  }

  /** Number of fills. */
  get trades(): number {
    return this.#trades;
  }

  /** Every contract that was traded and is not settled yet, in the order of the first trade. */
  get holdings(): Iterable<Holding> {
    return this.#holdings.values();
  }

  position(contract: TradedContract): number {
    return this.#holdings.get(contract.index)?.position ?? 0;
  }

  /**
   * In kW: the mean over a contract's delivery of all positions that deliver at its node. Of the peak hours of several days the
   * position counts as spread evenly over the period.
   */
  positionOver({ node, deliveryStart, deliveryEnd, minutes }: TradedContract): number {
    let sum = 0;
    for (const { contract, position } of this.#holdings.values()) {
      if (contract.node !== node || position === 0) continue;
      const shared = Math.min(contract.deliveryEnd, deliveryEnd) - Math.max(contract.deliveryStart, deliveryStart);
      const share = Math.min(
        minutes / (deliveryEnd - deliveryStart),
        contract.minutes / (contract.deliveryEnd - contract.deliveryStart),
      );
      if (shared > 0) sum += position * shared * share;
    }
    return sum / minutes;
  }

  averagePrice(contract: TradedContract): number | null {
    return this.#holdings.get(contract.index)?.averagePrice ?? null;
  }

  /** Books a fill. */
  fill(contract: TradedContract, side: Side, price: number, quantity: number): void {
    const signed = side === BUY ? quantity : -quantity;
    this.#cash = differenceOf(this.#cash, valueOf(price, signed, contract));
    this.#volume += quantity;
    this.#trades += 1;
    let holding = this.#holdings.get(contract.index);
    if (holding === undefined) {
      this.#holdings.set(
        contract.index,
        holding = { contract, position: 0, averagePrice: null, traded: emptyAccount() },
      );
    }
    const position = holding.position + signed;
    holding.averagePrice = averagePriceAfter(holding, position, price, signed);
    holding.position = position;
    addToAccount(holding.traded, side, price, quantity, contract.minutes);
  }

  /** Turns a position into cash at a price in whole cents/MWh, and removes the holding. */
  settle(contract: TradedContract, price: () => number): void {
    const position = this.#holdings.get(contract.index)?.position ?? 0;
    if (position !== 0) this.#cash = sumOf(this.#cash, valueOf(price(), position, contract));
    this.#holdings.delete(contract.index);
  }

  /** Cash plus positions, each at its contract's price (whole cents/MWh), in the unit of cash. */
  profitAndLoss(priceOf: (contract: TradedContract) => number): ExactInteger {
    let sum = this.#cash;
    for (const { contract, position } of this.#holdings.values()) {
      if (position !== 0) sum = sumOf(sum, valueOf(priceOf(contract), position, contract));
    }
    return sum;
  }
}

/**
 * A growing position averages in the price, a shrinking one keeps its average, and one that changes sides starts anew.
 */
function averagePriceAfter(
  { position, averagePrice }: Holding,
  after: number,
  price: number,
  signed: number,
): number | null {
  if (after === 0) return null;
  if (position === 0 || averagePrice === null || Math.sign(after) !== Math.sign(position)) return price;
  if (Math.abs(after) < Math.abs(position)) return averagePrice;
  return (averagePrice * position + price * signed) / after;
}

/** The value of `quantity` kW, with its sign, at `price` cents/MWh. */
export function valueOf(price: number, quantity: number, { minutes }: TradedContract): ExactInteger {
  return productOf(productOf(quantity, minutes), price);
}
