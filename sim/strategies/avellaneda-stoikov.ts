// The market maker of Avellaneda & Stoikov ("High-frequency trading in a limit order book", Quantitative Finance 8,
// 2008). It quotes both sides around a reservation price that moves against its inventory. The spread balances the
// profit of a fill against its probability.
//
//   reservation price  r = s - q gamma sigma^2 (T - t)
//   total spread       gamma sigma^2 (T - t) + (2 / gamma) ln(1 + gamma / k)
//
// s is the expected value of the contract: the paper's mid price, too, is one that the maker doesn't move itself. q is
// the position in normal orders. T - t is 1 until the horizon before the end of trading, then falls to 0.
//
// It learns nothing and draws no random numbers. Cost: O(1).

import { BUY, SELL } from "../../engine/market/order-book.ts";
import { quoteAt } from "./quotes.ts";
import type { Account, MarketView, Quotes, Strategy } from "./strategy.ts";

export interface MarketMakerParameters {
  /** gamma, in 1 / price: risk aversion. */
  readonly riskAversion: number;
  /** sigma: standard deviation of the price over the horizon. */
  readonly volatility: number;
  /** k, in 1 / price: decay of the fill rate with distance from the price. */
  readonly fillDecay: number;
  /** T, in milliseconds. */
  readonly horizonMs: number;
  /** Quantity of one order; the unit of inventory. */
  readonly orderQuantity: number;
}

/** Half the mean spread in the paper, in the unit of the parameters below. */
const PAPER_HALF_SPREAD = 0.745;
export const PAPER = { riskAversion: 0.1, volatility: 2, fillDecay: 1.5 } as const;

/**
 * Parameters in the paper's unit of price, converted to one in which half the spread is about `halfSpread` with the
 * paper's own parameters.
 */
export function scaledParameters(
  halfSpread: number,
  orderQuantity: number,
  { riskAversion, volatility, fillDecay }: Pick<MarketMakerParameters, "riskAversion" | "volatility" | "fillDecay">,
): Omit<MarketMakerParameters, "horizonMs"> {
  const unit = halfSpread / PAPER_HALF_SPREAD;
  return {
    riskAversion: riskAversion / unit,
    volatility: volatility * unit,
    fillDecay: fillDecay / unit,
    orderQuantity,
  };
}

/** The price at which the maker is indifferent between buying and selling. `timeLeft` is a share of the horizon. */
export function reservationPrice(
  price: number,
  inventory: number,
  timeLeft: number,
  { riskAversion, volatility }: MarketMakerParameters,
): number {
  return price - inventory * riskAversion * volatility ** 2 * timeLeft;
}

/** From bid to ask. */
export function optimalSpread(
  timeLeft: number,
  { riskAversion, volatility, fillDecay }: MarketMakerParameters,
): number {
  return riskAversion * volatility ** 2 * timeLeft + 2 / riskAversion * Math.log1p(riskAversion / fillDecay);
}

export class AvellanedaStoikov implements Strategy {
  constructor(private readonly parameters: MarketMakerParameters) {}

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    const { parameters } = this;
    const timeLeft = Math.min(1, market.timeLeftMs / parameters.horizonMs);
    const inventory = account.position / parameters.orderQuantity;
    const middle = reservationPrice(account.fundamentalValue, inventory, timeLeft, parameters);
    const half = account.spreadFactor * optimalSpread(timeLeft, parameters) / 2;
    quoteAt(market, BUY, middle - half, Math.min(parameters.orderQuantity, account.buyQuantity), quotes);
    quoteAt(market, SELL, middle + half, Math.min(parameters.orderQuantity, account.sellQuantity), quotes);
  }
}
