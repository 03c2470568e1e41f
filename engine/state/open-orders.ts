// The open orders, and each user's exposure: the number of open orders, their notional at their limit prices, and for each
// contract the net position and what the open orders could add to it on either side. Every order and fill updates these
// sums. So a bound is checked in O(1), and a net position stays exact after old orders and fills are forgotten or flushed.
//
// Invariants: the open parts are the sums over the user's open orders; `net` is the sum over all fills of the user's orders
// of the contract, buys positive. A net position of 0 without open orders is not kept. A position is removed with its
// contract.

import { differenceOf, type ExactInteger, sumOf } from "../market/exact-integer.ts";
import { invariant } from "../market/invariant.ts";
import { BUY, SELL, type Side, slotsOf } from "../market/order-book.ts";
import { energyOf, notionalOf } from "../market/units.ts";
import { type ContractState, type Order, remainingOf, type UserPosition } from "./market-state.ts";
import type { OrderTable } from "./order-table.ts";
import type { UserExposure, UserState } from "./party-state.ts";
import { required } from "./required.ts";

const NO_POSITION: Readonly<UserPosition> = { net: 0, openBuys: 0, openSells: 0 };

export class OpenOrders {
  readonly #orders: OrderTable;
  #size = 0;

  /** `orders`: the open ones, and those that are closed and kept. */
  constructor(orders: OrderTable) {
    this.#orders = orders;
  }

  get size(): number {
    return this.#size;
  }

  get(key: number): Order | undefined {
    const order = this.#orders.get(key);
    return order === undefined || order.closeReason !== null ? undefined : order;
  }

  /** In the order of their acceptance. Cost: O(orders that are kept). */
  *[Symbol.iterator](): Generator<Order, void, undefined> {
    for (const order of this.#orders) if (order.closeReason === null) yield order;
  }

  /** The open orders of a contract, in the order of their acceptance. */
  of({ book, heldOrders }: ContractState): Order[] {
    const resting = [...slotsOf(book, BUY), ...slotsOf(book, SELL)]
      .map((slot) => required(this.get(book.idOf(slot)), "resting order"));
    return [...resting, ...heldOrders.values()].sort((a, b) => a.key - b.key);
  }

  /** Counts an order that has just been opened. */
  add(order: Order): void {
    this.#size += 1;
    const remaining = remainingOf(order);
    const { exposure } = order.user;
    exposure.openOrders += 1;
    exposure.openNotional = sumOf(exposure.openNotional, openNotionalOf(order, remaining));
    addToPosition(order, 0, remaining);
  }

  /** Counts an order that has just been filled or cancelled. */
  remove(order: Order): void {
    invariant(this.#size > 0 && order.user.exposure.openOrders > 0, "only an open order is closed");
    this.#size -= 1;
    const remaining = remainingOf(order);
    const { exposure } = order.user;
    exposure.openOrders -= 1;
    reduceNotional(exposure, openNotionalOf(order, remaining));
    addToPosition(order, 0, -remaining);
  }

  /** Gives an open order another price and quantity (kW). */
  changeTerms(order: Order, price: number, quantity: number): void {
    const { exposure } = order.user;
    const before = remainingOf(order);
    reduceNotional(exposure, openNotionalOf(order, before));
    order.price = price;
    order.quantity = quantity;
    const remaining = remainingOf(order);
    exposure.openNotional = sumOf(exposure.openNotional, openNotionalOf(order, remaining));
    if (remaining !== before) addToPosition(order, 0, remaining - before);
  }

  /** Counts a fill of `quantity` kW; the caller then adds it to the order's filled quantity. */
  fill(order: Order, quantity: number): void {
    reduceNotional(order.user.exposure, openNotionalOf(order, quantity));
    addToPosition(order, order.side === BUY ? quantity : -quantity, -quantity);
  }
}

function reduceNotional(exposure: UserExposure, notional: ExactInteger): void {
  exposure.openNotional = differenceOf(exposure.openNotional, notional);
  invariant(exposure.openNotional >= 0, "the notional of open orders is at least 0");
}

/** The notional of an order's remaining quantity (kW) at its limit price, in cents/MWh x kW x min. */
export function openNotionalOf(order: Pick<Order, "price" | "contract">, remaining: number): ExactInteger {
  return notionalOf(order.price, energyOf(remaining, order.contract.minutes));
}

export function userPositionOf({ userPositions }: ContractState, user: UserState): Readonly<UserPosition> {
  return userPositions.get(user) ?? NO_POSITION;
}

/** kW of the open orders of a side. */
export function openOn(side: Side, { openBuys, openSells }: Readonly<UserPosition>): number {
  return side === BUY ? openBuys : openSells;
}

/** Restores a net position, in kW. */
export function restoreUserPosition(contract: ContractState, user: UserState, net: number): void {
  positionFor(contract, user).net = net;
}

function positionFor({ userPositions }: ContractState, user: UserState): UserPosition {
  const known = userPositions.get(user);
  if (known !== undefined) return known;
  const position: UserPosition = { net: 0, openBuys: 0, openSells: 0 };
  userPositions.set(user, position);
  return position;
}

function addToPosition({ contract, user, side }: Order, net: number, open: number): void {
  const position = positionFor(contract, user);
  position.net += net;
  if (side === BUY) position.openBuys += open;
  else position.openSells += open;
  if (position.net === 0 && position.openBuys === 0 && position.openSells === 0) contract.userPositions.delete(user);
}
