// What each user has at stake: how many orders are open and what they come to at their limit prices, and for each contract
// the net position and what open orders could add to it on either side. Kept up to date with every order and fill, so a
// bound is checked in O(1), and exact also after old orders and fills are forgotten or flushed.
//
// Invariants: the open parts are the sums over the user's open orders; `net` is the sum over all fills of the user's orders
// of the contract, buys positive. A position of 0 without open orders is not kept; positions go with their contract.

import { invariant } from "../../market/invariant.ts";
import { BUY } from "../../market/order-book.ts";
import { energyOf, notionalOf } from "../../market/units.ts";
import { type ContractState, type EngineState, type Order, remainingOf } from "./engine-state.ts";

/** Open orders of one user. */
export interface UserExposure {
  openOrders: number;
  /** |limit price| x remaining energy of all of them, in cents/MWh x kW x min. */
  openNotional: bigint;
}

/** One user's position in one contract, in kW. */
export interface Position {
  /** Bought less sold. */
  net: number;
  /** Remaining quantity of open orders, by side. */
  readonly open: [buy: number, sell: number];
}

const NO_EXPOSURE: Readonly<UserExposure> = { openOrders: 0, openNotional: 0n };
const NO_POSITION: Readonly<Position> = { net: 0, open: [0, 0] };

export function exposureOf({ exposures }: EngineState, userId: string): Readonly<UserExposure> {
  return exposures.get(userId) ?? NO_EXPOSURE;
}

export function positionOf({ positions }: ContractState, userId: string): Readonly<Position> {
  return positions.get(userId) ?? NO_POSITION;
}

/** What an order's remaining quantity comes to at its limit price. */
export function openNotionalOf(order: Pick<Order, "price" | "contract">, remaining: number): bigint {
  return notionalOf(order.price, energyOf(remaining, order.contract.minutes));
}

/** Takes an order in among the open ones. */
export function noteOpened(state: EngineState, order: Order): void {
  state.openOrders.set(order.key, order);
  addOpen(state, order, 1);
}

/** Takes an order that has been filled or cancelled out of the open ones. */
export function noteClosed(state: EngineState, order: Order): void {
  invariant(state.openOrders.delete(order.key), "only an open order is closed");
  state.closedOrders.add(order);
  addOpen(state, order, -1);
}

/** Gives an open order new terms; `quantity` in kW. */
export function changeTerms(state: EngineState, order: Order, price: number, quantity: number): void {
  addOpen(state, order, -1);
  order.price = price;
  order.quantity = quantity;
  addOpen(state, order, 1);
}

/** Books a fill of `quantity` kW. */
export function noteFilled(state: EngineState, order: Order, quantity: number): void {
  const exposure = exposureFor(state, order);
  exposure.openNotional -= openNotionalOf(order, quantity);
  addToPosition(order, order.side === BUY ? quantity : -quantity, -quantity);
}

/** Puts back a net position, in kW. */
export function restorePosition(contract: ContractState, userId: string, net: number): void {
  positionFor(contract, userId).net = net;
}

function addOpen(state: EngineState, order: Order, sign: 1 | -1): void {
  const remaining = remainingOf(order);
  const exposure = exposureFor(state, order);
  exposure.openOrders += sign;
  const notional = openNotionalOf(order, remaining);
  exposure.openNotional += sign === 1 ? notional : -notional;
  invariant(exposure.openOrders >= 0 && exposure.openNotional >= 0n, "what is open is not below nothing");
  if (exposure.openOrders === 0) state.exposures.delete(order.userId);
  addToPosition(order, 0, sign * remaining);
}

function exposureFor({ exposures }: EngineState, { userId }: Order): UserExposure {
  let exposure = exposures.get(userId);
  if (exposure === undefined) exposures.set(userId, exposure = { ...NO_EXPOSURE });
  return exposure;
}

function positionFor({ positions }: ContractState, userId: string): Position {
  let position = positions.get(userId);
  if (position === undefined) positions.set(userId, position = { net: 0, open: [0, 0] });
  return position;
}

function addToPosition({ contract, userId, side }: Order, net: number, open: number): void {
  const position = positionFor(contract, userId);
  position.net += net;
  position.open[side] += open;
  const { open: [buy, sell] } = position;
  if (position.net === 0 && buy === 0 && sell === 0) contract.positions.delete(userId);
}
