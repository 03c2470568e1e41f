// The bounds that a request carries for its order (protocol, `bounds`). They are checked before anything changes.
//
// The notional of an order is the notional of its fills, at their prices, plus that of its remaining quantity, at its
// limit price. It never exceeds `maxNotional`, which belongs to the order until the order is closed. A new or changed
// order that could exceed it is rejected. A held order may meet other prices at its release than at its arrival: if it could
// then exceed the bound, it is cancelled with closeReason limit_exceeded, before any of it trades. A resting order trades at
// its limit price, which leaves its notional unchanged.
//
// Credit and documents decide with whom an order trades, and they are a secret of others: who could see them in the outcome
// of a check would learn a counterparty's limit without a trade. So each check takes the greatest notional that any credit
// allows, from the prices and volumes of the book alone, and no message states it.
//
// Bounds on sums count all orders of the order's user, as if a new one did not trade. A change that only lowers the quantity
// is not checked, since it lowers every sum.

import type { OrderBounds } from "../../protocol/index.ts";
import { differenceOf, type ExactInteger, sumOf } from "../market/exact-integer.ts";
import { BUY, crosses, opposite } from "../market/order-book.ts";
import { NO_LEVEL } from "../market/price-levels.ts";
import type { PriceTimeBook } from "../market/price-time-book.ts";
import { dollarsOf, energyOf, megawattsOf, notionalOf, wholeKilowatts, wholeNotional } from "../market/units.ts";
import { rejected, type Rejection } from "../api/outcome.ts";
import { isMatching, type Order, remainingOf } from "../state/market-state.ts";
import { openNotionalOf, openOn, userPositionOf } from "../state/open-orders.ts";

/** The terms of an order that is about to arrive. */
type Terms = Pick<Order, "contract" | "entity" | "user" | "side" | "price" | "quantity">;

/** The `maxNotional` of an order after a request. `previous`: the order that the request changes. */
export function maxNotionalAfter(bounds: OrderBounds | undefined, previous: Order | null): ExactInteger | null {
  const dollars = bounds?.maxNotional;
  return dollars === undefined ? previous?.maxNotional ?? null : wholeNotional(dollars);
}

/** The rejection of an order that would exceed a bound; null if it may arrive. `previous`: the order before a change. */
export function checkBounds(
  terms: Terms,
  bounds: OrderBounds | undefined,
  previous: Order | null,
): Rejection | null {
  const maxNotional = maxNotionalAfter(bounds, previous);
  if (bounds === undefined && maxNotional === null) return null;
  return checkQuantity(terms, bounds?.maxQuantity) ??
    checkOrderCount(terms, bounds?.maxOpenOrders, previous) ??
    checkPosition(terms, bounds?.maxNetPosition, previous) ??
    checkNotional(terms, maxNotional, previous) ??
    checkOpenNotional(terms, bounds?.maxOpenNotional, previous);
}

/** Whether an open order that is about to arrive in `book` could exceed its `maxNotional`. */
export function exceedsBound(order: Order, book: PriceTimeBook): boolean {
  if (order.maxNotional === null) return false;
  return sumOf(order.filledNotional, greatestNotional(order, remainingOf(order), book)) > order.maxNotional;
}

/**
 * The greatest notional that `quantity` kW of an order can come to in `book`, whatever credit and documents allow. Each part
 * counts at the limit price, or at a price that it may trade at and that is further from 0. Those prices come first in the
 * book.
 */
function greatestNotional(
  { contract, side, price }: Pick<Order, "contract" | "side" | "price">,
  quantity: number,
  book: PriceTimeBook,
): ExactInteger {
  let notional: ExactInteger = 0;
  let remaining = quantity;
  for (let level = book.bestLevel(opposite(side)); level !== NO_LEVEL && remaining > 0; level = book.nextLevel(level)) {
    const tradePrice = book.priceOfLevel(level);
    if (!crosses(side, price, tradePrice) || Math.abs(tradePrice) <= Math.abs(price)) break;
    const traded = Math.min(remaining, book.volumeOfLevel(level));
    notional = sumOf(notional, notionalOf(tradePrice, energyOf(traded, contract.minutes)));
    remaining -= traded;
  }
  return sumOf(notional, notionalOf(price, energyOf(remaining, contract.minutes)));
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

function checkNotional(terms: Terms, maxNotional: ExactInteger | null, previous: Order | null): Rejection | null {
  if (maxNotional === null) return null;
  const arriving = terms.quantity - (previous?.filledQuantity ?? 0);
  const notional = isMatching(terms.contract)
    ? greatestNotional(terms, arriving, terms.contract.book)
    : openNotionalOf(terms, arriving);
  if (sumOf(previous?.filledNotional ?? 0, notional) <= maxNotional) return null;
  return exceeded(
    `The order could come to more than ${dollarsOf(maxNotional)} dollars (maxNotional), at its limit price or at the ` +
      "prices of the orders that it could trade with.",
  );
}

function checkOpenNotional(
  terms: Terms,
  maxOpenNotional: number | undefined,
  previous: Order | null,
): Rejection | null {
  if (maxOpenNotional === undefined) return null;
  const { openNotional } = terms.user.exposure;
  const others = differenceOf(openNotional, previous === null ? 0 : openNotionalOf(previous, remainingOf(previous)));
  const open = sumOf(others, openNotionalOf(terms, terms.quantity - (previous?.filledQuantity ?? 0)));
  if (open <= wholeNotional(maxOpenNotional)) return null;
  return exceeded(
    `The open orders of user ${terms.user.id} would make ${dollarsOf(open)} dollars at their limit prices, ` +
      `above ${maxOpenNotional} dollars (maxOpenNotional). The other open orders make ${dollarsOf(others)} dollars.`,
  );
}

function exceeded(message: string): Rejection {
  return rejected("limit_exceeded", `${message} Nothing was changed.`);
}
