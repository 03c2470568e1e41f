// Bounds that a request carries for its order (protocol, `bounds`), checked before anything changes.
//
// The notional of an order is what its fills come to, at the prices at which they trade, and what remains of it at its
// limit price. Nothing may bring it above `maxNotional`, which stays with the order for its whole life: an order that
// arrives, or is changed, is refused; one that is about to trade at other prices than its own, when it is released from
// being held or may trade after a change of credit or documents, is cancelled instead, with closeReason limit_exceeded.
// Either way nothing of it trades then. A resting order trades at its own limit price, which changes nothing in the sum.
//
// The bounds over many orders are those of the user whose order it is. A change that only lowers an order's quantity is
// not checked: it makes every sum smaller.

import type { OrderBounds } from "../../../protocol/index.ts";
import { BUY } from "../../market/order-book.ts";
import type { PartyIndexedBook } from "../../market/party-indexed-book.ts";
import { dollarsOf, megawattsOf, wholeKilowatts, wholeNotional } from "../../market/units.ts";
import { type EngineState, isMatching, type Order, remainingOf } from "../state/engine-state.ts";
import { exposureOf, openNotionalOf, positionOf } from "../state/open-orders.ts";
import { rejected, type Rejection } from "../api/outcome.ts";
import { planArrival } from "./matching.ts";

/** An order as it would be, before it arrives. */
export type Terms = Pick<Order, "contract" | "entity" | "userId" | "side" | "price" | "quantity">;

/** The bound that an order keeps, from the request's bounds; `previous`: the order that the request changes. */
export function keptBound(bounds: OrderBounds | undefined, previous: Order | null): bigint | null {
  const dollars = bounds?.maxNotional;
  return dollars === undefined ? previous?.maxNotional ?? null : wholeNotional(dollars);
}

/** The refusal of an order that would pass a bound; null if it may arrive. `previous`: as it is before a change. */
export function checkBounds(
  state: EngineState,
  terms: Terms,
  bounds: OrderBounds | undefined,
  previous: Order | null,
): Rejection | null {
  const maxNotional = keptBound(bounds, previous);
  if (bounds === undefined && maxNotional === null) return null;
  return checkQuantity(terms, bounds?.maxQuantity) ??
    checkOpenOrders(state, terms, bounds?.maxOpenOrders, previous) ??
    checkPosition(terms, bounds?.maxNetPosition, previous) ??
    checkNotional(state, terms, maxNotional, bounds?.maxOpenNotional, previous);
}

/** Whether an open order that is about to arrive in `book` would pass its bound. */
export function passesBound(state: EngineState, order: Order, book: PartyIndexedBook): boolean {
  if (order.maxNotional === null) return false;
  const { traded, remaining } = planArrival(state, order, remainingOf(order), book);
  return order.filledNotional + traded + openNotionalOf(order, remaining) > order.maxNotional;
}

function checkQuantity({ quantity }: Terms, maxQuantity: number | undefined): Rejection | null {
  if (maxQuantity === undefined || quantity <= wholeKilowatts(maxQuantity)) return null;
  return exceeded(`The quantity, ${megawattsOf(quantity)} MW, is above ${maxQuantity} MW (maxQuantity).`);
}

function checkOpenOrders(
  state: EngineState,
  { userId }: Terms,
  maxOpenOrders: number | undefined,
  previous: Order | null,
): Rejection | null {
  const openOrders = exposureOf(state, userId).openOrders + (previous === null ? 1 : 0);
  if (maxOpenOrders === undefined || openOrders <= maxOpenOrders) return null;
  return exceeded(`User ${userId} would have ${openOrders} open orders, more than ${maxOpenOrders} (maxOpenOrders).`);
}

function checkPosition(
  { contract, userId, side, quantity }: Terms,
  maxNetPosition: number | undefined,
  previous: Order | null,
): Rejection | null {
  if (maxNetPosition === undefined) return null;
  const { net, open } = positionOf(contract, userId);
  const others = open[side] - (previous === null ? 0 : remainingOf(previous));
  const added = quantity - (previous?.filledQuantity ?? 0);
  const reached = (side === BUY ? net : -net) + others + added;
  if (reached <= wholeKilowatts(maxNetPosition)) return null;
  const direction = side === BUY ? "long" : "short";
  return exceeded(
    `User ${userId} could come to be ${
      megawattsOf(reached)
    } MW ${direction} of ${contract.id}, above ${maxNetPosition} MW ` +
      "(maxNetPosition): the position, the open orders of that side and this order.",
  );
}

function checkNotional(
  state: EngineState,
  terms: Terms,
  maxNotional: bigint | null,
  maxOpenNotional: number | undefined,
  previous: Order | null,
): Rejection | null {
  if (maxNotional === null && maxOpenNotional === undefined) return null;
  const arriving = terms.quantity - (previous?.filledQuantity ?? 0);
  const { traded, remaining } = isMatching(terms.contract)
    ? planArrival(state, terms, arriving, terms.contract.book)
    : { traded: 0n, remaining: arriving };
  const resting = openNotionalOf(terms, remaining);
  const notional = (previous?.filledNotional ?? 0n) + traded + resting;
  if (maxNotional !== null && notional > maxNotional) {
    return exceeded(
      `What the order trades, and what remains of it at its limit price, come to ${
        dollarsOf(notional)
      } dollars, above ` +
        `${dollarsOf(maxNotional)} dollars (maxNotional).`,
    );
  }
  const others = exposureOf(state, terms.userId).openNotional -
    (previous === null ? 0n : openNotionalOf(previous, remainingOf(previous)));
  if (maxOpenNotional === undefined || others + resting <= wholeNotional(maxOpenNotional)) return null;
  return exceeded(
    `The open orders of user ${terms.userId} would come to ${
      dollarsOf(others + resting)
    } dollars at their limit prices, ` +
      `above ${maxOpenNotional} dollars (maxOpenNotional).`,
  );
}

function exceeded(message: string): Rejection {
  return rejected("limit_exceeded", `${message} Nothing was changed.`);
}
