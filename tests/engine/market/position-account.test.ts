// Accounts of parties, compared with a reference that computes in fractions of bigint.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { addToAccount, emptyAccount, type PositionAccount } from "../../../engine/market/position-account.ts";

/** A fraction, not reduced; the denominator is above 0. */
type Fraction = readonly [numerator: bigint, denominator: bigint];
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const magnitude = (value: bigint) => value < 0n ? -value : value;

/** The average-cost method without any rounding; every reduction makes the denominator larger. */
class ReferenceAccount {
  net = 0n;
  bought = 0n;
  sold = 0n;
  cash = 0n;
  average: Fraction = [0n, 1n];
  realised: Fraction = [0n, 1n];
  reductions = 0n;

  add(side: 0 | 1, price: bigint, quantity: bigint, minutes: bigint): void {
    const change = side === BUY ? quantity : -quantity;
    if (side === BUY) this.bought += quantity;
    else this.sold += quantity;
    this.cash -= price * change * minutes;
    const [numerator, denominator] = this.average;
    if (this.net * change >= 0n) {
      const value = numerator * this.net + price * change * denominator;
      const after = denominator * (this.net + change);
      this.average = after < 0n ? [-value, -after] : [value, after];
    } else {
      const closed = magnitude(this.net) < quantity ? -this.net : change;
      this.realised = plus(this.realised, [(numerator - price * denominator) * closed * minutes, denominator]);
      if (quantity >= magnitude(this.net)) this.average = [price, 1n];
      this.reductions += 1n;
    }
    this.net += change;
    if (this.net === 0n) this.average = [0n, 1n];
  }
}

const trades = fc.tuple(
  fc.constantFrom(60, 1440, 44_640, 525_600),
  fc.array(
    fc.record({
      side: fc.constantFrom(BUY, SELL),
      price: fc.oneof(fc.integer({ min: -300, max: 700 }), fc.integer({ min: -50_000, max: 500_000 })),
      quantity: fc.oneof(
        fc.integer({ min: 1, max: 12 }).map((lots) => lots * 1000),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 1_000_000_000 }),
      ),
    }),
    { minLength: 1, maxLength: 25, size: "max" },
  ),
);

function checkAgainst(reference: ReferenceAccount, account: PositionAccount): void {
  const { net, bought, sold, cash, cost } = account;
  expect([net, bought, sold, BigInt(cash)].map(BigInt))
    .toEqual([reference.net, reference.bought, reference.sold, reference.cash]);
  // |realised - reference| <= half a unit for each reduction.
  const [numerator, denominator] = reference.realised;
  const difference = magnitude((BigInt(cash) + BigInt(cost)) * denominator - numerator);
  expect(2n * difference <= reference.reductions * denominator).toBe(true);
  if (net === 0) expect(cost).toBe(0);
}

describe("an account", () => {
  test("is that of the average-cost method, up to half a unit of notional for each reduction", () => {
    fc.assert(fc.property(trades, ([minutes, list]) => {
      const [account, reference] = [emptyAccount(), new ReferenceAccount()];
      for (const { side, price, quantity } of list) {
        addToAccount(account, side, price, quantity, minutes);
        reference.add(side, BigInt(price), BigInt(quantity), BigInt(minutes));
        checkAgainst(reference, account);
      }
    }));
  });

  test("stays exact if amounts exceed 2^53", () => {
    const [account, reference] = [emptyAccount(), new ReferenceAccount()];
    for (const side of [BUY, BUY, SELL, BUY, SELL, SELL] as const) {
      addToAccount(account, side, 499_999, 999_999_999, 525_600);
      reference.add(side, 499_999n, 999_999_999n, 525_600n);
      checkAgainst(reference, account);
    }
    expect(account).toMatchObject({ net: 0, cash: 0, cost: 0 });
  });
});
