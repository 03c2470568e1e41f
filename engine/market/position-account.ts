// One party's account in one contract: what it bought and sold, the money it paid and got, and what its open position cost.
//
// The cost follows the average-cost method. A trade that enlarges the position adds its value to the cost. A trade that
// reduces the position takes away its share of the cost, at the average price. If the position
// becomes flat, its cost is 0. If it changes sign, its cost is the value of the rest of that trade. So the realised profit
// is cash + cost, and the unrealised profit at a mark is net x mark - cost.
//
// Invariants: `net` and `cash` are exact sums over all trades, so over all parties of a contract each of them adds up to 0.
// Realised and unrealised profit add up to cash + net x mark, exactly. Only the split between the two is rounded: each
// reduction rounds its share of the cost to one unit, by at most half a unit (1/12,000,000 dollar).
//
// Units: quantities in kW; cash and cost in cents/MWh x kW x min. Cost: O(1), without allocation while amounts stay below
// 2^53.

import { type ExactInteger, negativeOf, productOf, roundedQuotient, sumOf } from "./exact-integer.ts";
import { BUY, type Side } from "./order-book.ts";

export interface PositionAccount {
  /** Bought less sold. */
  net: number;
  bought: number;
  sold: number;
  /** Received less paid. A purchase at a negative price is received. */
  cash: ExactInteger;
  /** Value of the open position at the prices of its trades; has the sign of net x average price. */
  cost: ExactInteger;
}

export function emptyAccount(): PositionAccount {
  return { net: 0, bought: 0, sold: 0, cash: 0, cost: 0 };
}

/** Adds a trade of `quantity` kW at `price` cents/MWh in a contract with `minutes` of delivery. */
export function addToAccount(
  account: PositionAccount,
  side: Side,
  price: number,
  quantity: number,
  minutes: number,
): void {
  const { net } = account;
  const change = side === BUY ? quantity : -quantity;
  const value = valueOf(price, change, minutes);
  if (side === BUY) account.bought += quantity;
  else account.sold += quantity;
  account.net = net + change;
  account.cash = sumOf(account.cash, negativeOf(value));
  if (net === 0 || (net > 0) === (change > 0)) account.cost = sumOf(account.cost, value);
  else if (quantity <= Math.abs(net)) {
    const share = roundedQuotient(productOf(account.cost, quantity), Math.abs(net));
    account.cost = sumOf(account.cost, negativeOf(share));
  } else account.cost = valueOf(price, account.net, minutes);
}

/** The value of `quantity` kW, with its sign, at `price` cents/MWh. */
function valueOf(price: number, quantity: number, minutes: number): ExactInteger {
  return productOf(productOf(quantity, minutes), price);
}
