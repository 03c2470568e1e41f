// The open orders, and each user's exposure: the number of open orders, their notional at their limit prices, and for each
// contract the net position and what the open orders could add to it on either side. Every order and fill updates these
// sums. So a bound is checked in O(1), and a net position stays exact after old orders and fills are forgotten or flushed.
//
// Invariants: the open parts are the sums over the user's open orders; `net` is the sum over all fills of the user's orders
// of the contract, buys positive. A net position of 0 without open orders is not kept. A position is removed with its
// contract.

import { differenceOf, type ExactInteger, sumOf } from "../../market/exact-integer.ts";
import { invariant } from "../../market/invariant.ts";
import { BUY, SELL, slotsOf } from "../../market/order-book.ts";
import { energyOf, notionalOf } from "../../market/units.ts";
import { type ContractState, type Order, remainingOf, type UserPosition } from "./market-state.ts";
import { OrderTable } from "./order-table.ts";
import { required } from "./required.ts";

/** The open orders of one user. */
export interface UserExposure {
  openOrders: number;
  /** Sum of |limit price| x remaining energy, in cents/MWh x kW x min. */
  openNotional: ExactInteger;
}

const NO_EXPOSURE: Readonly<UserExposure> = { openOrders: 0, openNotional: 0 };
const NO_POSITION: Readonly<UserPosition> = { net: 0, open: [0, 0] };

export class OpenOrders {
  readonly #orders = new OrderTable();
  /** By user. A user without open orders has no entry. */
  readonly #exposures = new Map<string, UserExposure>();

  get size(): number {
    return this.#orders.size;
  }

  get(key: number): Order | undefined {
    return this.#orders.get(key);
  }

  [Symbol.iterator](): Iterator<Order> {
    return this.#orders.values();
  }

  /** The open orders of a contract, in the order of their acceptance. */
  of({ book, heldOrders }: ContractState): Order[] {
    const resting = [...slotsOf(book, BUY), ...slotsOf(book, SELL)]
      .map((slot) => required(this.get(book.idOf(slot)), "resting order"));
    return [...resting, ...heldOrders.values()].sort((a, b) => a.key - b.key);
  }

  exposureOf(userId: string): Readonly<UserExposure> {
    return this.#exposures.get(userId) ?? NO_EXPOSURE;
  }

  add(order: Order): void {
    this.#orders.add(order);
    this.#count(order, 1);
  }

  /** Removes an order that has been filled or cancelled. */
  remove(order: Order): void {
    invariant(this.#orders.delete(order.key), "only an open order is closed");
    this.#count(order, -1);
  }

  /** Gives an open order another price and quantity (kW). */
  changeTerms(order: Order, price: number, quantity: number): void {
    const exposure = this.#exposureFor(order);
    const before = remainingOf(order);
    const others = differenceOf(exposure.openNotional, openNotionalOf(order, before));
    order.price = price;
    order.quantity = quantity;
    const remaining = remainingOf(order);
    exposure.openNotional = sumOf(others, openNotionalOf(order, remaining));
    if (remaining !== before) addToPosition(order, 0, remaining - before);
  }

  /** Counts a fill of `quantity` kW; the caller then adds it to the order's filled quantity. */
  fill(order: Order, quantity: number): void {
    const exposure = this.#exposureFor(order);
    exposure.openNotional = differenceOf(exposure.openNotional, openNotionalOf(order, quantity));
    addToPosition(order, order.side === BUY ? quantity : -quantity, -quantity);
  }

  #count(order: Order, sign: 1 | -1): void {
    const remaining = remainingOf(order);
    const exposure = this.#exposureFor(order);
    exposure.openOrders += sign;
    const notional = openNotionalOf(order, remaining);
    exposure.openNotional = sign === 1
      ? sumOf(exposure.openNotional, notional)
      : differenceOf(exposure.openNotional, notional);
    invariant(exposure.openOrders >= 0 && exposure.openNotional >= 0, "open orders and their notional are at least 0");
    if (exposure.openOrders === 0) this.#exposures.delete(order.userId);
    addToPosition(order, 0, sign * remaining);
  }

  #exposureFor({ userId }: Order): UserExposure {
    const known = this.#exposures.get(userId);
    if (known !== undefined) return known;
    const exposure = { ...NO_EXPOSURE };
    this.#exposures.set(userId, exposure);
    return exposure;
  }
}

/** The notional of an order's remaining quantity (kW) at its limit price, in cents/MWh x kW x min. */
export function openNotionalOf(order: Pick<Order, "price" | "contract">, remaining: number): ExactInteger {
  return notionalOf(order.price, energyOf(remaining, order.contract.minutes));
}

export function userPositionOf({ userPositions }: ContractState, userId: string): Readonly<UserPosition> {
  return userPositions.get(userId) ?? NO_POSITION;
}

/** Restores a net position, in kW. */
export function restoreUserPosition(contract: ContractState, userId: string, net: number): void {
  positionFor(contract, userId).net = net;
}

function positionFor({ userPositions }: ContractState, userId: string): UserPosition {
  const known = userPositions.get(userId);
  if (known !== undefined) return known;
  const position: UserPosition = { net: 0, open: [0, 0] };
  userPositions.set(userId, position);
  return position;
}

function addToPosition({ contract, userId, side }: Order, net: number, open: number): void {
  const position = positionFor(contract, userId);
  position.net += net;
  position.open[side] += open;
  const { open: [buy, sell] } = position;
  if (position.net === 0 && buy === 0 && sell === 0) contract.userPositions.delete(userId);
}
