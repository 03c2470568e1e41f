// The bounds that a request carries for its order (protocol, `bounds`). They are checked before anything changes.
//
// The notional of an order is the notional of its fills, at their prices, plus that of its remaining quantity, at its
// limit price. It never exceeds `maxNotional`, which belongs to the order until the order is closed. A new or changed
// order that would exceed it is rejected. An open order may also trade at prices other than its own: at its release, or
// after a change of credit or documents. If its notional would then exceed the bound, the order is cancelled with
// closeReason limit_exceeded, before any of it trades. A resting order trades at its limit price, which leaves its
// notional unchanged.
//
// Bounds on sums count all orders of the order's user. A change that only lowers the quantity is not checked, since it
// lowers every sum.

import type { OrderBounds } from "../../protocol/index.ts";
import { differenceOf, type ExactInteger, sumOf } from "../market/exact-integer.ts";
import { BUY } from "../market/order-book.ts";
import type { PartyIndexedBook } from "../market/party-indexed-book.ts";
import { dollarsOf, megawattsOf, wholeKilowatts, wholeNotional } from "../market/units.ts";
import { rejected, type Rejection } from "../api/outcome.ts";
import type { EngineState } from "../state/engine-state.ts";
import { isMatching, type Order, remainingOf } from "../state/market-state.ts";
import { openNotionalOf, openOn, userPositionOf } from "../state/open-orders.ts";
import { previewMatch } from "./order-matching.ts";

/** The terms of an order that is about to arrive. */
type Terms = Pick<Order, "contract" | "entity" | "user" | "side" | "price" | "quantity">;

/** The `maxNotional` of an order after a request. `previous`: the order that the request changes. */
export function maxNotionalAfter(bounds: OrderBounds | undefined, previous: Order | null): ExactInteger | null {
  const dollars = bounds?.maxNotional;
  return dollars === undefined ? previous?.maxNotional ?? null : wholeNotional(dollars);
}

/** The rejection of an order that would exceed a bound; null if it may arrive. `previous`: the order before a change. */
export function checkBounds(
  state: EngineState,
  terms: Terms,
  bounds: OrderBounds | undefined,
  previous: Order | null,
): Rejection | null {
  const maxNotional = maxNotionalAfter(bounds, previous);
  if (bounds === undefined && maxNotional === null) return null;
  return checkQuantity(terms, bounds?.maxQuantity) ??
    checkOrderCount(terms, bounds?.maxOpenOrders, previous) ??
    checkPosition(terms, bounds?.maxNetPosition, previous) ??
    checkNotional(state, terms, maxNotional, bounds?.maxOpenNotional, previous);
}

/** Whether an open order that is about to arrive in `book` would exceed its `maxNotional`. */
export function exceedsBound(state: EngineState, order: Order, book: PartyIndexedBook): boolean {
  if (order.maxNotional === null) return false;
  const { tradedNotional, remaining } = previewMatch(state, order, remainingOf(order), book);
  return sumOf(sumOf(order.filledNotional, tradedNotional), openNotionalOf(order, remaining)) > order.maxNotional;
}

function checkQuantity({ quantity }: Terms, maxQuantity: number | undefined): Rejection | null {
  if (maxQuantity === undefined || quantity <= wholeKilowatts(maxQuantity)) return null;
  return exceeded(`The quantity, ${megawattsOf(quantity)} MW, is above ${maxQuantity} MW (maxQuantity).`);
}

function checkOrderCount(
  { user }: Terms,
  maxOpenOrders: number | undefined,
  previous: Order | null,
): Rejection | null {
  const count = user.exposure.openOrders + (previous === null ? 1 : 0);
  if (maxOpenOrders === undefined || count <= maxOpenOrders) return null;
  return exceeded(
    `User ${user.id} would have ${count} open orders, more than ${maxOpenOrders} (maxOpenOrders): cancel ` +
      `${count - maxOpenOrders} first.`,
  );
}

/** The position counts as if all open orders of the side were filled. */
function checkPosition(
  { contract, user, side, quantity }: Terms,
  maxNetPosition: number | undefined,
  previous: Order | null,
): Rejection | null {
  if (maxNetPosition === undefined) return null;
  const held = userPositionOf(contract, user);
  const others = openOn(side, held) - (previous === null ? 0 : remainingOf(previous));
  const added = quantity - (previous?.filledQuantity ?? 0);
  const reached = (side === BUY ? held.net : -held.net) + others + added;
  if (reached <= wholeKilowatts(maxNetPosition)) return null;
  const position = `${megawattsOf(reached)} MW ${side === BUY ? "long" : "short"} of ${contract.id}`;
  const left = Math.max(0, wholeKilowatts(maxNetPosition) - reached + added);
  return exceeded(
    `User ${user.id} could become ${position}, above ${maxNetPosition} MW (maxNetPosition): ` +
      `the position, the open orders of that side and this order. ${megawattsOf(left)} MW are left.`,
  );
}

function checkNotional(
  state: EngineState,
  terms: Terms,
  maxNotional: ExactInteger | null,
  maxOpenNotional: number | undefined,
  previous: Order | null,
): Rejection | null {
  if (maxNotional === null && maxOpenNotional === undefined) return null;
  const arriving = terms.quantity - (previous?.filledQuantity ?? 0);
  const { tradedNotional, remaining } = isMatching(terms.contract)
    ? previewMatch(state, terms, arriving, terms.contract.book)
    : { tradedNotional: 0, remaining: arriving };
  const resting = openNotionalOf(terms, remaining);
  const notional = sumOf(sumOf(previous?.filledNotional ?? 0, tradedNotional), resting);
  if (maxNotional !== null && notional > maxNotional) {
    return exceeded(
      `The trades of the order and its remaining quantity at its limit price make ${dollarsOf(notional)} dollars, ` +
        `above ${dollarsOf(maxNotional)} dollars (maxNotional).`,
    );
  }
  const others = differenceOf(
    terms.user.exposure.openNotional,
    previous === null ? 0 : openNotionalOf(previous, remainingOf(previous)),
  );
  const open = sumOf(others, resting);
  if (maxOpenNotional === undefined || open <= wholeNotional(maxOpenNotional)) return null;
  return exceeded(
    `The open orders of user ${terms.user.id} would make ${dollarsOf(open)} dollars at their limit prices, ` +
      `above ${maxOpenNotional} dollars (maxOpenNotional). The other open orders make ${dollarsOf(others)} dollars.`,
  );
}

function exceeded(message: string): Rejection {
  return rejected("limit_exceeded", `${message} Nothing was changed.`);
}
